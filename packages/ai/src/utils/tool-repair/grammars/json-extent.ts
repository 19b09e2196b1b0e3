// Where a JSON value that a model wrote ends: brackets are counted outside of strings. It checks the rough shape only, so
// that text which is no JSON is left at its first foreign character and a scan is never long for nothing.

import type { Source } from "./source.ts";

const OPEN_CURLY = 123;
const OPEN_SQUARE = 91;
const BACKSLASH = 92;
/** Deeper than any value that a reader takes. */
const DEEPEST = 4096;

/** The end of the object or list that opens at `at`, or -1 where it is cut or no JSON. Quotes of both kinds hold strings. */
export function jsonExtent(source: Source, at: number): number {
  const { text } = source;
  const closers: number[] = [];
  let afterString = false;
  let next = at;
  for (; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 32 || code === 10 || code === 13 || code === 9) continue;
    if (code === 34 || (code === 39 && !isInsideWord(text, next))) {
      next = stringEnd(text, next, code);
      if (next === -1) return fail(source, text.length - at);
      afterString = true;
      continue;
    }
    if (code === OPEN_CURLY || code === OPEN_SQUARE) {
      if (closers.push(code + 2) > DEEPEST) return fail(source, next - at);
    } else if (code === 125 || code === 93) {
      if (closers.pop() !== code) return fail(source, next - at);
      if (closers.length === 0) {
        source.spend(next - at);
        return source.exhausted ? -1 : next + 1;
      }
    } else if (code !== 44 && code !== 58 && (afterString || !isWordCode(code))) return fail(source, next - at);
    afterString = false;
  }
  return fail(source, next - at);
}

function fail(source: Source, steps: number): -1 {
  source.spend(steps);
  return -1;
}

/** The position of the closing quote, or -1. */
function stringEnd(text: string, at: number, quote: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === BACKSLASH) next += 1;
    else if (code === quote) return next;
  }
  return -1;
}

function isInsideWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return (before >= 97 && before <= 122) || (before >= 65 && before <= 90);
}

/** Characters of numbers, literals and bare keys. */
function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code === 36
  );
}
