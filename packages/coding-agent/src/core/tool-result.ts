// Appends what there is to teach to the result of a call. Runs on `tool_result`, which pi fires for executed calls only.
// Never changes what the tool returned: the lines are one more text block behind it.
import type { ToolResultEvent, ToolResultEventResult } from "@earendil-works/pi-coding-agent";
import type { SessionRepairs } from "./session-repairs.ts";

/** The result with its lines, or `undefined` when none is due. */
export function appendTeachNote(event: ToolResultEvent, session: SessionRepairs): ToolResultEventResult | undefined {
  // The result of a call that a tool made goes to that tool, not to the model.
  if (event.parentToolCallId !== undefined) return undefined;
  const { toolCallId: id, toolName: tool, input: args, isError, details } = event;
  const content = event.content ?? [];
  const text = session.journal.finish({ id, tool, args, content, isError, details });
  if (text === undefined) return undefined;
  return {
    content: [...content, { type: "text", text }],
    // Content that is replaced without it makes pi drop the machine-readable result.
    ...(event.structuredContent === undefined ? {} : { structuredContent: event.structuredContent }),
  };
}
