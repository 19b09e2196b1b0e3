// How many calls a finished turn printed as text instead of making them. Quotations of the conversation do not count.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { isQuotedFrom, leakedParts } from "@pi-mend/agent/door";
import type { Toolset } from "./turn.ts";

/** Every grammar has one of these; a text without them is not looked at further. */
const OPENER = /[<[{|(]|\bcall/i;

/** What others than the model said, as far as it holds one of the words. */
export type Said = (words: readonly string[]) => readonly string[];

/** @param said asked only where calls were found, for the longest word of each */
export function printedCalls(message: AssistantMessage, tools: Toolset, said: Said): number {
  const content = message.content.filter(isText);
  if (tools.lookup.size === 0 || !content.some(mayLeak)) return 0;
  const parts = leakedParts({ ...message, content }, tools.lookup, false).filter(({ isCall }) => isCall);
  if (parts.length === 0) return 0;
  const texts = parts.flatMap(({ leaks, source }) => leaks.map(({ range }) => source.slice(range.start, range.end)));
  if (isQuotedFrom(texts, said(texts.map(longestWord)))) return 0;
  return parts.reduce((sum, { leaks }) => sum + Math.max(1, leaks.length), 0);
}

type TextBlock = Extract<AssistantMessage["content"][number], { readonly type: "text" | "thinking" }>;

/** A transcript may hold anything under a block's names. */
function isText(block: AssistantMessage["content"][number]): block is TextBlock {
  if (block.type === "text") return typeof block.text === "string";
  return block.type === "thinking" && typeof block.thinking === "string";
}

function mayLeak(block: TextBlock): boolean {
  return OPENER.test(block.type === "text" ? block.text : block.thinking);
}

/** Quoting changes signs and spaces, but no word. */
function longestWord(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [""];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}
