// Checks what stands behind the value of a text: closing tags, template tokens, the fence's end, one surplus closer, the
// same value again, sentences. Runs after the lenient parser. Never drops anything that could belong to the value.

import type { Opening } from "./envelope-open.ts";
import { equalJson } from "./equal-json.ts";
import { type Cursor, refuse, refuseHere } from "./forgiven.ts";
import { BLANK, skipBlank } from "./lenient-blank.ts";
import { REFUSED, readValue } from "./lenient-json.ts";

// the last alternative of each is a marker that the text's end cuts off
const CLOSE_TAG = /<\/[A-Za-z_|\uff5c][\w:.|\uff5c-]{0,63}\s{0,8}(?:>|$)|<\/$/y;
const TOKEN =
  /<(?:end_[a-z_]{1,32}|eos)>|<(?:\||\uff5c)[^<>"'{}[\]\n]{1,64}(?:\||\uff5c)>|<(?:\||\uff5c)[^<>"'{}[\]\n]{0,64}$/y;
const FENCE_END = /`{3,16}|~{3,16}/y;
/** A value whose last string ends where an opening quote would stand: the quote and the closers may be content. */
const DOUBTFUL_END = /[\s([{=,:<+|&$]["'\u2018-\u201f][\s}\]]{1,24}$/;
const MAX_STRAY = 3;
const STRUCTURAL = /[{}[\]:,"'\\]/;
/** What a comment behind the value may not hold: it could be the rest of a string that an inner quote cut. */
const COMMENT_BREAKER = /["'{}[\]]/;
const PROSE_BREAKER = /[{}[\]]|```|~~~/g;

/**
 * Reads to the end of the text behind `value` and returns the one value the text holds: `value` itself, or the real
 * object behind an empty placeholder. Returns `REFUSED` with the cursor's fault set when anything else follows:
 * `ambiguous` for a different second value, `malformed` for text that may have been part of the value.
 */
export function closeEnvelope(cursor: Cursor, value: unknown, opening: Opening): unknown {
  const container = typeof value === "object" && value !== null;
  let result = value;
  let { fenced, inlineCode } = opening;
  const trusted = container && !DOUBTFUL_END.test(cursor.text.slice(Math.max(0, cursor.pos - 32), cursor.pos));
  let mayHoldSurplus = trusted && !opening.prose;
  let mayBePlaceholder = container && isEmptyObject(value);
  for (;;) {
    const blankFrom = cursor.pos;
    const gap = skipBlank(cursor);
    const { text, pos } = cursor;
    if (gap & BLANK.COMMENT && COMMENT_BREAKER.test(text.slice(blankFrom, pos))) refuse(cursor, "malformed", blankFrom);
    if (cursor.fault !== undefined) return REFUSED;
    if (pos >= text.length) return result;
    const code = text.charCodeAt(pos);
    if (mayHoldSurplus && (code === 125 || code === 93)) {
      mayHoldSurplus = false;
      cursor.pos += 1;
      cursor.forgiven.add("surplusCloser");
    } else if (container && startsSibling(text, pos)) {
      if (code === 44) cursor.pos += 1;
      const sibling = readValue(cursor);
      if (sibling === REFUSED) return REFUSED;
      mayHoldSurplus = false;
      if (equalJson(result, sibling)) {
        cursor.forgiven.add("repeatedObject");
      } else if (mayBePlaceholder && code === 123 && isEmptyObject(result)) {
        cursor.forgiven.add("emptyPrefix");
        result = sibling;
      } else {
        return refused(cursor, "ambiguous", pos);
      }
      mayBePlaceholder = false;
    } else if (step(cursor, CLOSE_TAG)) {
      cursor.forgiven.add("closeTag");
      mayHoldSurplus = false;
      mayBePlaceholder = false;
    } else if (step(cursor, TOKEN)) {
      cursor.forgiven.add("templateToken");
      mayHoldSurplus = false;
      mayBePlaceholder = false;
    } else if (inlineCode && code === 96) {
      inlineCode = false;
      cursor.pos += 1;
    } else if (step(cursor, FENCE_END)) {
      if (!fenced) cursor.forgiven.add("codeFence");
      fenced = false;
      mayHoldSurplus = false;
      mayBePlaceholder = false;
      // a second fence opens another block
      if (step(cursor, FENCE_END)) return refused(cursor, "malformed", pos);
    } else {
      return trusted && readTail(cursor, gap, opening) ? result : refusedHere(cursor);
    }
  }
}

/** Whether the rest of the text, behind blanks of the kinds `gap`, is a few stray characters or sentences. */
function readTail(cursor: Cursor, gap: number, opening: Opening): boolean {
  const { text, pos } = cursor;
  const near = text.slice(pos, pos + MAX_STRAY + 1).trimEnd();
  if (near.length <= MAX_STRAY && text.length - pos <= 64 && text.slice(pos).trimEnd() === near) {
    if (STRUCTURAL.test(near)) return false;
    cursor.forgiven.add("strayTail");
    return true;
  }
  if (!opening.allowProse) return false;
  const previous = text.charAt(pos - 1);
  if ((gap & (BLANK.SPACE | BLANK.NEWLINE)) === 0 && previous !== ">" && previous !== "`" && previous !== "~")
    return false;
  PROSE_BREAKER.lastIndex = pos;
  const breaker = PROSE_BREAKER.exec(text);
  if (breaker !== null) {
    refuse(cursor, breaker[0] === "{" ? "ambiguous" : "malformed", breaker.index);
    return false;
  }
  // a quote on the same line may be the end of a string that held an unescaped quote and a brace
  const newLine = opening.fenced || (gap & BLANK.NEWLINE) !== 0;
  if (!newLine && text.includes('"', pos)) return false;
  if (/^[,:;\\]/.test(text.charAt(pos))) return false;
  cursor.forgiven.add("surroundingProse");
  return true;
}

/** `{` or `[`, also behind one comma. */
function startsSibling(text: string, pos: number): boolean {
  let at = pos;
  if (text.charCodeAt(at) === 44) {
    at += 1;
    while (at < pos + 8 && /\s/.test(text.charAt(at))) at += 1;
  }
  const code = text.charCodeAt(at);
  return code === 123 || code === 91;
}

function step(cursor: Cursor, marker: RegExp): boolean {
  marker.lastIndex = cursor.pos;
  const match = marker.exec(cursor.text);
  if (match === null) return false;
  cursor.pos += match[0].length;
  return true;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function refused(cursor: Cursor, reason: "ambiguous" | "malformed", at: number): typeof REFUSED {
  refuse(cursor, reason, at);
  return REFUSED;
}

function refusedHere(cursor: Cursor): typeof REFUSED {
  refuseHere(cursor);
  return REFUSED;
}
