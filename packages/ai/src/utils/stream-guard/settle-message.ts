// The last look at a whole reply: every call has an id, a tool name and arguments that are whole, repaired or refused.
// Runs on the terminal event of a guarded stream, and on its own where only the final message is at hand. Never changes
// the message it gets.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { type GuardedToolCall, rawTextOf } from "./call-block.ts";
import { type GuardContext, GuardTurn } from "./guard-context.ts";
import { joinFragments } from "./join-fragments.ts";
import { withObject, withText } from "./with-text.ts";

/** What the stream told about the call at one content index. */
export interface StreamedCall {
  /** The id the call has had in every event. */
  readonly id: string;
  /** Whether upstream announced the call's end; without it the arguments are a preview. */
  readonly ended: boolean;
  /** The arguments text as it came in. */
  readonly text: string;
}

/**
 * The guard for a host that has only the final message (a hook that runs after the stream).
 *
 * @returns the same message when nothing was wrong with it; otherwise a copy, with unchanged blocks by reference
 */
export function guardFinalMessage(message: AssistantMessage, context: GuardContext): AssistantMessage {
  const messages = context.messages.filter((earlier) => earlier !== message);
  return settleMessage(message, new GuardTurn({ ...context, messages }), []);
}

/**
 * Settles the calls of a reply.
 *
 * @param calls by content index; a hole means that the stream did not announce the block
 * @returns the same message when nothing changed
 */
export function settleMessage(
  message: AssistantMessage,
  turn: GuardTurn,
  calls: readonly (StreamedCall | undefined)[],
): AssistantMessage {
  const texts = calls.map((call) => call?.text);
  const blocks = message.content.map((block, index) => {
    if (block.type !== "toolCall") return block;
    texts[index] ??= rawTextOf(block);
    return settleBlock(block, turn, calls[index]);
  });
  const joined = joinFragments(blocks, texts);
  const same = joined.length === message.content.length && joined.every((block, at) => block === message.content[at]);
  return same ? message : { ...message, content: joined };
}

/** The block as it is to be executed; the same reference when it was right. */
function settleBlock(block: GuardedToolCall, turn: GuardTurn, call: StreamedCall | undefined): GuardedToolCall {
  const id = call?.id ?? turn.claimId(block.id, block.name);
  const name = turn.toolName(block.name);
  const text = call?.ended === false ? call.text : rawTextOf(block, call?.text);
  const named = id === block.id && name === block.name ? block : { ...block, id, name };
  return text === undefined ? withObject(named) : withText(named, text);
}
