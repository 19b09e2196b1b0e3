// The last look at a whole reply: every call has an id, a tool name and arguments that are whole, repaired or refused.
// Runs on the terminal event of a guarded stream, and on its own where only the final message is at hand. Never changes
// the message it gets.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { type GuardedToolCall, rawTextOf } from "./call-block.ts";
import { ungluedCall } from "./glued-arguments.ts";
import { type GuardContext, GuardTurn } from "./guard-context.ts";
import { joinFragments } from "./join-fragments.ts";
import { unwrapParallel } from "./parallel-wrapper.ts";
import { repeatedCalls } from "./repeated-calls.ts";
import { isObject } from "./settle-arguments.ts";
import { withObject, withText } from "./with-text.ts";

/** What the stream told about the call at one content index. */
export interface StreamedCall {
  /** The id the call has had in every event. */
  readonly id: string;
  /** The id the server sent, where the call could not keep it. */
  readonly sentId?: string | undefined;
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
  const sent = message.content;
  if (isRight(sent, turn, calls)) return message;
  const blocks = sent.map((block, at) => (block.type === "toolCall" ? settleBlock(block, turn, calls[at]) : block));
  // Asked for nameless pieces only: joining the text of every call would cost a copy of each.
  const textAt = (at: number) => calls[at]?.text ?? (sent[at]?.type === "toolCall" ? rawTextOf(sent[at]) : undefined);
  const repeats = repeatedCalls(blocks, (at) => calls[at]?.sentId ?? idOf(sent[at]));
  const content = joinFragments(blocks, textAt).flatMap((block): AssistantMessage["content"] => {
    if (block.type !== "toolCall") return [block];
    return repeats.has(block) ? [] : [...unwrapParallel(block, turn)];
  });
  const same = content.length === sent.length && content.every((block, at) => block === sent[at]);
  return same ? message : { ...message, content };
}

/** Whether all calls streamed to their end and are as the steps below would leave them. Most replies are. */
function isRight(
  content: AssistantMessage["content"],
  turn: GuardTurn,
  calls: readonly (StreamedCall | undefined)[],
): boolean {
  for (let at = 0; at < content.length; at++) {
    const block = content[at];
    if (block?.type !== "toolCall") continue;
    const call = calls[at];
    if (
      call === undefined ||
      !call.ended ||
      call.sentId !== undefined ||
      call.id !== block.id ||
      block.argumentsError !== undefined
    )
      return false;
    if (!isObject(block.arguments) || !turn.isTool(block.name)) return false;
  }
  return true;
}

function idOf(block: AssistantMessage["content"][number] | undefined): string {
  return block?.type === "toolCall" && typeof block.id === "string" ? block.id : "";
}

/** The block as it is to be executed; the same reference when it was right. */
function settleBlock(block: GuardedToolCall, turn: GuardTurn, call: StreamedCall | undefined): GuardedToolCall {
  // Typed as text, but upstream hands on whatever the server sent.
  const sentName: unknown = block.name;
  const ownName = typeof sentName === "string" ? sentName : "";
  const id = call?.id ?? turn.claimId(block.id, ownName);
  const name = turn.finalName(ownName);
  const text = call?.ended === false ? call.text : block.argumentsError ? rawTextOf(block, call?.text) : undefined;
  const named = id === block.id && name === block.name ? block : { ...block, id, name };
  return ungluedCall(text === undefined ? withObject(named) : withText(named, text), turn);
}
