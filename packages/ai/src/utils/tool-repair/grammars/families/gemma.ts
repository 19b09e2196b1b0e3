// Gemma's calls: `call:N{k:<|"|>text<|"|>,n:1}` with or without the tokens around it, and FunctionGemma's form of the same.

import { isJsonObject } from "../../json-value.ts";
import { closeTagEnd } from "../close-tag.ts";
import type { Block, Grammar } from "../grammar.ts";
import { startsLine } from "../invisible.ts";
import type { Source } from "../source.ts";
import { readTokenLiteral } from "../token-literal.ts";

const CALL = /:?\s*(?:call:\s*)?([A-Za-z_][\w.\-/]{0,127})\s*(?=\{)/y;
const CLOSERS = ["<tool_call|>", "<end_function_call>", "</call>", "<turn|>"];

function reader(bare: boolean) {
  return (source: Source, at: number, opener: string): Block | undefined => {
    if (bare && source.text.charAt(at - 1) !== ">" && !startsLine(source.text, at)) return undefined;
    CALL.lastIndex = bare ? at : at + opener.length;
    const head = CALL.exec(source.text);
    if (head === null) return undefined;
    const name = head[1] as string;
    if (bare && source.tools.exact(name) === undefined) return undefined;
    const body = CALL.lastIndex;
    const args = readTokenLiteral(source, body, '<|"|>') ?? readTokenLiteral(source, body, "<escape>");
    if (args === undefined || !isJsonObject(args.value)) return undefined;
    let { end } = args;
    for (const close of CLOSERS) {
      const closed = closeTagEnd(source, end, close);
      if (closed !== -1) end = closed;
    }
    return { calls: [{ name, arguments: args.value, start: at, end }], end, endsMessage: bare };
  };
}

export const GEMMA_GRAMMARS: readonly Grammar[] = [
  { family: "gemma", openers: ["<|tool_call>", "<start_function_call>"], marked: true, read: reader(false) },
  { family: "gemmaBare", openers: ["<call>"], marked: false, read: reader(false) },
  { family: "gemmaBare", openers: ["call:"], marked: false, read: reader(true) },
];
