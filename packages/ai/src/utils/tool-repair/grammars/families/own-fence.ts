// Calls whose grammar has a code fence of its own: a fence tagged `tool` or `tool_call`, the `Action:` label before a JSON
// fence, and MiniMax Text-01's TypeScript fence. Any other fence is code.

import type { Block, Grammar } from "../grammar.ts";
import { startsLine } from "../invisible.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";
import { readJsonRun } from "./json-tag.ts";

const TAGGED = /```+(?:tool|tool_call|tool_calls)[ \t]*\r?\n\s*/y;
const ACTION = /Action:\s*```+(?:json)?\s*/y;
const TYPESCRIPT = /<function_call>\s*```+(?:typescript|ts)\s*functions\.([A-Za-z_][\w.-]{0,127})\(\s*/y;
/** A token of the chat format may stand behind the fence. */
const FENCE_END = /\s*```+[ \t]*(?=\r?\n|$|<[|｜/])/y;
const TYPESCRIPT_END = /\s*\)\s*(?:;\s*)?```+/y;

function fenced(open: RegExp) {
  return (source: Source, at: number): Block | undefined => {
    if (!startsLine(source.text, at)) return undefined;
    open.lastIndex = at;
    const head = open.exec(source.text);
    if (head === null) return undefined;
    const read = readJsonRun(source, open.lastIndex, { argumentsMayLack: false });
    if (read === undefined) return undefined;
    FENCE_END.lastIndex = read.end;
    const close = FENCE_END.exec(source.text);
    return close === null ? undefined : { calls: read.calls, end: read.end + close[0].length };
  };
}

function readTypescript(source: Source, at: number): Block | undefined {
  TYPESCRIPT.lastIndex = at;
  const head = TYPESCRIPT.exec(source.text);
  if (head === null) return undefined;
  const json = readJsonObjectAt(source, TYPESCRIPT.lastIndex);
  if (json === undefined) return undefined;
  TYPESCRIPT_END.lastIndex = json.end;
  const close = TYPESCRIPT_END.exec(source.text);
  if (close === null) return undefined;
  const end = json.end + close[0].length;
  return { calls: [{ name: head[1] as string, arguments: json.value, start: at, end }], end };
}

export const OWN_FENCE_GRAMMARS: readonly Grammar[] = [
  { family: "toolFence", openers: ["```tool"], marked: false, read: fenced(TAGGED) },
  { family: "commandR", openers: ["Action:"], marked: false, read: fenced(ACTION) },
  { family: "minimaxText", openers: ["<function_call>"], marked: false, read: readTypescript },
];
