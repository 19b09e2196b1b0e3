// Reads the tokens that are neither string nor container: numbers, literals, and bare words used as keys. Runs in the
// lenient parser. Never reads a number that JSON lacks or a double does not hold, nor a bare word as a value.

import { exactNumber } from "./exact-number.ts";
import { type Cursor, refuse } from "./forgiven.ts";

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
/** A number whose next digits have not arrived. */
const CUT_NUMBER = /^(?:-|\.|[eE][+-]?)$/;

/** Whether the character begins a bare key. */
export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
}

/** Reads the bare word at the cursor, which stands at a word's start. */
export function readWord(cursor: Cursor): string {
  WORD.lastIndex = cursor.pos;
  const word = WORD.exec(cursor.text)?.[0] ?? "";
  cursor.pos += word.length;
  return word;
}

/**
 * Reads the number or literal at the cursor. Refuses anything else: `truncated` when the text ends inside it,
 * `malformed` otherwise.
 */
export function readLiteral(cursor: Cursor): unknown {
  const { text, pos } = cursor;
  if (pos >= text.length) return refuse(cursor, "truncated", pos);
  if (isWordStart(text.charCodeAt(pos))) {
    const word = readWord(cursor);
    const value = LITERALS.get(word);
    if (value !== undefined) {
      if (word.charCodeAt(0) < 97) cursor.forgiven.add("pythonLiteral");
      return endsToken(cursor) ? value : undefined;
    }
    const cut = cursor.pos === text.length && beginsLiteral(word);
    return cut ? refuse(cursor, "truncated", text.length) : refuse(cursor, "malformed", pos);
  }
  NUMBER.lastIndex = pos;
  const number = NUMBER.exec(text)?.[0];
  cursor.pos += number?.length ?? 0;
  if (CUT_NUMBER.test(text.slice(cursor.pos, cursor.pos + 4))) return refuse(cursor, "truncated", text.length);
  if (number === undefined) return refuse(cursor, "malformed", pos);
  if (!endsToken(cursor)) return undefined;
  const value = Number(number);
  // another id, or no end, or nothing at all in place of what was written
  if (exactNumber(number) === undefined && String(value) !== number) {
    return cursor.pos < text.length ? refuse(cursor, "malformed", pos) : refuse(cursor, "truncated", text.length);
  }
  return value;
}

/** Whether the token may end here: `1_000`, `nullx` and `5"` are no tokens. */
function endsToken(cursor: Cursor): boolean {
  const next = cursor.text.charAt(cursor.pos);
  if (next === "" || !/[\w.+$"'\u2018-\u201f-]/.test(next)) return true;
  refuse(cursor, "malformed", cursor.pos);
  return false;
}

function beginsLiteral(word: string): boolean {
  for (const literal of LITERALS.keys()) if (literal.startsWith(word)) return true;
  return false;
}
