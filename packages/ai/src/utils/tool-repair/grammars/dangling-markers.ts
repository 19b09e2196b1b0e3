// What a cut call leaves behind: markers without a call. From the place where the cut call begins its markers go; at the end
// of the text a half marker goes. The words between them stay.

import { CodeMask } from "../code-mask.ts";
import type { Range } from "./grammar.ts";
import { CUT_MARKER } from "./markers.ts";
import { OPENER_TEXTS } from "./openers.ts";
import type { Source } from "./source.ts";

const LONGEST_TAIL = 64;
const MOST_TAILS = 8;
const SHORTEST_TAIL = 6;
const NAME_WITHIN = 240;

/** The markers of a cut call: from the first unread opener that names an active tool, or nothing, to the end. */
export function withoutCutMarkers(source: Source, unread: readonly Range[]): readonly Range[] {
  const cut = unread.find(({ start, end }) => isCutCall(source, start, end));
  if (cut === undefined) return [];
  const ranges: Range[] = [];
  const mask = new CodeMask(source.text);
  CUT_MARKER.lastIndex = cut.start > 0 && source.text.charAt(cut.start - 1) === "]" ? cut.start - 1 : cut.start;
  for (let match = CUT_MARKER.exec(source.text); match !== null; match = CUT_MARKER.exec(source.text)) {
    if (mask.codeEnd(match.index) <= match.index) ranges.push({ start: match.index, end: CUT_MARKER.lastIndex });
  }
  return ranges;
}

/** An opener whose call does not end in the text: nothing closes it before another one opens, and it names an active tool. */
function isCutCall(source: Source, start: number, end: number): boolean {
  const opener = source.text.slice(start, end);
  const word = /^<([A-Za-z_:]+)/.exec(opener)?.[1];
  // A tag that closes itself was not cut.
  if (word !== undefined && /^[^<>\n]{0,200}\/>/.test(source.text.slice(end, end + NAME_WITHIN))) return false;
  if (word !== undefined && isClosed(source, word, end)) return false;
  return toolNamedAt(source, end) !== -1;
}

/** Whether the tag's end stands behind `from`, before another one opens. */
function isClosed(source: Source, word: string, from: number): boolean {
  const close = source.find(`</${word}>`, from);
  const next = source.find(`<${word}`, from);
  return close !== -1 && (next === -1 || next > close);
}

/** Where an active tool is named right behind the opener that ends at `end`, or -1. */
export function toolNamedAt(source: Source, end: number): number {
  const start = source.skipBlank(end);
  const near = source.text.slice(start, end + NAME_WITHIN);
  const paragraph = near.indexOf("\n\n");
  const head = paragraph === -1 ? near : near.slice(0, paragraph);
  const found = source.tools.names.map((name) => nameIn(head, name)).filter((at) => at !== -1);
  return found.length === 0 ? -1 : start + Math.min(...found);
}

/** The first place where a name stands where a grammar puts one: behind a quote, a sign, a tag or at the start of a line; or -1. */
function nameIn(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const isStart = at === 0 || /["'=:>.[\n]/.test(text.charAt(at - 1));
    if (isStart && !/[\w-]/.test(text.charAt(at + name.length))) return at;
  }
  return -1;
}

/** `text` without the half of a marker that ends it, and without those before it. */
export function withoutDanglingTail(text: string): string {
  const starts: number[] = [];
  for (let start = halfMarkerAt(text, text.length); start !== -1; start = halfMarkerAt(text, start)) {
    if (starts.push(start) === MOST_TAILS) break;
  }
  if (starts.length === 0) return text;
  // The mask moves forward, over the whole text: one pass for all of them.
  const mask = new CodeMask(text);
  const inCode = starts.toReversed().filter((start) => mask.codeEnd(start) > start);
  const kept = inCode.at(-1) ?? -1;
  const last = starts.findLast((start) => start > kept);
  return last === undefined ? text : text.slice(0, last);
}

/** Where the half marker begins that ends the text before `before`, or -1. */
function halfMarkerAt(text: string, before: number): number {
  const end = text.slice(0, before).trimEnd().length;
  const from = Math.max(0, end - LONGEST_TAIL);
  const tail = text.slice(from, end);
  const at = Math.max(tail.lastIndexOf("<"), tail.lastIndexOf("]<]"), tail.lastIndexOf("[TOOL_CALLS"));
  return at !== -1 && isHalfMarker(tail.slice(at)) ? from + at : -1;
}

function isHalfMarker(tail: string): boolean {
  if (/^<\/?\s?[|｜]{1,2}\s?DSML\s?[|｜]?[^<>\n]{0,40}$/.test(tail)) return true;
  if (tail === "]<]minimax[>[" || tail === "<]minimax[>[") return true;
  return (
    tail.length >= SHORTEST_TAIL &&
    OPENER_TEXTS.some((opener) => opener.length > tail.length && opener.startsWith(tail))
  );
}
