// pi-mend's own envelope: `<pi:call name="N">{json}</pi:call>`. The JSON is scanned first and the close tag is looked for
// after it, so an argument may hold the close tag as text.

import { afterOptional, closeTagEnd } from "../close-tag.ts";
import type { Block, Grammar, RawCall } from "../grammar.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";
import { readToolCallTag } from "./tool-call-tag.ts";

/** Another attribute beside the name says nothing. */
const OPEN =
  /<pi:call(?:\s+(?!name\b)[\w:-]{1,32}\s*=\s*(?:"[^"<>\n]{0,128}"|'[^'<>\n]{0,128}')){0,4}\s+name\s*=\s*(?:"([^"<>\n]{1,128})"|'([^'<>\n]{1,128})'|([\w.:-]{1,128}))(?:\s+[\w:-]{1,32}\s*=\s*(?:"[^"<>\n]{0,128}"|'[^'<>\n]{0,128}')){0,4}\s*(\/?)>/y;
const CLOSE = "</pi:call>";

/** The opening tag at `at`: the tool it names and where it ends. */
export function piCallOpening(source: Source, at: number): { name: string; end: number; isEmpty: boolean } | undefined {
  OPEN.lastIndex = at;
  const match = OPEN.exec(source.text);
  if (match === null) return undefined;
  return { name: (match[1] ?? match[2] ?? match[3]) as string, end: OPEN.lastIndex, isEmpty: match[4] === "/" };
}

/** The call at `at`; undefined where its JSON is cut or broken, or its close tag is missing. */
export function readPiCall(source: Source, at: number): Block | undefined {
  const opening = piCallOpening(source, at);
  if (opening === undefined) return undefined;
  const { name, isEmpty } = opening;
  if (isEmpty) return { calls: [{ name, arguments: {}, start: at, end: opening.end }], end: opening.end };
  const body = source.skipBlank(opening.end);
  const empty = closeTagEnd(source, body, CLOSE);
  if (empty !== -1 && source.startsWith(CLOSE, body)) return { calls: [call(name, {}, at, empty)], end: empty };
  if (source.startsWith("<tool_call>", body)) return readNested(source, at, body);
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  const close = source.skipBlank(json.end);
  if (!source.startsWith(CLOSE, close)) return undefined;
  const end = close + CLOSE.length;
  return { calls: [call(name, json.value, at, end)], end };
}

function call(name: string, args: unknown, start: number, end: number): RawCall {
  return { name, arguments: args, start, end };
}

/** Another envelope inside this one: the inner one holds the call. */
function readNested(source: Source, at: number, body: number): Block | undefined {
  const inner = readToolCallTag(source, body);
  return inner === undefined ? undefined : { ...inner, start: at, end: afterOptional(source, inner.end, CLOSE) };
}

export const PI_CALL: Grammar = { family: "piCall", openers: ["<pi:call"], marked: true, read: readPiCall };
