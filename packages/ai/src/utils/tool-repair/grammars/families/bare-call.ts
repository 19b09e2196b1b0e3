// Calls without any marker: an object or list of objects, `[f(a=1)]`, `N` and an object below. Ordinary text looks the same,
// so they count only as the last thing of the message, from the start of a line, for a tool of exactly that name, and in the
// strictest spelling.

import type { Block, RawCall } from "../grammar.ts";
import { lastVisible } from "../invisible.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import { readPythonList } from "../python-calls.ts";
import type { Source } from "../source.ts";
import { readBracketCall } from "./calling-tool.ts";
import { readJsonRun } from "./json-tag.ts";

const KEYS = new Set([
  "name",
  "arguments",
  "parameters",
  "id",
  "type",
  "tool_call_id",
  "index",
  "function",
  "input",
  "role",
]);
const OPEN_CURLY = 123;
const OPEN_SQUARE = 91;
const LINE_START = /[ \t\u00ad\u180e\u200b-\u200f\u2060-\u2069\ufeff]*/y;

/**
 * The calls that end the text at `to` and begin a line at or after `from`; undefined where the text does not end in such.
 * Looks at the last character first, so ordinary text costs nothing.
 */
export function readBareCalls(
  source: Source,
  from: number,
  to: number,
): (Block & { readonly start: number }) | undefined {
  const { text } = source;
  const last = lastVisible(text, to);
  if (last !== "}" && last !== "]" && last !== ";") return undefined;
  for (let at = lineStart(source, from, true); at !== -1; ) {
    if (!source.spend(16)) return undefined;
    const block = bareAt(source, at);
    if (block !== undefined) {
      const isWhole = source.isBlank(block.end, to);
      const known = block.calls.every((call) => source.tools.exact(call.name) !== undefined);
      if (isWhole) return known ? { ...block, start: at, endsMessage: true } : undefined;
      at = lineStart(source, block.end, false);
      continue;
    }
    at = lineStart(source, at + 1, false);
  }
  return undefined;
}

/** The first line at or after `from` that begins like a bare call; the text from `from` counts as a line's start. */
function lineStart(source: Source, from: number, isStart: boolean): number {
  const { text } = source;
  for (
    let line = isStart ? from : source.find("\n", from) + 1;
    line > 0 || isStart;
    line = source.find("\n", line) + 1
  ) {
    isStart = false;
    LINE_START.lastIndex = line;
    LINE_START.test(text);
    const at = LINE_START.lastIndex;
    const code = text.charCodeAt(at);
    if (code === OPEN_CURLY || code === OPEN_SQUARE) return at;
  }
  return -1;
}

function bareAt(source: Source, at: number): Block | undefined {
  const { text } = source;
  if (text.charAt(at) === "[") {
    const python = readPythonList(source, at);
    if (python !== undefined) return named(python, "pythonic");
    const bracket = readBracketCall(source, at);
    if (bracket !== undefined) return named(bracket, "callingTool");
  }
  const run = readJsonRun(source, at, {});
  if (run === undefined || !isStrict(source, at, run.end)) return undefined;
  let { end } = run;
  // One bracket too many after a whole list says nothing about the list.
  if (text.charAt(at) === "[" && text.charAt(end) === "]") end += 1;
  return named({ calls: run.calls, end }, "bareJson");
}

/** Whether every object of the run has the keys of a call and no others, and none was left out. */
function isStrict(source: Source, at: number, end: number): boolean {
  for (let next = at; next < end; ) {
    const char = source.text.charAt(next);
    if (char !== "{") {
      next += 1;
      continue;
    }
    const read = readJsonObjectAt(source, next);
    if (read === undefined) return false;
    const keys = Object.keys(read.value);
    // A provider's own block counts only as the JSON that it is.
    const isBlock =
      !keys.includes("input") || (read.value["type"] === "tool_use" && source.text.charAt(next + 1) !== "'");
    const isCall = keys.includes("name") || keys.includes("function");
    if (!isBlock || !isCall || !keys.every((key) => KEYS.has(key))) return false;
    next = read.end;
  }
  return true;
}

function named(block: { calls: readonly RawCall[]; end: number }, family: string): Block {
  return { calls: block.calls.map((call) => ({ ...call, family })), end: block.end };
}
