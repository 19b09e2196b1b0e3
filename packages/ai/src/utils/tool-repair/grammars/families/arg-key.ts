// The arg_key layout: `<tool_call>NAME<arg_key>K</arg_key><arg_value>V</arg_value>…</tool_call>`, and a name before a JSON
// object in the same wrapper. Values are raw text. Known slips of the models are read (a tag of a pair missing or
// doubled); a value that ends nowhere is never one.

import type { RepairTool } from "../../types.ts";
import { closeTagEnd, isAtEnd } from "../close-tag.ts";
import type { Block, RawCall } from "../grammar.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import { setOwn } from "../python-literal.ts";
import type { Source } from "../source.ts";
import { declaredParameters, parameterSchema, typedValue } from "../typed-value.ts";

const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";
const KEY_OPEN = "<arg_key>";
const KEY_CLOSE = "</arg_key>";
const VALUE_OPEN = "<arg_value>";
const VALUE_CLOSE = "</arg_value>";
const NAME = /[^<>{}[\]\n"'`]{1,128}/y;
/** White space, and the two characters that a newline became in some outputs. */
const LAYOUT = /(?:\s|\\n)*/y;

/** The call in the wrapper at `at` whose name stands at `from`; undefined where it is cut, or no such call. */
export function readArgKeyCall(source: Source, at: number, from: number, close = CLOSE): Block | undefined {
  const { text } = source;
  NAME.lastIndex = from;
  const raw = NAME.exec(text)?.[0];
  if (raw === undefined) return undefined;
  const name = withoutLayout(raw);
  if (name === "" || /\s{2}/.test(name)) return undefined;
  let next = layoutEnd(text, from + raw.length);
  if (text.startsWith("<tool_sep>", next)) next = layoutEnd(text, next + "<tool_sep>".length);
  if (text.charAt(next) === "{") return readNameAndObject(source, at, name, next, close);
  const fused = text.startsWith(KEY_CLOSE, next) ? splitFused(source, name) : undefined;
  const block = readPairs(source, at, fused?.name ?? name, next, close, fused?.key);
  return block ?? (text.startsWith(KEY_OPEN, next) ? broken(source, at, name, next, close) : undefined);
}

/** `raw` without the white space around it, and without the `\n` that a newline became. */
function withoutLayout(raw: string): string {
  let name = raw.trim();
  while (name.endsWith("\\n")) name = name.slice(0, -2).trimEnd();
  return name;
}

/** A call to an active tool that has its end and cannot be read: its text is markup, its arguments are unknown. */
function broken(source: Source, at: number, name: string, from: number, close: string): Block | undefined {
  const end = source.find(close, from);
  if (end === -1 || source.tools.resolve(name) === undefined) return undefined;
  const whole = end + close.length;
  const another = source.find(OPEN, from);
  const isOpen = another !== -1 && another < end;
  // The end belongs to what a value shows, then, and the call is cut.
  const stop = !isOpen ? whole : readsAlone(source, another, close) ? another : source.text.length;
  return { calls: [{ name, arguments: undefined, start: at, end: stop, family: "glm" }], end: stop };
}

/** Whether the block at `at` is a call of its own. */
function readsAlone(source: Source, at: number, close: string): boolean {
  NAME.lastIndex = at + OPEN.length;
  const name = NAME.exec(source.text)?.[0];
  if (name === undefined || !source.spend(512)) return false;
  const next = layoutEnd(source.text, at + OPEN.length + name.length);
  return readPairs(source, at, name.trim(), next, close, undefined) !== undefined;
}

/** `NAME{…}`. An unclosed block counts where the same block follows: the model began anew. */
function readNameAndObject(source: Source, at: number, name: string, body: number, close: string): Block | undefined {
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const call: RawCall = { name, arguments: json.value, start: at, end: json.end, family: "laguna" };
  const end = closeTagEnd(source, json.end, close);
  if (end !== -1) return { calls: [call], end };
  const again = source.skipBlank(json.end);
  const echo = source.text.slice(at, json.end);
  if (source.startsWith(echo, again)) return readArgKeyCall(source, again, again + OPEN.length);
  return isAtEnd(source, json.end) ? { calls: [call], end: json.end } : undefined;
}

/** A name and a key that have run into each other: the one split at which both are known. */
function splitFused(source: Source, text: string): { name: string; key: string } | undefined {
  const splits = source.tools.names.flatMap((name) => {
    const key = text.startsWith(name) ? text.slice(name.length) : "";
    const declared = declaredParameters(source.tools.exact(name)?.parameters);
    return key !== "" && declared?.includes(key) ? [{ name, key }] : [];
  });
  return splits.length === 1 ? splits[0] : undefined;
}

function readPairs(
  source: Source,
  at: number,
  name: string,
  from: number,
  close: string,
  firstKey: string | undefined,
): Block | undefined {
  const { text } = source;
  const tool = source.tools.resolve(name);
  const args: Record<string, unknown> = {};
  let key = firstKey;
  let pairs = 0;
  for (let next = from; ; ) {
    if (!source.spend(64)) return undefined;
    if (key === undefined) {
      const end = closeTagEnd(source, next, close);
      if (end !== -1) return { calls: [{ name, arguments: args, start: at, end, family: "glm" }], end };
      // All values are closed and nothing follows: only the wrapper's end is missing.
      if (pairs > 0 && isAtEnd(source, next)) {
        return { calls: [{ name, arguments: args, start: at, end: next, family: "glm" }], end: next };
      }
      const read = readKey(source, next);
      if (read === undefined) return undefined;
      key = read.key;
      next = read.end;
    }
    while (text.startsWith(KEY_CLOSE, next)) next = layoutEnd(text, next + KEY_CLOSE.length);
    const value = readValue(source, next, close);
    if (value === undefined) return undefined;
    setOwn(args, key, argument(value.text, key, tool));
    pairs += 1;
    key = undefined;
    next = layoutEnd(text, value.end);
  }
}

function argument(value: string, key: string, tool: RepairTool | undefined): unknown {
  return typedValue(value, parameterSchema(tool?.parameters, key), tool?.parameters);
}

function readKey(source: Source, at: number): { key: string; end: number } | undefined {
  let start = at;
  const opener = source.startsWith(KEY_OPEN, at) ? KEY_OPEN : source.startsWith(OPEN, at) ? OPEN : undefined;
  if (opener === undefined) return undefined;
  while (source.startsWith(opener, start)) start += opener.length;
  const end = source.find(KEY_CLOSE, start);
  if (end === -1 || end - start > 256) return undefined;
  return { key: source.text.slice(start, end).trim(), end: layoutEnd(source.text, end) };
}

/** A value up to the end tag that structure follows. Where a tag of the pair is missing, layout around it is not data. */
function readValue(source: Source, at: number, close: string): { text: string; end: number } | undefined {
  const { text } = source;
  const isOpened = text.startsWith(VALUE_OPEN, at);
  const from = isOpened ? at + VALUE_OPEN.length : at;
  for (let end = source.find(VALUE_CLOSE, from); end !== -1; end = source.find(VALUE_CLOSE, end + 1)) {
    if (!source.spend(64)) return undefined;
    const nextKey = source.find(KEY_OPEN, from);
    if (nextKey !== -1 && nextKey < end && isPair(source, nextKey)) break;
    const after = layoutEnd(text, end + VALUE_CLOSE.length);
    const isEnd = text.startsWith(KEY_OPEN, after) || closeTagEnd(source, after, close) !== -1 || after >= text.length;
    if (!isEnd) continue;
    const value = text.slice(from, end);
    return { text: isOpened ? value : value.trim(), end: end + VALUE_CLOSE.length };
  }
  if (!isOpened) return undefined;
  const nextKey = source.find(KEY_OPEN, from);
  const wrapper = source.find(close, from);
  const end = nextKey !== -1 && (wrapper === -1 || nextKey < wrapper) ? nextKey : wrapper;
  // A value that shows a call ends with the call's tags.
  const shown = source.find(OPEN, from);
  if (end === -1 || (shown !== -1 && shown < end)) return undefined;
  return { text: text.slice(from, end).trim(), end };
}

/** Whether a key's opening tag is followed by a short key and its end. */
function isPair(source: Source, at: number): boolean {
  const end = source.find(KEY_CLOSE, at);
  if (end === -1 || end - at > 256) return false;
  return source.startsWith(VALUE_OPEN, layoutEnd(source.text, end + KEY_CLOSE.length));
}

function layoutEnd(text: string, at: number): number {
  LAYOUT.lastIndex = at;
  return at + (LAYOUT.exec(text)?.[0].length ?? 0);
}
