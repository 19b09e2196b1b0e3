// The shared body of the Python families: `name(key=literal, …)`, in a list or one a line. Keyword arguments only: a
// positional argument names no parameter.

import type { RawCall } from "./grammar.ts";
import { readPythonLiteral, setOwn } from "./python-literal.ts";
import type { Source } from "./source.ts";

const NAME = /[A-Za-z_][\w.\-/]{0,127}/y;
const KEY = /[A-Za-z_]\w{0,127}/y;

/** Calls of one body and where it ends. */
export interface PythonBody {
  readonly calls: readonly RawCall[];
  readonly end: number;
}

/** `[f(a=1), g()]` at `at`, or undefined. A list of no calls is no body. */
export function readPythonList(source: Source, at: number): PythonBody | undefined {
  const { text } = source;
  if (text.charAt(at) !== "[") return undefined;
  const calls: RawCall[] = [];
  for (let next = source.skipBlank(at + 1); ; ) {
    const call = readPythonCall(source, next);
    if (call === undefined) return undefined;
    calls.push(call);
    next = source.skipBlank(call.end);
    if (text.charAt(next) === ",") next = source.skipBlank(next + 1);
    if (text.charAt(next) === "]") return { calls, end: next + 1 };
  }
}

/** Calls one after the other, separated by blanks, commas or semicolons; undefined where there is none. */
export function readPythonLines(source: Source, at: number): PythonBody | undefined {
  const calls: RawCall[] = [];
  let end = at;
  for (let next = source.skipBlank(at); ; ) {
    const call = readPythonCall(source, next);
    if (call === undefined) return calls.length > 0 ? { calls, end } : undefined;
    calls.push(call);
    end = call.end;
    next = source.skipBlank(end);
    if (/[,;]/.test(source.text.charAt(next))) next = source.skipBlank(next + 1);
  }
}

/** `name(key=literal, …)` at `at`, or undefined. */
export function readPythonCall(source: Source, at: number): RawCall | undefined {
  const { text } = source;
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  let next = source.skipBlank(at + name.length);
  if (text.charAt(next) !== "(") return undefined;
  const args: Record<string, unknown> = {};
  for (next = source.skipBlank(next + 1); text.charAt(next) !== ")"; ) {
    KEY.lastIndex = next;
    const key = KEY.exec(text)?.[0];
    if (key === undefined || Object.hasOwn(args, key)) return undefined;
    next = source.skipBlank(next + key.length);
    if (text.charAt(next) !== "=") return undefined;
    const value = readPythonLiteral(source, next + 1);
    if (value === undefined || source.exhausted) return undefined;
    setOwn(args, key, value.value);
    next = source.skipBlank(value.end);
    if (text.charAt(next) === ",") next = source.skipBlank(next + 1);
    else if (text.charAt(next) !== ")") return undefined;
  }
  return { name, arguments: args, start: at, end: next + 1 };
}
