// Reads one string literal with straight, single or typographic delimiters. Runs on text that strict JSON refused.
// Never closes a string that the text leaves open, and refuses a string whose backslashes have two readings.

import { type Cursor, refuse } from "./forgiven.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters are what is looked for
const CONTROL_CHARACTER = /[\u0000-\u001f]/;
/** A drive's path that was not escaped: `C:\new`, as far as there are escapes in it. */
const DRIVE_PATH = /^[A-Za-z]:\\[^\\\s]\S*$/;
const QUOTE = /["'`]/;
const HEX_4 = /^[0-9a-fA-F]{4}$/;
const CONTROL_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const DOUBLE = { closers: '"', typographic: false } as const;
const SINGLE = { closers: "'", typographic: false } as const;
const CURLY_DOUBLE = { closers: "\u201c\u201d\u201e\u201f", typographic: true } as const;
const CURLY_SINGLE = { closers: "\u2018\u2019\u201a\u201b", typographic: true } as const;

interface Delimiter {
  readonly closers: string;
  readonly typographic: boolean;
}

/** What the backslashes of one string stand before, and where the first one that JSON lacks is. */
interface Escapes {
  any: boolean;
  /** `\n`, `\b`, `\uXXXX` and the like: the model escaped. */
  control: boolean;
  /** `\b` or `\f`: hardly ever a backspace or a form feed, but a word's edge, a folder, a macro. */
  rare: boolean;
  /** `\d`, `\u` without digits, a backslash before a line break: the model did not escape. */
  literal: boolean;
  lineBreak: boolean;
  apostrophe: boolean;
  /** `\/`, or two backslashes that begin the string: both also stand in unescaped patterns and network paths. */
  eitherWay: boolean;
  /** Two readings of one escape alone. */
  unclear: boolean;
  firstOdd: number;
}

function delimiterOf(code: number): Delimiter | undefined {
  if (code === 34) return DOUBLE;
  if (code === 39) return SINGLE;
  if (code >= 0x201c && code <= 0x201f) return CURLY_DOUBLE;
  if (code >= 0x2018 && code <= 0x201b) return CURLY_SINGLE;
  return undefined;
}

/** Whether the character opens a string. */
export function opensString(code: number): boolean {
  return delimiterOf(code) !== undefined;
}

/**
 * Reads the string that opens at the cursor and leaves the cursor behind its closing quote. Undefined means refused:
 * `truncated` when no closing quote comes, `malformed` when escapes that JSON lacks stand beside `\n`, `\b`, `\uXXXX`
 * and the like, because then the model either escaped or did not, and both readings are plausible data.
 */
export function readString(cursor: Cursor): string | undefined {
  const { text, pos: open, forgiven } = cursor;
  const delimiter = delimiterOf(text.charCodeAt(open));
  if (delimiter === undefined) return refuse(cursor, "malformed", open);
  const escapes: Escapes = {
    any: false,
    control: false,
    rare: false,
    literal: false,
    lineBreak: false,
    apostrophe: false,
    eitherWay: false,
    unclear: false,
    firstOdd: -1,
  };
  const close = findClose(cursor, delimiter, escapes);
  if (close < 0) return refuse(cursor, "truncated", text.length);
  const mixed = escapes.literal && (escapes.control || escapes.apostrophe || escapes.eitherWay);
  if (mixed || escapes.unclear) return refuse(cursor, "malformed", escapes.firstOdd);
  cursor.pos = close + 1;
  if (delimiter === SINGLE) forgiven.add("singleQuote");
  else if (delimiter.typographic) forgiven.add("typographicQuote");
  if (escapes.lineBreak) forgiven.add("backslashNewline");
  const raw = text.slice(open + 1, close);
  const hasControl = CONTROL_CHARACTER.test(raw);
  if (hasControl) forgiven.add("controlCharacter");
  if (!escapes.any) return raw;
  if (escapes.control) {
    if (hasControl && escapesInnerQuotation(raw)) return refuse(cursor, "malformed", open);
    if (cursor.doubtfulAt < 0 && (escapes.rare || DRIVE_PATH.test(raw))) cursor.doubtfulAt = open;
  }
  if (escapes.firstOdd < 0 && !hasControl && delimiter === DOUBLE) return JSON.parse(text.slice(open, close + 1));
  return decodeEscapes(cursor, raw, delimiter);
}

/** Index of the closing quote, or -1 when the text ends first. Visits quotes and backslashes only. */
function findClose(cursor: Cursor, delimiter: Delimiter, escapes: Escapes): number {
  const { text } = cursor;
  let pos = cursor.pos + 1;
  let close = nextCloser(text, pos, delimiter);
  for (;;) {
    if (close < 0) return -1;
    if (cursor.nextBackslash < pos) {
      const found = text.indexOf("\\", pos);
      cursor.nextBackslash = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    const backslash = cursor.nextBackslash;
    if (close < backslash) return close;
    escapes.any = true;
    noteEscape(text, cursor.pos, backslash, delimiter, escapes);
    pos = backslash + 2;
    if (close < pos) close = nextCloser(text, pos, delimiter);
  }
}

function nextCloser(text: string, from: number, delimiter: Delimiter): number {
  if (!delimiter.typographic) return text.indexOf(delimiter.closers, from);
  for (let i = from; i < text.length; i++) if (delimiter.closers.includes(text.charAt(i))) return i;
  return -1;
}

function noteEscape(text: string, open: number, backslash: number, delimiter: Delimiter, escapes: Escapes): void {
  const escaped = text.charAt(backslash + 1);
  if (escaped === "/" || (escaped === "\\" && backslash === open + 1)) escapes.eitherWay = true;
  if (escaped === '"' || escaped === "\\" || escaped === "/") return;
  if (delimiter !== DOUBLE && delimiter.closers.includes(escaped)) return;
  if (
    Object.hasOwn(CONTROL_ESCAPES, escaped) ||
    (escaped === "u" && HEX_4.test(text.slice(backslash + 2, backslash + 6)))
  ) {
    escapes.control = true;
    if (escaped === "b" || escaped === "f") escapes.rare = true;
    return;
  }
  if (escapes.firstOdd < 0) escapes.firstOdd = backslash;
  if (escaped === "'") {
    escapes.apostrophe = true;
    // a shell's way to put a quote into a quoted word: without the backslash the command is another one
    if (text.charAt(backslash - 1) === "'" && text.charAt(backslash + 2) === "'") escapes.unclear = true;
    return;
  }
  escapes.literal = true;
  if (escaped === "\n" || escaped === "\r") escapes.lineBreak = true;
  // a Python literal means one character here, a path or a pattern means the text
  if (delimiter === SINGLE && (escaped === "x" || escaped === "U")) escapes.unclear = true;
}

/**
 * Whether an escape stands between two quotes of one line, in a string whose line breaks are as they are: the model wrote
 * source code down, where `'a\nb'` is a literal of two lines, or it escaped that one and not the others.
 */
function escapesInnerQuotation(raw: string): boolean {
  if (!/[\n\r]/.test(raw)) return false;
  let quoted = false;
  let escaped = false;
  for (let at = 0; at < raw.length; at++) {
    let char = raw.charAt(at);
    if (char === "\n" || char === "\r") {
      quoted = false;
      escaped = false;
    } else if (char === "\\") {
      at += 1;
      char = raw.charAt(at);
      if (quoted && Object.hasOwn(CONTROL_ESCAPES, char)) escaped = true;
    }
    if (!QUOTE.test(char)) continue;
    if (escaped) return true;
    quoted = true;
  }
  return false;
}

/** Decodes JSON's escapes and keeps the backslash of every other one, except before a quote. */
function decodeEscapes(cursor: Cursor, raw: string, delimiter: Delimiter): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = raw.indexOf("\\"); at >= 0; at = raw.indexOf("\\", from)) {
    parts.push(raw.slice(from, at));
    const escaped = raw.charAt(at + 1);
    from = at + 2;
    const control = Object.hasOwn(CONTROL_ESCAPES, escaped) ? CONTROL_ESCAPES[escaped] : undefined;
    if (control !== undefined) {
      parts.push(control);
    } else if (escaped === "u" && HEX_4.test(raw.slice(from, from + 4))) {
      parts.push(String.fromCharCode(Number.parseInt(raw.slice(from, from + 4), 16)));
      from += 4;
    } else if (escaped === '"' || escaped === "\\" || escaped === "/" || delimiter.closers.includes(escaped)) {
      parts.push(escaped);
    } else {
      if (escaped !== "\n" && escaped !== "\r") cursor.forgiven.add("invalidEscape");
      parts.push(escaped === "'" ? escaped : `\\${escaped}`);
    }
  }
  parts.push(raw.slice(from));
  return parts.join("");
}
