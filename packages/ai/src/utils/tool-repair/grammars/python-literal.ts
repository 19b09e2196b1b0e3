// Python and JSON literals as the call grammars mix them: strings of both quotes, numbers, words, lists, dicts, tuples.
// Reads forward once; what is cut or computed is no literal.

import type { Source } from "./source.ts";

const MAX_DEPTH = 128;
const NUMBER = /[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const WORDS = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\u0007",
  "0": "\0",
  "\n": "",
};

/** A value and where it ends. */
export interface Literal {
  readonly value: unknown;
  readonly end: number;
}

/** The literal at `at`, or undefined. */
export function readPythonLiteral(source: Source, at: number, depth = 0): Literal | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { text } = source;
  const start = source.skipBlank(at);
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readString(source, start);
  if (first === "[" || first === "(") return readSequence(source, start, first === "[" ? "]" : ")", depth);
  if (first === "{") return readDict(source, start, depth);
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined) {
    const value = Number(number.replaceAll("_", ""));
    const isExact =
      Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(number));
    return isExact ? { value, end: start + number.length } : undefined;
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  return word !== undefined && WORDS.has(word) ? { value: WORDS.get(word), end: start + word.length } : undefined;
}

function readString(source: Source, at: number): Literal | undefined {
  const { text } = source;
  const quote = text.charAt(at);
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let value = "";
  let from = at + mark.length;
  for (let next = from; next < text.length; next++) {
    const char = text.charAt(next);
    if (char === quote && text.startsWith(mark, next)) {
      source.spend(next - at);
      return { value: value + text.slice(from, next), end: next + mark.length };
    }
    if (char !== "\\") continue;
    const unescaped = readEscape(text, next + 1);
    value += text.slice(from, next) + unescaped.value;
    from = unescaped.end;
    next = from - 1;
  }
  source.spend(text.length - at);
  return undefined;
}

function readEscape(text: string, at: number): { value: string; end: number } {
  const char = text.charAt(at);
  const digits = char === "x" ? 2 : char === "u" ? 4 : char === "U" ? 8 : 0;
  const code = text.slice(at + 1, at + 1 + digits);
  if (digits > 0 && code.length === digits && /^[0-9a-fA-F]+$/.test(code)) {
    const point = Number.parseInt(code, 16);
    if (point <= 0x10ffff) return { value: String.fromCodePoint(point), end: at + 1 + digits };
  }
  const known = ESCAPES[char];
  if (known !== undefined) return { value: known, end: at + 1 };
  // An unknown escape keeps its backslash in Python.
  return { value: char === "\\" || char === '"' || char === "'" ? char : `\\${char}`, end: at + 1 };
}

function readSequence(source: Source, at: number, close: string, depth: number): Literal | undefined {
  const { text } = source;
  const items: unknown[] = [];
  for (let next = source.skipBlank(at + 1); ; ) {
    if (text.charAt(next) === close) return { value: items, end: next + 1 };
    const item = readPythonLiteral(source, next, depth + 1);
    if (item === undefined) return undefined;
    items.push(item.value);
    next = source.skipBlank(item.end);
    if (text.charAt(next) === ",") next = source.skipBlank(next + 1);
    else if (text.charAt(next) !== close) return undefined;
  }
}

function readDict(source: Source, at: number, depth: number): Literal | undefined {
  const { text } = source;
  const value: Record<string, unknown> = {};
  for (let next = source.skipBlank(at + 1); ; ) {
    if (text.charAt(next) === "}") return { value, end: next + 1 };
    const key = readPythonLiteral(source, next, depth + 1);
    if (key === undefined || typeof key.value === "object") return undefined;
    next = source.skipBlank(key.end);
    if (text.charAt(next) !== ":") return undefined;
    const item = readPythonLiteral(source, next + 1, depth + 1);
    if (item === undefined) return undefined;
    setOwn(value, String(key.value), item.value);
    next = source.skipBlank(item.end);
    if (text.charAt(next) === ",") next = source.skipBlank(next + 1);
    else if (text.charAt(next) !== "}") return undefined;
  }
}

/** Sets a key as data, whatever it is called. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
