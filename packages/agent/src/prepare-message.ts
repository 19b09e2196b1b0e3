// Takes every tool call of one finished assistant message through the preparing step, ids first. Runs once per message,
// before its calls are executed, stored or replayed. Never prepares calls that no loop executes: those of a failed,
// aborted or cut-off response only get ids.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { synthesizeIds } from "@pi-mend/ai/tool-repair";
import type { PreparedToolCall } from "./prepare-tool-call.ts";

export interface PreparedMessage {
  /** The same reference when no block changed, else a new message with the same fields around its new content. */
  readonly message: AssistantMessage;
  /** What became of each executed call, in the message's order; empty when none is executed. */
  readonly calls: readonly PreparedToolCall[];
}

/**
 * Prepares one message.
 *
 * @param seenIds tool call ids of the conversation so far; those of this message are added
 * @param prepare the step for one call, asked only for calls that will be executed
 */
export function prepareMessage(
  message: AssistantMessage,
  seenIds: Set<string>,
  prepare: (block: ToolCall) => PreparedToolCall,
): PreparedMessage {
  const content = [...synthesizeIds(message.content, seenIds)];
  for (const block of content) if (block.type === "toolCall") seenIds.add(block.id);
  const calls: PreparedToolCall[] = [];
  if (isExecuted(message)) {
    for (const [index, block] of content.entries()) {
      if (block.type !== "toolCall") continue;
      const prepared = prepare(block);
      calls.push(prepared);
      content[index] = prepared.block;
    }
  }
  const changed = content.some((block, index) => block !== message.content[index]);
  return { message: changed ? { ...message, content } : message, calls };
}

function isExecuted({ stopReason }: AssistantMessage): boolean {
  return stopReason !== "error" && stopReason !== "aborted" && stopReason !== "length";
}
