// What the lenient reader may overlook, by name, and the cursor that carries text, position and verdict through it.
// Used by the reader's own files; the names are public and appear in repairs and telemetry. Nothing here reads text.

/**
 * Everything the lenient reader forgives. A name stands in a result once, however often it occurred. The names are
 * public ids: never renamed, only added to.
 */
export const FORGIVEN = [
  // the whole text
  "emptyText", // nothing at all: no arguments
  "nullText", // `null` or `None` for no arguments
  "doubleEncoding", // the text is a JSON string that holds the JSON
  "invisibleCharacter", // byte order mark, zero-width or no-break space outside strings
  "codeFence", // ``` or ~~~ around the value, or inline-code backticks
  "surroundingProse", // sentences before or after the value
  "callIdPrefix", // `functions.name:0` before the object
  "openTag", // `<tool_call>` before the value
  "closeTag", // `</tool_call>` after the value
  "templateToken", // `<|im_end|>` before or after the value
  "surplusCloser", // one `}` or `]` too many
  "strayTail", // up to three other characters after the value
  "repeatedObject", // the same value several times in a row
  "emptyPrefix", // a placeholder `{}` before the real object
  // between tokens
  "escapedWhitespace", // `\n` as two characters
  "comment", // `//` or `/* */`
  "trailingComma",
  "missingComma",
  "bareKey",
  "repeatedKey", // the same key with an equal value
  "pythonLiteral", // True, False, None
  // inside strings
  "singleQuote",
  "typographicQuote",
  "controlCharacter", // a raw line break, tab or other control character
  "invalidEscape", // `\d`, `\'`, `\u` without four hex digits
  "backslashNewline", // a backslash before a real line break
] as const;

/** One thing the lenient reader overlooked. */
export type ForgivenName = (typeof FORGIVEN)[number];

/**
 * Why no value came back: the text ends inside the value, is not JSON even leniently, is JSON but no object, holds
 * several different values, or exceeds a limit.
 */
export type UnreadableReason = "truncated" | "malformed" | "not-an-object" | "ambiguous" | "too-large";

/** A refusal: why, and the index in the text (UTF-16 units) where reading stopped. */
export interface Unreadable {
  readonly ok: false;
  readonly reason: UnreadableReason;
  readonly at: number;
}

/** One pass over one text. `fault` is set once, by the first refusal; readers return at once when it is set. */
export interface Cursor {
  readonly text: string;
  readonly maxDepth: number;
  readonly forgiven: Set<ForgivenName>;
  pos: number;
  /** Index of the first backslash at or after the last place asked (Infinity: none): keeps string scans linear. */
  nextBackslash: number;
  /** Where an escape or a key stands that is not meant as one unless the value is clean JSON (-1: none). */
  doubtfulAt: number;
  fault: Unreadable | undefined;
}

/** A fresh cursor at the start of `text`. */
export function startCursor(text: string, maxDepth: number): Cursor {
  return { text, maxDepth, forgiven: new Set(), pos: 0, nextBackslash: -1, doubtfulAt: -1, fault: undefined };
}

/** Records the refusal unless one stands already. Returns undefined, so that a reader can `return refuse(…)`. */
export function refuse(cursor: Cursor, reason: UnreadableReason, at: number): undefined {
  cursor.fault ??= { ok: false, reason, at };
  return undefined;
}

/** Refuses an unexpected character: `truncated` when it is the end of the text, `malformed` otherwise. */
export function refuseHere(cursor: Cursor): undefined {
  return refuse(cursor, cursor.pos >= cursor.text.length ? "truncated" : "malformed", cursor.pos);
}
