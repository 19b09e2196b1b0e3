// `<tool_call>`, the wrapper that seven families share. The first character of the body tells them apart: `{` and `[` are
// JSON, `<` is XML, a word is the arg_key layout or a name before a JSON object.

import { closeTagEnd, isAtEnd } from "../close-tag.ts";
import type { Block, Grammar } from "../grammar.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import { jsonExtent } from "../json-extent.ts";
import type { Source } from "../source.ts";
import { readXmlBlock } from "../xml-block.ts";
import { readArgKeyCall } from "./arg-key.ts";
import { readJsonRun } from "./json-tag.ts";

const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";
const NAME_KEY = /^[{[][^{}]{0,100}"name"\s{0,8}:\s{0,8}"([^"\\\n]{1,128})"/;
const NAME_WITHIN = 300;
const NAMED = /<tool_name>\s*([^\s<>][^<>\n]{0,127}?)\s{0,64}<\/tool_name>\s*<(parameters|arguments)>\s*/y;

/** What stands in the `<tool_call>` at `at`. */
export function readToolCallTag(source: Source, at: number): Block | undefined {
  const { text } = source;
  let body = source.skipBlank(at + OPEN.length);
  // An opener that was printed twice.
  if (text.startsWith(OPEN, body)) body = source.skipBlank(body + OPEN.length);
  const first = text.charAt(body);
  if (first === "{" || first === "[") return readJson(source, body);
  if (text.startsWith("<function", body) || text.startsWith("<invoke", body)) {
    const block = readXmlBlock(source, body, "", { newlines: true });
    return block === undefined ? undefined : named(block, "qwenCoder");
  }
  if (text.startsWith("<tool_name>", body)) return readNamed(source, body);
  return readArgKeyCall(source, at, body);
}

function named(block: Block, family: string): Block {
  return { ...block, calls: block.calls.map((call) => ({ ...call, family: call.family ?? family })) };
}

function readJson(source: Source, at: number): Block | undefined {
  const read = readJsonRun(source, at, {});
  if (read === undefined) return broken(source, at);
  let { end } = read;
  // One bracket too many after a whole object says nothing about the object.
  const surplus = source.skipBlank(end);
  if (source.text.charAt(surplus) === "}") end = surplus + 1;
  const close = closeTagEnd(source, end, CLOSE);
  const family = source.text.charAt(at) === "[" ? "granite" : "hermes";
  if (close !== -1) return named({ calls: read.calls, end: close }, family);
  // Without a close tag the value is whole only where nothing else can belong to it.
  const isLast = isAtEnd(source, end) || source.startsWith(OPEN, source.skipBlank(end));
  return isLast || surplus < end ? named({ calls: read.calls, end }, family) : undefined;
}

/** An object that has its close tag, names an active tool and cannot be read: markup whose arguments are unknown. */
function broken(source: Source, at: number): Block | undefined {
  const close = source.find(CLOSE, at);
  const next = source.find(OPEN, at);
  if (close === -1 || (next !== -1 && next < close)) return undefined;
  const name = NAME_KEY.exec(source.text.slice(at, Math.min(close, at + NAME_WITHIN)))?.[1];
  if (name === undefined || source.tools.resolve(name) === undefined) return undefined;
  return named({ calls: [{ name, arguments: undefined, start: at, end: close }], end: close + CLOSE.length }, "hermes");
}

/** `<tool_name>N</tool_name><parameters>{…}</parameters>`. */
function readNamed(source: Source, at: number): Block | undefined {
  NAMED.lastIndex = at;
  const match = NAMED.exec(source.text);
  if (match === null) return undefined;
  const body = at + match[0].length;
  if (jsonExtent(source, body) === -1) return undefined;
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const inner = closeTagEnd(source, json.end, `</${match[2]}>`);
  const end = inner === -1 ? -1 : closeTagEnd(source, inner, CLOSE);
  if (end === -1) return undefined;
  const call = { name: match[1] as string, arguments: json.value, start: at, end: inner, family: "proxyXml" };
  return { calls: [call], end };
}

export const TOOL_CALL_TAG: Grammar = {
  family: "toolCall",
  openers: [OPEN],
  marked: true,
  read: readToolCallTag,
};

/** `<tool_calls>` around `<tool_call>` blocks. */
export const TOOL_CALL_LIST: Grammar = {
  family: "toolCall",
  openers: ["<tool_calls>"],
  marked: true,
  read: (source, at) => {
    let end = source.skipBlank(at + "<tool_calls>".length);
    const calls = [];
    while (source.startsWith(OPEN, end)) {
      const block = readToolCallTag(source, end);
      if (block === undefined) break;
      calls.push(...block.calls);
      end = source.skipBlank(block.end);
      // What stands behind a broken call may be a part of it.
      if (block.calls.some((call) => call.arguments === undefined)) break;
    }
    if (calls.length === 0) return undefined;
    const close = closeTagEnd(source, end, "</tool_calls>");
    return { calls, end: close === -1 ? end : close };
  },
};
