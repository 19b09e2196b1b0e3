// The reader of raw tool-call arguments: strict JSON first, then the lenient parser, which names what it overlooked.
// Runs on the text of a call before validation, and on a string where a list or object is expected. Never makes a value
// out of a text that ends early, never picks one of two readings.

import { hasRepeatedKey } from "./duplicate-keys.ts";
import { closeEnvelope } from "./envelope-close.ts";
import { openEnvelope } from "./envelope-open.ts";
import { type Cursor, FORGIVEN, type ForgivenName, startCursor, type Unreadable } from "./forgiven.ts";
import { isJsonObject } from "./json-value.ts";
import { isInvisible } from "./lenient-blank.ts";
import { REFUSED, readValue } from "./lenient-json.ts";

export { FORGIVEN, type ForgivenName, type Unreadable, type UnreadableReason } from "./forgiven.ts";

/** Limits, and the name of the called tool where it is known. */
export interface ReadOptions {
  /** Longest text that is read, in UTF-16 units (default 16 Mi). Longer is `too-large`. */
  readonly maxBytes?: number | undefined;
  /** Deepest nesting the lenient parser follows (default 512). Deeper is `too-large`; strict JSON may be deeper. */
  readonly maxDepth?: number | undefined;
  /** The tool that was called. A call id before the object must then name it. */
  readonly toolName?: string | undefined;
}

/** A value and what was overlooked to get it, each name once; nothing was when the text is strict JSON. */
export interface Readable<Value> {
  readonly ok: true;
  readonly value: Value;
  readonly forgiven: readonly ForgivenName[];
}

export type ReadResult<Value> = Readable<Value> | Unreadable;

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 512;
/** Encodings around the value that are undone: JSON in a JSON string in a JSON string. */
const MAX_WRAPPERS = 2;
/** The names from here on are about the value itself: who sends such a value does not write JSON with care. */
const FIRST_INSIDE = FORGIVEN.indexOf("escapedWhitespace");
/** A number that may have more digits than a double keeps. */
const LONG_NUMBER = /\d{16}|\d[eE]\+?\d/;
const NOTHING_FORGIVEN: readonly ForgivenName[] = Object.freeze([]);
const NOT_READ: unique symbol = Symbol("not read");

/**
 * The arguments object that a model wrote as `text`. An empty text and `null` are the empty object (servers send them
 * for a call without arguments). A list, a scalar, or a string that holds no object is `not-an-object`. `at` is an index
 * in `text`; for a fault inside an encoded value it is that value's start, or the text's end where it was cut.
 */
