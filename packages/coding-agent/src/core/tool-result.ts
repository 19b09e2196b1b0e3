// Appends the teaching note to the result of a repaired call. Runs on `tool_result`, which pi fires for executed calls
// only. Never changes what the tool returned: the note is one more text block behind it.
import type { ToolResultEvent, ToolResultEventResult } from "@earendil-works/pi-coding-agent";
import type { SessionRepairs } from "./session-repairs.ts";

/** The result with its note, or `undefined` when the call was not repaired or no note is due. */
export function appendTeachNote(event: ToolResultEvent, session: SessionRepairs): ToolResultEventResult | undefined {
  const awaited = session.awaited.get(event.toolCallId);
  if (!awaited) return undefined;
  session.settle(event.toolCallId);
  const text = session.notes.noteFor(awaited.tool, awaited.repairs, awaited.args);
  if (text === undefined) return undefined;
  return {
    content: [...(event.content ?? []), { type: "text", text }],
    // Content that is replaced without it makes pi drop the machine-readable result.
    ...(event.structuredContent === undefined ? {} : { structuredContent: event.structuredContent }),
  };
}
