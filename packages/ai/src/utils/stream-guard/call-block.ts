// The tool call block as the guard leaves it, and the raw text that upstream keeps in it. Types, and one reader.
import type { ToolCall } from "@earendil-works/pi-ai";
import { rawArgumentsText } from "../tool-repair/raw-arguments-text.ts";

/** What was done to a call's arguments. Travels with the block into the session file. */
export interface CallRepair {
  readonly names: readonly string[];
  /** The arguments as the model sent them: the text, or the object where only fields were added. */
  readonly original: string | ToolCall["arguments"];
}

/** A tool call that may carry the guard's record. */
export interface GuardedToolCall extends ToolCall {
  repair?: CallRepair;
}

/** A call of the reply as it streams: what the guard keeps of it, and what the router learns about it. */
export interface OpenedCall {
  readonly pieces: readonly string[];
  /** The whole name, where it came, or went on, after the call was opened. */
  lateName?: string;
}

/**
 * The arguments text of a call whose JSON upstream refused.
 *
 * @param streamed the text as it came in deltas, when known; wins where the error confirms it, because a parse error may
 *   quote the mark itself
 * @returns `undefined` when the block carries no raw text (clean, or settled by the guard before)
 */
export function rawTextOf(call: ToolCall, streamed?: string): string | undefined {
  return call.argumentsError === undefined ? undefined : rawArgumentsText(call.argumentsError, streamed);
}
