// The value syntax of the token-marked families: bare keys, and strings between two marker tokens in which nothing is
// escaped. `{path:<|"|>a "b"<|"|>,limit:5,all:true}`.

import { setOwn } from "./python-literal.ts";
import type { Source } from "./source.ts";

const MAX_DEPTH = 64;
const BARE = /[^\s,{}[\]<>"':]{1,256}/y;
const KEY = /[A-Za-z_][\w.-]{0,127}/y;

/** A value and where it ends. */
export interface TokenLiteral {
  readonly value: unknown;
  readonly end: number;
}

/** The value at `at` whose strings stand between two `mark` tokens (or plain double quotes); undefined where it is cut. */
export function readTokenLiteral(source: Source, at: number, mark: string, depth = 0): TokenLiteral | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { text } = source;
  const start = source.skipBlank(at);
  const first = text.charAt(start);
  if (first === "{") return readObject(source, start, mark, depth);
  if (first === "[") return readList(source, start, mark, depth);
  if (text.startsWith(mark, start)) return readMarked(source, start, mark);
  if (first === '"') return readQuoted(source, start);
  BARE.lastIndex = start;
  const word = BARE.exec(text)?.[0];
  if (word === undefined) return undefined;
  const value = wordValue(word);
  return value === undefined ? undefined : { value, end: start + word.length };
}

function readMarked(source: Source, at: number, mark: string): TokenLiteral | undefined {
  const from = at + mark.length;
  const end = source.find(mark, from);
  return end === -1 ? undefined : { value: source.text.slice(from, end), end: end + mark.length };
}

function readQuoted(source: Source, at: number): TokenLiteral | undefined {
  const { text } = source;
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 92) next += 1;
    else if (code === 34) {
      source.spend(next - at);
      try {
        return { value: JSON.parse(text.slice(at, next + 1)), end: next + 1 };
      } catch {
        return undefined;
      }
    }
  }
  source.spend(text.length - at);
  return undefined;
}

function wordValue(word: string): unknown {
  if (word === "true" || word === "True") return true;
  if (word === "false" || word === "False") return false;
  if (word === "null" || word === "None") return null;
  if (!/^[+-]?\d/.test(word)) return undefined;
  const value = Number(word);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : undefined;
}

function readList(source: Source, at: number, mark: string, depth: number): TokenLiteral | undefined {
  const items: unknown[] = [];
  for (let next = source.skipBlank(at + 1); ; ) {
    if (source.text.charAt(next) === "]") return { value: items, end: next + 1 };
    const item = readTokenLiteral(source, next, mark, depth + 1);
    if (item === undefined) return undefined;
    items.push(item.value);
    next = source.skipBlank(item.end);
    if (source.text.charAt(next) === ",") next = source.skipBlank(next + 1);
    else if (source.text.charAt(next) !== "]") return undefined;
  }
}

function readObject(source: Source, at: number, mark: string, depth: number): TokenLiteral | undefined {
  const value: Record<string, unknown> = {};
  for (let next = source.skipBlank(at + 1); ; ) {
    if (source.text.charAt(next) === "}") return { value, end: next + 1 };
    const key = readKey(source, next, mark);
    if (key === undefined) return undefined;
    next = source.skipBlank(key.end);
    if (source.text.charAt(next) !== ":") return undefined;
    const item = readTokenLiteral(source, next + 1, mark, depth + 1);
    if (item === undefined) return undefined;
    setOwn(value, key.value, item.value);
    next = source.skipBlank(item.end);
    if (source.text.charAt(next) === ",") next = source.skipBlank(next + 1);
    else if (source.text.charAt(next) !== "}") return undefined;
  }
}

function readKey(source: Source, at: number, mark: string): { value: string; end: number } | undefined {
  const literal = source.startsWith(mark, at) ? readMarked(source, at, mark) : undefined;
  if (literal !== undefined) return { value: literal.value as string, end: literal.end };
  KEY.lastIndex = at;
  const key = KEY.exec(source.text)?.[0];
  if (key !== undefined) return { value: key, end: at + key.length };
  const quoted = source.text.charAt(at) === '"' ? readQuoted(source, at) : undefined;
  return quoted === undefined ? undefined : { value: String(quoted.value), end: quoted.end };
}