export function readRawArguments(text: string, options?: ReadOptions): ReadResult<Record<string, unknown>> {
  if (text.length > (options?.maxBytes ?? MAX_BYTES)) return tooLarge(options);
  const cursor = startCursor(text, 0);
  if (text.length === 0 || isBlank(cursor)) return { ok: true, value: {}, forgiven: ["emptyText"] };
  const result = readText(text, options, 0);
  if (!result.ok) return result;
  const { value } = result;
  if (value === null) return { ok: true, value: {}, forgiven: [...result.forgiven, "nullText"] };
  if (isJsonObject(value)) return { ok: true, value, forgiven: result.forgiven };
  if (typeof value === "string" && /^\s*[{]/.test(value)) {
    const inner = readText(value, options, 1);
    if (!inner.ok) return outward(inner, text, cursor.pos);
  }
  return { ok: false, reason: "not-an-object", at: cursor.pos };
}

/**
 * Any JSON value that a model wrote as `text`, under the same rules. A JSON string that holds a list or an object is
 * read as that; any other string is a value. An empty text holds no value: `malformed`.
 */
export function readLenientJson(text: string, options?: ReadOptions): ReadResult<unknown> {
  if (text.length > (options?.maxBytes ?? MAX_BYTES)) return tooLarge(options);
  if (text.length === 0 || isBlank(startCursor(text, 0))) return { ok: false, reason: "malformed", at: 0 };
  return readText(text, options, 0);
}

/** Reads one text; `wrappers` counts the encodings already undone. Recursion ends at `MAX_WRAPPERS`. */
function readText(text: string, options: ReadOptions | undefined, wrappers: number): ReadResult<unknown> {
  const strict = readStrict(text);
  if (strict !== NOT_READ && typeof strict !== "string") {
    const asIs = wrappers === 0 || !LONG_NUMBER.test(text);
    if (typeof strict !== "object" || strict === null || (asIs && !hasRepeatedKey(text, strict))) {
      return { ok: true, value: strict, forgiven: NOTHING_FORGIVEN };
    }
  }
  if (typeof strict === "string") return unwrap(strict, NOTHING_FORGIVEN, options, wrappers);
  const cursor = startCursor(text, options?.maxDepth ?? MAX_DEPTH);
  const opening = openEnvelope(cursor, options?.toolName, wrappers === 0);
  const start = cursor.pos;
  const first = opening === undefined ? REFUSED : readValue(cursor);
  const value = first === REFUSED || opening === undefined ? REFUSED : closeEnvelope(cursor, first, opening);
  const { fault } = cursor;
  if (value === REFUSED || fault !== undefined) {
    const refusal = fault ?? { ok: false, reason: "malformed", at: cursor.pos };
    return readEscaped(cursor, start, refusal, options, wrappers) ?? refusal;
  }
  const forgiven = [...cursor.forgiven];
  if (cursor.doubtfulAt >= 0 && forgiven.some((name) => FORGIVEN.indexOf(name) >= FIRST_INSIDE)) {
    return { ok: false, reason: "malformed", at: cursor.doubtfulAt };
  }
  return typeof value === "string" ? unwrap(value, forgiven, options, wrappers) : { ok: true, value, forgiven };
}

/** The value of strict JSON, or `NOT_READ`. Texts whose ends cannot be JSON are not tried. */
function readStrict(text: string): unknown {
  let first = 0;
  while (isJsonSpace(text.charCodeAt(first))) first += 1;
  let last = text.length - 1;
  while (last > first && isJsonSpace(text.charCodeAt(last))) last -= 1;
  const open = text.charCodeAt(first);
  const close = text.charCodeAt(last);
  if (open === 123 ? close !== 125 : open === 91 ? close !== 93 : !/["\-\dtfn]/.test(text.charAt(first))) {
    return NOT_READ;
  }
  try {
    return JSON.parse(text);
  } catch {
    return NOT_READ;
  }
}

/** The list or object that a string holds, or else the string. */
function unwrap(
  value: string,
  forgiven: readonly ForgivenName[],
  options: ReadOptions | undefined,
  wrappers: number,
): ReadResult<unknown> {
  if (wrappers < MAX_WRAPPERS && /^\s*[{["'`\u201c\ufeff]/.test(value)) {
    const inner = readText(value, options, wrappers + 1);
    if (inner.ok && typeof inner.value === "object" && inner.value !== null) {
      const names = new Set<ForgivenName>([...forgiven, "doubleEncoding", ...inner.forgiven]);
      return { ok: true, value: inner.value, forgiven: [...names] };
    }
  }
  return { ok: true, value, forgiven };
}

/** `{\"path\": \"a\"}`: the inside of a JSON string without its outer quotes. Undefined where the text is not that. */
function readEscaped(
  cursor: Cursor,
  start: number,
  refusal: Unreadable,
  options: ReadOptions | undefined,
  wrappers: number,
): ReadResult<unknown> | undefined {
  const { text } = cursor;
  if (wrappers >= MAX_WRAPPERS || refusal.reason !== "malformed") return undefined;
  const last = text.length - 1;
  if (refusal.at === last && text.charCodeAt(last) === 92) return { ok: false, reason: "truncated", at: text.length };
  if (!text.startsWith('\\"', refusal.at)) return undefined;
  const escaped = text.slice(start).trimEnd();
  // the text's end cuts off an escape: whatever the rest gives, more was to come
  const cutEscape = endsInBackslash(escaped);
  const decoded = readStrict(`"${cutEscape ? escaped.slice(0, -1) : escaped}"`);
  if (typeof decoded !== "string") return undefined;
  const inner = readText(decoded, options, wrappers + 1);
  if (!inner.ok) return outward(inner, text, start);
  if (cutEscape) return refusal;
  return { ok: true, value: inner.value, forgiven: [...new Set<ForgivenName>(["doubleEncoding", ...inner.forgiven])] };
}

/** Whether the last backslash has nothing behind it that it escapes. */
function endsInBackslash(text: string): boolean {
  let at = text.length;
  while (text.charCodeAt(at - 1) === 92) at -= 1;
  return (text.length - at) % 2 === 1;
}

/** An encoded value's refusal, with a position in the text around it. */
function outward(inner: Unreadable, text: string, start: number): Unreadable {
  return { ok: false, reason: inner.reason, at: inner.reason === "truncated" ? text.length : start };
}

/** Moves the cursor to the first visible character; true when there is none. */
function isBlank(cursor: Cursor): boolean {
  const { text } = cursor;
  for (; cursor.pos < text.length; cursor.pos++) {
    const code = text.charCodeAt(cursor.pos);
    if (!isJsonSpace(code) && !isInvisible(code)) return false;
  }
  return true;
}

function isJsonSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

function tooLarge(options: ReadOptions | undefined): Unreadable {
  return { ok: false, reason: "too-large", at: options?.maxBytes ?? MAX_BYTES };
}
