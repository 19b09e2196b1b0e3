// Takes every tool call of one finished assistant message through the guard and the preparing step. Runs once per message,
// before its calls are executed, stored or replayed. Never prepares calls that no loop executes: those of a failed,
// aborted or cut-off response only pass the guard.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { guardFinalMessage } from "@pi-mend/ai/final-message";
import { pairingPart } from "@pi-mend/ai/tool-repair";
import type { PreparedToolCall } from "./prepare-tool-call.ts";

export interface PreparedMessage {
  /** The same reference when no block changed, else a new message with the same fields around its new content. */
  readonly message: AssistantMessage;
  /** What became of each executed call, in the message's order; empty when none is executed. */
  readonly calls: readonly PreparedToolCall[];
}

/**
 * Prepares one message of a host that has only the finished message: the guard first (ids, names, cut and unread argument
 * text), then the step for each call.
 *
 * @param seenIds what pairs the calls of the conversation so far with their results; this message's are added
 * @param toolNames the tools that may be called
 * @param prepare the step for one call, asked only for calls that will be executed
 */
export function prepareMessage(
  message: AssistantMessage,
  seenIds: Set<string>,
  toolNames: ReadonlySet<string>,
  prepare: (block: ToolCall) => PreparedToolCall,
): PreparedMessage {
  const settled = guardFinalMessage(message, { messages: [], toolNames, takenIds: seenIds, keepNames: true });
  for (const block of settled.content) if (block.type === "toolCall") seenIds.add(pairingPart(block.id));
  return prepareCalls(settled, prepare);
}

/**
 * Prepares one message whose calls already have ids of their own.
 *
 * @param prepare the step for one call, asked only for calls that will be executed
 */
export function prepareCalls(
  message: AssistantMessage,
  prepare: (block: ToolCall) => PreparedToolCall,
): PreparedMessage {
  if (!isExecuted(message)) return { message, calls: [] };
  const calls: PreparedToolCall[] = [];
  let content: AssistantMessage["content"] | undefined;
  const sent = message.content;
  for (let index = 0; index < sent.length; index++) {
    const block = sent[index];
    if (block?.type !== "toolCall") continue;
    const prepared = prepare(block);
    calls.push(prepared);
    if (prepared.block === block) continue;
    content ??= [...sent];
    content[index] = prepared.block;
  }
  return { message: content === undefined ? message : { ...message, content }, calls };
}

/** Whether a loop executes the calls of a message that ended so. */
export function isExecuted({ stopReason }: { readonly stopReason?: string }): boolean {
  return stopReason !== "error" && stopReason !== "aborted" && stopReason !== "length";
}
