// Python calls between tokens: LFM2's `<|tool_call_start|>[f(a=1)]<|tool_call_end|>` and Llama 4's `<|python_start|>[…]`.

import { closeTagEnd } from "../close-tag.ts";
import type { Block, Grammar } from "../grammar.ts";
import { readJsonBody } from "../json-calls.ts";
import { readPythonList } from "../python-calls.ts";
import type { Source } from "../source.ts";

function list(family: string, open: string, close: string): Grammar {
  const read = (source: Source, at: number): Block | undefined => {
    const body = source.skipBlank(at + open.length);
    const found = readPythonList(source, body) ?? readJsonBody(source, body);
    if (found === undefined || found.calls.length === 0) return undefined;
    const end = closeTagEnd(source, found.end, close);
    if (end === -1) return { calls: found.calls, end: found.end };
    // Some outputs repeat the body after its end: the same text is the same call.
    const echo = source.text.slice(body, found.end);
    const echoEnd = source.startsWith(echo, end) ? closeTagEnd(source, end + echo.length, close) : -1;
    return { calls: found.calls, end: echoEnd === -1 ? end : echoEnd };
  };
  return { family, openers: [open], marked: true, read };
}

export const PYTHON_LIST_GRAMMARS: readonly Grammar[] = [
  list("lfm", "<|tool_call_start|>", "<|tool_call_end|>"),
  list("llama4", "<|python_start|>", "<|python_end|>"),
];
