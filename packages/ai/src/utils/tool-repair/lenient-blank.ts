// What may stand between two JSON tokens: white space, invisible characters, comments, and `\n` written as two
// characters. Runs before every token of the lenient reader. Never looks inside a string.

import { type Cursor, refuse } from "./forgiven.ts";

/** What `skipBlank` passed over, as bits; 0 is nothing. */
export const BLANK = { SPACE: 1, NEWLINE: 2, COMMENT: 4, ESCAPED: 8 } as const;

/**
 * Moves the cursor to the next token and returns the `BLANK` bits of what lay between. A comment that is not closed is
 * `truncated`. A lone `/` or an unknown backslash stays where it is for the caller to refuse.
 */
export function skipBlank(cursor: Cursor): number {
  const { text } = cursor;
  let passed = 0;
  for (;;) {
    const code = text.charCodeAt(cursor.pos);
    if (code === 32 || code === 9) {
      passed |= BLANK.SPACE;
    } else if (code === 10 || code === 13) {
      passed |= BLANK.NEWLINE;
    } else if (code === 47) {
      if (!skipComment(cursor)) return passed;
      passed |= BLANK.COMMENT;
      continue;
    } else if (code === 92) {
      const escaped = text.charCodeAt(cursor.pos + 1);
      if (escaped !== 110 && escaped !== 114 && escaped !== 116) return passed;
      cursor.forgiven.add("escapedWhitespace");
      cursor.pos += 1;
      passed |= BLANK.ESCAPED;
    } else if (code >= 0xa0 && isInvisible(code)) {
      cursor.forgiven.add("invisibleCharacter");
      passed |= BLANK.SPACE;
    } else {
      return passed;
    }
    cursor.pos += 1;
  }
}

function skipComment(cursor: Cursor): boolean {
  const { text, pos } = cursor;
  const kind = text.charCodeAt(pos + 1);
  if (kind === 47) {
    const lineEnd = text.indexOf("\n", pos + 2);
    cursor.pos = lineEnd < 0 ? text.length : lineEnd;
  } else if (kind === 42) {
    const close = text.indexOf("*/", pos + 2);
    if (close < 0) {
      refuse(cursor, "truncated", text.length);
      cursor.pos = text.length;
      return false;
    }
    cursor.pos = close + 2;
  } else {
    return false;
  }
  cursor.forgiven.add("comment");
  return true;
}

/** Whether the character draws nothing, or is a space that JSON does not know. */
export function isInvisible(code: number): boolean {
  return (
    code === 0xfeff ||
    code === 0xa0 ||
    (code >= 0x200b && code <= 0x200d) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x2060 ||
    code === 0x3000
  );
}
