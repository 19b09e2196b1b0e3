// One pass over a text: what its markup is. Finds openers from left to right outside of code, lets the grammar read, and
// goes on behind what was read, so that no character belongs to two calls. It decides nothing about running a call.

import { CodeMask } from "../code-mask.ts";
import { CutCall } from "./cut-call.ts";
import { Enclosures } from "./enclosures.ts";
import { readBareCalls } from "./families/bare-call.ts";
import type { Block, Range, RawCall } from "./grammar.ts";
import { isLedTo } from "./mentions.ts";
import { type Candidate, DEBRIS_OPENERS, OpenerSearch } from "./openers.ts";
import { isQuotedInline } from "./quoted-inline.ts";
import type { Source } from "./source.ts";

/** A call that was read, with its family. */
export interface FoundCall extends RawCall {
  readonly family: string;
}

/** Something that is not ordinary text. */
export interface Item {
  readonly kind: "calls" | "layout" | "marker" | "reasoningEnd";
  readonly start: number;
  readonly end: number;
  readonly calls: readonly FoundCall[];
  readonly prose: readonly Range[];
  readonly reasoning: readonly Range[];
  readonly endsMessage: boolean;
}

/** What one pass found. */
export interface Scan {
  readonly items: readonly Item[];
  /** Calls that are only mentioned: they stay in the text. */
  readonly quoted: readonly FoundCall[];
  /** Calls that another markup than Markdown shows, or that stand in a call that is cut: they stay in the text. */
  readonly enclosed: readonly FoundCall[];
  /** Openers without a call that are only mentioned. */
  readonly quotedMarkers: readonly Range[];
  /** Openers behind the last call at which nothing could be read. */
  readonly unread: readonly Range[];
  /** Where the text ends without the lone markers that end it. */
  readonly end: number;
}

const NONE: readonly never[] = [];
/** A text with more markup than this, or with more openers at which nothing can be read, is no message of a model; what
 * follows is text. */
const MAX_FOUND = 4096;

/** All markup of `source`, in order. */
export function scanMarkup(source: Source): Scan {
  const search = new OpenerSearch(source.text);
  const first = search.next(0);
  if (first === undefined) {
    const end = source.text.length;
    return withBareCalls(source, { items: NONE, quoted: NONE, enclosed: NONE, quotedMarkers: NONE, unread: NONE, end });
  }
  const items: Item[] = [];
  const quoted: FoundCall[] = [];
  const enclosed: FoundCall[] = [];
  const quotedMarkers: Range[] = [];
  let unread: Range[] = [];
  const mask = new CodeMask(source.text);
  const signs = new Enclosures(source.text);
  const cut = new CutCall(source);
  let position = 0;
  let failures = 0;
  /** Up to here, markers belong to one that is shown. */
  let shownTo = 0;
  /** Up to here, calls do: to the end of its line. */
  let shownLine = 0;
  for (let found: Candidate | undefined = first; found !== undefined; found = search.next(position)) {
    if (failures + items.length + quoted.length + enclosed.length > MAX_FOUND) break;
    const { at, opener } = found;
    const code = mask.codeEnd(at);
    if (code > at) {
      position = code;
      continue;
    }
    position = at + opener.length;
    if (found.kind !== "call") {
      const isShown =
        found.kind === "marker" && (isQuotedInline(source.text, at, position) || isStruckOut(source, opener));
      if (!isShown) items.push(item(found.kind, at, position));
      continue;
    }
    const read = source.exhausted ? undefined : readCandidate(source, found);
    if (read === undefined) {
      // A marker that is shown is part of what it is shown in.
      const isShown = at < shownTo || isQuotedInline(source.text, at, position) || signs.surround(at, position);
      const isMarked = found.grammars.some((grammar) => grammar.marked);
      const endsText = source.isBlank(position, source.text.length);
      if (isShown || (isMarked && !endsText && isLedTo(source.text, at))) {
        quotedMarkers.push({ start: at, end: position });
        shownTo = source.findFirst(["\n\n"], position);
        if (isShown) shownLine = source.findFirst(["\n"], position);
      } else if (DEBRIS_OPENERS.has(opener) || endsText) items.push(item("marker", at, position));
      else if (isMarked) unread.push({ start: at, end: position });
      if (!isShown) cut.open({ start: at, end: position });
      failures += 1;
      continue;
    }
    const start = read.start;
    position = read.end;
    mask.skip(read.end);
    if (read.calls.length > 0) {
      const isEnclosed = signs.surround(start, read.end) || cut.holds(start);
      const isQuoted = start < shownLine || isQuotedInline(source.text, start, read.end);
      if (isQuoted || isEnclosed) {
        (isQuoted ? quoted : enclosed).push(...read.calls);
        continue;
      }
    } else if (signs.surround(start, read.end) || start < shownLine || isQuotedInline(source.text, start, read.end)) {
      quotedMarkers.push({ start, end: read.end });
      continue;
    }
    items.push(read);
    for (const call of read.calls) if (call.arguments === undefined) cut.broken(call);
    if (read.calls.length > 0) unread = [];
  }
  const scan = { items, quoted, enclosed, quotedMarkers, unread, end: endOf(source, items) };
  const isRead = items.some((found) => found.calls.length > 0) || cut.holds(scan.end);
  return isRead ? scan : withBareCalls(source, scan);
}

/** `</s>` ends a turn, but for a text that strikes something out in HTML. */
function isStruckOut(source: Source, marker: string): boolean {
  return marker === "</s>" && source.find("<s>", 0) !== -1;
}

function endOf(source: Source, items: readonly Item[]): number {
  let end = source.text.length;
  for (let index = items.length - 1; index >= 0; index--) {
    const found = items[index] as Item;
    if (found.kind !== "marker" || !source.isBlank(found.end, end)) break;
    end = found.start;
  }
  return end;
}

function item(kind: Item["kind"], start: number, end: number): Item {
  return { kind, start, end, calls: NONE, prose: NONE, reasoning: NONE, endsMessage: false };
}

function readCandidate(source: Source, candidate: Candidate): Item | undefined {
  for (const grammar of candidate.grammars) {
    const block = grammar.read(source, candidate.at, candidate.opener);
    if (block !== undefined && block.end > candidate.at) return itemOf(block, candidate.at, grammar.family);
  }
  return undefined;
}

function itemOf(block: Block, at: number, family: string): Item {
  return {
    kind: block.calls.length > 0 ? "calls" : "layout",
    start: block.start ?? at,
    end: block.end,
    calls: block.calls.map((call) => ({ ...call, family: call.family ?? family })),
    prose: block.prose ?? NONE,
    reasoning: block.reasoning ?? NONE,
    endsMessage: block.endsMessage === true,
  };
}

/** Calls without markers, where no marked call was found: they must end the message. */
function withBareCalls(source: Source, scan: Scan): Scan {
  let from = 0;
  for (const found of scan.items) if (found.kind !== "marker") from = found.end;
  // What stands in a call that is shown is shown.
  for (const found of [...scan.quoted, ...scan.enclosed]) from = Math.max(from, found.end);
  const block = readBareCalls(source, from, scan.end);
  if (block === undefined) return scan;
  const code = new CodeMask(source.text).codeEnd(block.start);
  if (code > block.start) return scan;
  const bare = itemOf(block, block.start, "bare");
  const items = [...scan.items.filter((found) => found.end <= bare.start || found.start >= bare.end), bare];
  return {
    items: items.sort((a, b) => a.start - b.start),
    quoted: scan.quoted,
    enclosed: scan.enclosed,
    quotedMarkers: scan.quotedMarkers,
    unread: NONE,
    end: scan.end,
  };
}
