// Reasoning that stands in the text: `<think>…</think>` and its relatives, and the end of a block whose start the prompt
// held. What it quotes is no call.

import type { Block, Grammar } from "../grammar.ts";
import { startsLine } from "../invisible.ts";
import type { Source } from "../source.ts";

const PAIRS: readonly (readonly [string, string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|channel>thought", "<channel|>"],
];

/** Ends of reasoning that may stand without a start. */
export const REASONING_ENDS: readonly string[] = [...PAIRS.map(([, close]) => close), "[BEGIN FINAL RESPONSE]"];

function reader(open: string, close: string) {
  return (source: Source, at: number): Block | undefined => {
    const before = source.text.charAt(at - 1);
    if (before !== ">" && before !== "]" && !startsLine(source.text, at)) return undefined;
    const start = at + open.length;
    const end = source.find(close, start);
    if (end !== -1) return { calls: [], end: end + close.length, reasoning: [{ start, end }] };
    // Unclosed: the whole message is reasoning, if it begins so.
    if (!source.isBlank(0, at)) return undefined;
    return { calls: [], end: source.text.length, reasoning: [{ start, end: source.text.length }] };
  };
}

export const REASONING_GRAMMARS: readonly Grammar[] = PAIRS.map(([open, close]) => ({
  family: "reasoning",
  openers: [open],
  marked: false,
  read: reader(open, close),
}));
