// Families that mark a call with special tokens around a name and a JSON object: DeepSeek V3 and V3.1, Step-3, Kimi K2,
// Mistral from v11 on, Inkling. Ordinary prose does not hold these tokens.

import { isJsonObject } from "../../json-value.ts";
import { afterOptional, closeTagEnd } from "../close-tag.ts";
import type { Block, Grammar, RawCall } from "../grammar.ts";
import { startsLine } from "../invisible.ts";
import { callOf, readJsonAt, readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";
import { readXmlBlock } from "../xml-block.ts";

/** DeepSeek's tokens, with full-width or ASCII bars; Step-3 writes the same words with underscores. */
const BEGIN_ALL = /<[｜|]tool[▁_]calls[▁_]begin[｜|]>\s*/y;
const BEGIN = /<[｜|]tool[▁_]call[▁_]begin[｜|]>\s*/y;
const TYPED_NAME = /function(?:<[｜|]tool[▁_]sep[｜|]>|<(?=[^<>\n]{1,128}>))\s*/y;
const NAME = /([^<>\n`{}｜|]{1,128})>?/y;
const SEPARATOR = /\s*(?:<[｜|]tool[▁_]sep[｜|]>\s*)?/y;
const FENCE = /```(?:json)?\s*/y;
const END = /\s*(?:```\s*)?<[｜|]tool[▁_]call[▁_]end[｜|]>\s*/y;
const BETWEEN = /(?:\s*<[｜|]tool[▁_]sep[｜|]>)?\s*/y;
const END_ALL = /\s*<[｜|]tool[▁_]calls[▁_]end[｜|]>/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? -1 : at + match[0].length;
}

function optionalEnd(pattern: RegExp, text: string, at: number): number {
  const end = matchEnd(pattern, text, at);
  return end === -1 ? at : end;
}

function readDeepSeek(source: Source, at: number): Block | undefined {
  const { text } = source;
  const calls: RawCall[] = [];
  let end = optionalEnd(BEGIN_ALL, text, at);
  for (let next = end; ; next = optionalEnd(BETWEEN, text, end)) {
    const begin = matchEnd(BEGIN, text, next);
    if (begin === -1) break;
    const read = readDeepSeekCall(source, next, begin);
    if (read !== undefined) {
      calls.push(...read.calls);
      end = read.end;
      continue;
    }
    // A call that cannot be read but has its end leaves its siblings alone.
    const skipped = source.find("tool▁call▁end", begin);
    const sibling = source.find("tool▁call▁begin", begin);
    if (skipped === -1 || (sibling !== -1 && sibling < skipped) || sibling === -1) break;
    end = text.indexOf(">", skipped) + 1;
  }
  if (calls.length === 0) return undefined;
  return { calls, end: optionalEnd(END_ALL, text, end) };
}

function readDeepSeekCall(source: Source, start: number, at: number): Block | undefined {
  const { text } = source;
  const typed = optionalEnd(TYPED_NAME, text, at);
  if (text.startsWith("<steptml:invoke", typed)) {
    const block = readXmlBlock(source, typed, "steptml", { newlines: true });
    if (block === undefined) return undefined;
    const calls = block.calls.map((call) => ({ ...call, family: "step3" }));
    return { calls, end: optionalEnd(END, text, block.end) };
  }
  NAME.lastIndex = typed;
  const name = NAME.exec(text);
  if (name === null) return undefined;
  const body = optionalEnd(FENCE, text, optionalEnd(SEPARATOR, text, typed + name[0].length));
  if (text.charAt(body) !== "{") return undefined;
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const end = matchEnd(END, text, json.end);
  if (end === -1) return undefined;
  return { calls: [{ name: (name[1] as string).trim(), arguments: json.value, start, end }], end };
}

const SECTION = "<|tool_calls_section_begin|>";
const SECTION_END = "<|tool_calls_section_end|>";
const KIMI_BEGIN = "<|tool_call_begin|>";
const KIMI_ARGUMENTS = "<|tool_call_argument_begin|>";
const KIMI_END = "<|tool_call_end|>";
const KIMI_ID = /\s*(?:functions\.)?([^\s:<>|]{1,128}):(\d{1,4})\s*/y;

function readKimi(source: Source, at: number): Block | undefined {
  const calls: RawCall[] = [];
  let end = at;
  let next = source.startsWith(SECTION, at) ? source.skipBlank(at + SECTION.length) : at;
  while (source.startsWith(KIMI_BEGIN, next)) {
    if (!source.spend(64)) break;
    const call = readKimiCall(source, next);
    if (call !== undefined) {
      calls.push(call);
      end = call.end;
    } else {
      const skipped = source.find(KIMI_END, next);
      const sibling = source.find(KIMI_BEGIN, next + 1);
      if (skipped === -1 || (sibling !== -1 && sibling < skipped)) break;
      end = skipped + KIMI_END.length;
    }
    next = source.skipBlank(end);
  }
  return calls.length === 0 ? undefined : { calls, end: afterOptional(source, end, SECTION_END) };
}

function readKimiCall(source: Source, at: number): RawCall | undefined {
  KIMI_ID.lastIndex = at + KIMI_BEGIN.length;
  const id = KIMI_ID.exec(source.text);
  if (id === null) return undefined;
  let body = KIMI_ID.lastIndex;
  if (source.startsWith(KIMI_ARGUMENTS, body)) body += KIMI_ARGUMENTS.length;
  body = source.skipBlank(body);
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const end = afterOptional(source, json.end, KIMI_END);
  return { name: id[1] as string, arguments: json.value, start: at, end };
}

/** `functions.NAME:0{…}`: what is left when the special tokens are lost. */
function readKimiBare(source: Source, at: number): Block | undefined {
  const { text } = source;
  const before = text.charAt(at - 1);
  if (/[\w"'`]/.test(before)) return undefined;
  KIMI_ID.lastIndex = at;
  const id = KIMI_ID.exec(text);
  if (id === null) return undefined;
  const body = KIMI_ID.lastIndex;
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  return { calls: [{ name: id[1] as string, arguments: json.value, start: at, end: json.end }], end: json.end };
}

const MISTRAL = "[TOOL_CALLS]";
const MISTRAL_NAME = /\s*([A-Za-z_][\w.\-/]{0,127})(?:\[CALL_ID\][\w-]{1,64})?(?:\[ARGS\])?\s*/y;

function readMistral(source: Source, at: number): Block | undefined {
  MISTRAL_NAME.lastIndex = at + MISTRAL.length;
  const name = MISTRAL_NAME.exec(source.text);
  if (name === null) return undefined;
  const body = MISTRAL_NAME.lastIndex;
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  return { calls: [{ name: name[1] as string, arguments: json.value, start: at, end: json.end }], end: json.end };
}

/** `NAME[ARGS]{…}` as a whole line, when the marker before the name is lost. */
function readMistralArgs(source: Source, at: number): Block | undefined {
  const { text } = source;
  let start = at;
  while (start > 0 && at - start < 128 && /[\w.\-/]/.test(text.charAt(start - 1))) start -= 1;
  const name = text.slice(start, at);
  if (source.tools.exact(name) === undefined || !startsLine(text, start)) return undefined;
  const body = source.skipBlank(at + "[ARGS]".length);
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const call = { name, arguments: json.value, start, end: json.end };
  return { calls: [call], start, end: json.end, endsMessage: true };
}

const INKLING = /<\|message_model\|>\s{0,64}([^\s<>|][^<>\n|]{0,127}?)\s{0,64}<\|content_invoke_tool_json\|>\s{0,64}/y;

function readInkling(source: Source, at: number): Block | undefined {
  INKLING.lastIndex = at;
  const open = INKLING.exec(source.text);
  if (open === null) return undefined;
  const json = readJsonAt(source, INKLING.lastIndex);
  const call = json !== undefined && isJsonObject(json.value) ? callOf(json.value) : undefined;
  if (json === undefined || call === undefined) return undefined;
  const end = closeTagEnd(source, json.end, "<|end_message|>");
  return end === -1 ? undefined : { calls: [{ ...call, start: at, end }], end };
}

export const TOKEN_CALL_GRAMMARS: readonly Grammar[] = [
  { family: "deepseek", openers: ["<｜tool", "<|tool▁", "<|tool_calls_begin"], marked: true, read: readDeepSeek },
  { family: "kimi", openers: [SECTION, KIMI_BEGIN], marked: true, read: readKimi },
  { family: "kimiBare", openers: ["functions."], marked: false, read: readKimiBare },
  { family: "mistral", openers: [MISTRAL], marked: true, read: readMistral },
  { family: "mistralBare", openers: ["[ARGS]"], marked: false, read: readMistralArgs },
  { family: "inkling", openers: ["<|message_model|>"], marked: true, read: readInkling },
];
