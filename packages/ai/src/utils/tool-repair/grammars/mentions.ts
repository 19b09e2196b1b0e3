// Which calls of a text are spoken of rather than made, by where they stand: a call that leaked ends the message, or stands
// between sentences. One that a sentence goes on behind is part of that sentence. Asked by doors, where text follows a call.

import type { Range } from "./grammar.ts";
import type { Item } from "./scanner.ts";
import type { Source } from "./source.ts";

/** A sentence, a quotation or a bracket has ended, or a tag. */
const SENTENCE_END = /[.!?…。！？>\]]["'”’)*_]{0,3}$/u;
/** Begins no word that goes on with a sentence: a capital, or a letter of a script that has none. */
const SENTENCE_START = /^[\p{Lu}\p{Lt}\p{Lo}]/u;
const GOES_ON_AFTER = /[\p{L}\p{N},;(–—]$/u;
const GOES_ON_WITH = /^\p{Ll}/u;
const REST_OF_SENTENCE = /^[ \t]*([\p{Ll},;–—.!?…])/u;
const SENTENCE_STOP = /[.!?…]/;
const LONGEST_LOOK = 200;

/** What the places of the calls say. */
export interface Mentions {
  /** The call items that a sentence of the text holds. */
  readonly items: ReadonlySet<Item>;
  /** Text stands around a call that leaves it open whether it was made. */
  readonly areDoubtful: boolean;
}

/**
 * Which call items among `items` (all markup, in order) are only spoken of.
 *
 * @param unread openers at which nothing could be read: a cut call behind a call goes on with no sentence
 */
export function mentionedItems(source: Source, items: readonly Item[], unread: readonly Range[]): Mentions {
  const mentioned = new Set<Item>();
  let areDoubtful = false;
  const endsWithCall = isLastACall(source, items);
  for (let first = 0; first < items.length; ) {
    let last = first;
    while (last + 1 < items.length && source.isBlank(endOf(items, last), (items[last + 1] as Item).start)) last += 1;
    const run = items.slice(first, last + 1);
    const end = endOf(run, run.length - 1);
    const isBeforeCut = unread.some(({ start }) => start >= end && source.isBlank(end, start));
    if (!isBeforeCut && isInSentence(source, (run[0] as Item).start, end)) {
      areDoubtful = true;
      // Announced and followed by another call, it was made; it does not run, since a quotation stands like that, too.
      const isMade = endsWithCall && isAnnounced(source, run[0] as Item, end);
      for (const found of run) if (found.kind === "calls" && !isMade) mentioned.add(found);
    } else if (run.some(({ kind }) => kind === "calls")) {
      areDoubtful ||= GOES_ON_AFTER.test(lineHead(source.text, (run[0] as Item).start));
    }
    first = last + 1;
  }
  return { items: mentioned, areDoubtful };
}

function endOf(items: readonly Item[], index: number): number {
  return (items[index] as Item).end;
}

/** Whether a colon leads to the call on its line, and what follows stands on another one. */
function isAnnounced(source: Source, { start }: Item, end: number): boolean {
  return lineHead(source.text, start).endsWith(":") && !goesOn("", source.text.slice(end, source.skipBlank(end) + 2));
}

/** Whether the message ends with a call. */
function isLastACall(source: Source, items: readonly Item[]): boolean {
  const last = items.findLast(({ kind }) => kind !== "marker");
  return last?.kind === "calls" && source.skipBlank(endOf(items, items.length - 1)) >= source.text.length;
}

/** Whether the text around `start` to `end` is one sentence. False at the end of the text, whatever stands before. */
function isInSentence(source: Source, start: number, end: number): boolean {
  const next = source.skipBlank(end);
  if (next >= source.text.length) return false;
  const head = lineHead(source.text, start);
  const behind = source.text.slice(end, next + 2);
  if (goesOn(head, behind)) return true;
  return head === "" && GOES_ON_WITH.test(behind.trimStart()) && GOES_ON_AFTER.test(wordBefore(source.text, start));
}

/**
 * Whether the sentence that a call stands in goes on on its line.
 *
 * @param head the line before the call, without blanks at its end
 * @param behind the blanks behind the call and the first character of what follows them
 */
export function goesOn(head: string, behind: string): boolean {
  if (head.trim() !== "" && !SENTENCE_END.test(head)) return true;
  const next = behind.trimStart();
  const isOwnLine = behind.slice(0, behind.length - next.length).includes("\n");
  return !isOwnLine && !SENTENCE_START.test(next);
}

/** Whether a sentence has begun on the line of `start` and leads on to what stands there. */
export function isLedTo(text: string, start: number): boolean {
  const head = lineHead(text, start);
  return head !== "" && !head.endsWith(":") && !SENTENCE_END.test(head);
}

/**
 * Whether the sentence that the call at `start` to `end` stands in goes on behind it, on its line. A full stop goes on only
 * with a sentence that leads to the call.
 */
export function isInTheMiddle(text: string, start: number, end: number): boolean {
  const next = REST_OF_SENTENCE.exec(text.slice(end, end + LONGEST_LOOK))?.[1];
  return next !== undefined && (!SENTENCE_STOP.test(next) || isLedTo(text, start));
}

/** The text before `start` on its line, "" where it is blank. */
function lineHead(text: string, start: number): string {
  const from = Math.max(0, start - LONGEST_LOOK);
  const head = text.slice(from, start);
  return head.slice(head.lastIndexOf("\n") + 1).trimEnd();
}

/** The end of the last line before `start` that is not blank. */
function wordBefore(text: string, start: number): string {
  return text.slice(Math.max(0, start - LONGEST_LOOK), start).trimEnd();
}
