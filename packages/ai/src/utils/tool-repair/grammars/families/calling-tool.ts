// `[Calling tool: N({…})]`: how some quantised models echo a call of the history.

import type { Block, Grammar } from "../grammar.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";

const HEAD = /\[(?:Calling tool:\s*)?([A-Za-z_][\w.\-/]{0,127})\(\s*/y;
const TAIL = /\s*\)\s*\]/y;

/** `[N({json})]` at `at`, with or without the words before the name. */
export function readBracketCall(source: Source, at: number): Block | undefined {
  HEAD.lastIndex = at;
  const head = HEAD.exec(source.text);
  if (head === null || source.text.charAt(HEAD.lastIndex) !== "{") return undefined;
  const json = readJsonObjectAt(source, HEAD.lastIndex);
  if (json === undefined) return undefined;
  TAIL.lastIndex = json.end;
  const tail = TAIL.exec(source.text);
  if (tail === null) return undefined;
  const end = json.end + tail[0].length;
  return { calls: [{ name: head[1] as string, arguments: json.value, start: at, end }], end };
}

export const CALLING_TOOL: Grammar = {
  family: "callingTool",
  openers: ["[Calling tool:"],
  marked: false,
  read: readBracketCall,
};
