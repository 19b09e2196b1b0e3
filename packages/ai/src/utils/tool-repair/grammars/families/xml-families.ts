// The XML families by their openers: `<function=N>`, `<function name="N">`, `<invoke name="N">`, their wrappers, and the
// DSML form of all of them. The body is shared; a vendor's prefix chooses which tags belong to it.

import { closeTagEnd } from "../close-tag.ts";
import type { Block, Grammar } from "../grammar.ts";
import { readPythonLines } from "../python-calls.ts";
import type { Source } from "../source.ts";
import { readXmlBlock } from "../xml-block.ts";
import type { XmlValues } from "../xml-call.ts";
import { DSML } from "../xml-tags.ts";

const PLAIN: XmlValues = { newlines: true, cdata: true, stringAttribute: true };
const MARKED: XmlValues = { newlines: false, stringAttribute: true };
/** The namespace that a vendor's models put before every tag. */
const VENDOR = "antml";
/** Any other element around a call belongs to a document that shows the call. */
const UNKNOWN_WRAPPER = /<([a-z_]{0,40}(?:call|tool|func|invoke|action)[a-z_]{0,40})>\s*$/;
const RECIPIENT = / ?to=[\w.-]{1,128}<\|message\|>$/;

function xml(family: string, openers: readonly string[], prefix: string, values: XmlValues, marked = true): Grammar {
  const read = (source: Source, at: number): Block | undefined => {
    const block = readXmlBlock(source, at, prefix, values);
    return block === undefined ? undefined : wrapped(source, at, block);
  };
  return { family, openers, marked, read };
}

/** A recipient line, or a wrapper whose word nobody knows but that speaks of calls, belongs to the call when it holds nothing else. */
function wrapped(source: Source, at: number, block: Block): Block {
  const before = source.text.slice(Math.max(0, at - 200), at);
  const recipient = RECIPIENT.exec(before);
  if (recipient !== null) return { ...block, start: at - recipient[0].length };
  const word = UNKNOWN_WRAPPER.exec(before);
  if (word === null) return block;
  const end = closeTagEnd(source, block.end, `</${word[1]}>`);
  return end === -1 ? block : { ...block, start: at - word[0].length, end };
}

/** `<function_calls>` holds either XML calls or one Python call a line. */
const FUNCTION_CALLS: Grammar = {
  family: "functionCalls",
  openers: ["<function_calls>"],
  marked: true,
  read: (source, at) => {
    const body = source.skipBlank(at + "<function_calls>".length);
    if (source.text.charAt(body) === "<") return readXmlBlock(source, at, "", PLAIN);
    const lines = readPythonLines(source, body);
    const end = lines === undefined ? -1 : closeTagEnd(source, lines.end, "</function_calls>");
    if (lines === undefined || end === -1) return undefined;
    return { calls: lines.calls.map((call) => ({ ...call, family: "olmo" })), end };
  },
};

export const XML_GRAMMARS: readonly Grammar[] = [
  FUNCTION_CALLS,
  xml("qwenCoder", ["<function="], "", PLAIN),
  xml("minicpm", ["<function name=", "<function\u0120name="], "", PLAIN),
  xml("invoke", ["<invoke ", "<minimax:tool_call>"], "", PLAIN),
  xml("seed", ["<seed:tool_call>"], "", PLAIN),
  xml("muse", ["<atem:function_calls>", "<atem:invoke"], "atem", MARKED),
  xml(VENDOR, [`<${VENDOR}:function_calls>`, `<${VENDOR}:invoke`], VENDOR, PLAIN),
  xml(
    "dsml",
    ["<｜DSML", "<｜｜DSML", "<|DSML", "<||DSML", "<DSML", "< | DSML", "< ｜ DSML", "<｜ DSML"],
    DSML,
    MARKED,
  ),
];
