// Decides whether a comma between two values was left out, or the quote before the gap belongs to the string. Runs in
// the lenient parser where a comma or closer was due. Says no whenever both readings are plausible.

import type { Cursor } from "./forgiven.ts";
import { BLANK } from "./lenient-blank.ts";
import { opensString } from "./lenient-string.ts";
import { isWordStart } from "./lenient-word.ts";

/** The value that ended last, as far as the gap behind it needs to know. */
export interface LastToken {
  kind: "string" | "container" | "other";
  /** The string's last character is one that opening quotes stand behind. */
  opensInside: boolean;
  /** The string is one short word without blanks or brackets. */
  simple: boolean;
  endsBlank: boolean;
  empty: boolean;
  /** The string stood in single quotes. */
  single: boolean;
}

const SIMPLE_STRING = /"[\w./@:-]{1,64}"|'[\w./@:-]{1,64}'/y;
const SIMPLE_KEY = /["'\u2018-\u201f][\w.$-]{1,64}["'\u2018-\u201f]\s{0,8}:/y;
/** Space and the characters `( [ { = , : < + | & $`. */
const BEFORE_OPENING_QUOTE = new Set([9, 10, 13, 32, 40, 91, 123, 61, 44, 58, 60, 43, 124, 38, 36]);

/**
 * Whether a quote behind this character more likely opens something than closes it: `say "`, `get("`, `x="`. Then the
 * string may go on, and only strict punctuation is believed.
 */
export function opensInside(code: number): boolean {
  return BEFORE_OPENING_QUOTE.has(code);
}

/** Whether the value at the cursor is the next one of its container although no comma came. `gap` holds `BLANK` bits. */
export function mayLackComma(cursor: Cursor, inList: boolean, last: LastToken, gap: number): boolean {
  const next = cursor.text.charCodeAt(cursor.pos);
  const quoted = opensString(next);
  if (!quoted && !(inList ? startsPlainValue(next) : isWordStart(next))) return false;
  const container = next === 123 || next === 91;
  if (last.kind === "container") return gap !== 0 || quoted || container;
  if (gap === 0) return false;
  if (last.kind === "other") return true;
  const newLine = (gap & BLANK.NEWLINE) !== 0;
  if (!inList) return (newLine || !(last.opensInside || last.empty)) && matchesAt(SIMPLE_KEY, cursor);
  if (!quoted) return newLine || !last.opensInside;
  // Python joins neighbouring literals: 'a' 'b' is one string there.
  if (last.single || next === 39) return false;
  // two strings: a model's `["a" "b"]`, or one string with `" "` inside
  if (newLine) return !last.endsBlank && !/\s/.test(cursor.text.charAt(cursor.pos + 1));
  return last.simple && !last.empty && matchesAt(SIMPLE_STRING, cursor);
}

function matchesAt(pattern: RegExp, cursor: Cursor): boolean {
  pattern.lastIndex = cursor.pos;
  return pattern.test(cursor.text);
}

function startsPlainValue(code: number): boolean {
  return code === 123 || code === 91 || code === 45 || (code >= 48 && code <= 57) || isWordStart(code);
}
