// JSON calls in a wrapper of their own: `<TOOLCALL>[…]</TOOLCALL>`, `<longcat_tool_call>{…}</longcat_tool_call>`,
// `functools[…]`, `<|tool_call|> […]` and the like. One row a family; the body is shared.

import { closeTagEnd, isAtEnd } from "../close-tag.ts";
import type { Block, Grammar, RawCall } from "../grammar.ts";
import { type JsonBodyOptions, readJsonBody } from "../json-calls.ts";
import type { Source } from "../source.ts";

interface JsonTag {
  readonly family: string;
  readonly opener: string;
  readonly close?: string;
  /** Without the close tag the body must end the message. */
  readonly closeIsOwed?: boolean;
  /** What the first character of the body may be. */
  readonly body: "object" | "list" | "any";
  /** Tokens that may stand between the opener and the body. */
  readonly between?: RegExp;
  readonly options?: JsonBodyOptions;
  /** False for a tag that ordinary prose may hold. */
  readonly marked?: boolean;
}

const TAGS: readonly JsonTag[] = [
  { family: "nemotron", opener: "<TOOLCALL>", close: "</TOOLCALL>", closeIsOwed: true, body: "any" },
  { family: "longcat", opener: "<longcat_tool_call>", close: "</longcat_tool_call>", closeIsOwed: true, body: "any" },
  { family: "granite", opener: "<|tool_call|>", close: "<|/tool_call|>", body: "any" },
  { family: "sarashina", opener: "<|tool_calls|>", close: "<|/tool_calls|>", body: "list" },
  { family: "granite20b", opener: "<function_call>", close: "</function_call>", body: "object", marked: false },
  { family: "qwen25Coder", opener: "<tools>", close: "</tools>", closeIsOwed: true, body: "any", marked: false },
  {
    family: "toolCalls",
    opener: "<tool_calls>",
    close: "</tool_calls>",
    closeIsOwed: true,
    body: "any",
    marked: false,
  },
  {
    family: "internlm",
    opener: "<|action_start|>",
    close: "<|action_end|>",
    between: /\s*<\|plugin\|>/y,
    body: "object",
  },
  { family: "gigachat", opener: "<|function_call|>", close: "</s>", body: "object" },
  {
    family: "gigachat",
    opener: "<|message_sep|>",
    close: "</s>",
    between: /\s*function call\s*<\|role_sep\|>/y,
    body: "object",
  },
  {
    family: "commandA",
    opener: "<|START_ACTION|>",
    close: "<|END_ACTION|>",
    closeIsOwed: true,
    body: "any",
    options: { argumentsMayLack: true },
  },
  {
    family: "apertus",
    opener: "<|tools_prefix|>",
    close: "<|tools_suffix|>",
    body: "list",
    options: { keyIsName: true },
  },
  { family: "functools", opener: "functools[", body: "list", marked: false },
  { family: "llama", opener: "<|python_tag|>", body: "object" },
  { family: "llama4", opener: "<|python_start|>", close: "<|python_end|>", body: "object" },
  { family: "mistral", opener: "[TOOL_CALLS]", close: "[/TOOL_CALLS]", body: "any" },
];

export const JSON_TAG_GRAMMARS: readonly Grammar[] = TAGS.map((tag) => ({
  family: tag.family,
  openers: [tag.opener],
  marked: tag.marked !== false,
  read: (source, at) => readTag(source, at, tag),
}));

function readTag(source: Source, at: number, tag: JsonTag): Block | undefined {
  let body = at + tag.opener.length;
  if (tag.opener.endsWith("[")) body -= 1;
  if (tag.between !== undefined) {
    tag.between.lastIndex = body;
    const between = tag.between.exec(source.text)?.[0];
    if (between !== undefined) body += between.length;
    else if (tag.family === "gigachat") return undefined;
  }
  body = source.skipBlank(body);
  const first = source.text.charAt(body);
  if (tag.body === "object" ? first !== "{" : tag.body === "list" ? first !== "[" : first !== "{" && first !== "[") {
    return undefined;
  }
  const read = readJsonRun(source, body, tag.options ?? {});
  if (read === undefined) return undefined;
  const close = tag.close === undefined ? read.callsEnd : closeTagEnd(source, read.end, tag.close);
  if (close !== -1) return { calls: read.calls, end: close };
  if (tag.closeIsOwed === true && !isAtEnd(source, read.end)) return undefined;
  // Without a close tag, what follows the last call is text.
  return { calls: read.calls, end: tag.closeIsOwed === true ? read.end : read.callsEnd };
}

/** The calls of a run of objects. */
interface JsonRun {
  readonly calls: readonly RawCall[];
  readonly end: number;
  /** Where the last object or list with a call ends. */
  readonly callsEnd: number;
}

/** A list, or objects one after the other (line by line, or separated by `;`). Broken lines are left out. */
export function readJsonRun(source: Source, at: number, options: JsonBodyOptions): JsonRun | undefined {
  const first = readJsonBody(source, at, options);
  if (first === undefined) return undefined;
  const calls = [...first.calls];
  let { end } = first;
  let callsEnd = end;
  if (source.text.charAt(at) === "[") return runOrNone({ calls, end, callsEnd });
  for (;;) {
    let next = source.skipBlank(end);
    if (/[;,]/.test(source.text.charAt(next))) next = source.skipBlank(next + 1);
    if (source.text.charAt(next) !== "{") break;
    const body: { calls: readonly RawCall[]; end: number } | undefined =
      readJsonBody(source, next, options) ?? brokenLine(source, next);
    if (body === undefined) break;
    calls.push(...body.calls);
    end = body.end;
    if (body.calls.length > 0) callsEnd = end;
  }
  return runOrNone({ calls, end, callsEnd });
}

function runOrNone(run: JsonRun): JsonRun | undefined {
  return run.calls.length === 0 ? undefined : run;
}

/** A line that opens like an object and cannot be read, where another line follows. */
function brokenLine(source: Source, at: number): { calls: readonly RawCall[]; end: number } | undefined {
  const end = source.find("}\n", at);
  return end === -1 || source.find("\n", at) < end ? undefined : { calls: [], end: end + 1 };
}
