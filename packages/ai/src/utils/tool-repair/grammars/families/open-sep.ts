// Kimi K3: elements between `<|open|>` and `<|close|>` tokens, attributes with XML entities, arguments with a JSON type.

import type { Block, Grammar, Range, RawCall } from "../grammar.ts";
import { setOwn } from "../python-literal.ts";
import type { Source } from "../source.ts";

/** No token stands among the attributes. */
const ELEMENT = /<\|open\|>([a-z]{1,20})((?:(?!<\|)[^\n]){0,400})<\|sep\|>/y;
const ATTRIBUTE = /([a-z]{1,20})="([^"]{0,200})"/g;
const CALL_END = "<|close|>call<|sep|>";
const ARGUMENT_END = "<|close|>argument<|sep|>";
const CLOSE = /<\|close\|>[a-z]{1,20}<\|sep\|>/y;

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

function elementAt(source: Source, at: number): Element | undefined {
  ELEMENT.lastIndex = at;
  const match = ELEMENT.exec(source.text);
  if (match === null || !source.spend(64)) return undefined;
  const attributes = new Map<string, string>();
  for (const [, key = "", value = ""] of (match[2] as string).matchAll(ATTRIBUTE)) attributes.set(key, decoded(value));
  return { name: match[1] as string, attributes, end: ELEMENT.lastIndex };
}

function decoded(value: string): string {
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

function read(source: Source, at: number): Block | undefined {
  const calls: RawCall[] = [];
  const prose: Range[] = [];
  let end = at;
  for (let next = at; ; next = source.skipBlank(end)) {
    CLOSE.lastIndex = next;
    const close = CLOSE.exec(source.text);
    if (close !== null) {
      end = next + close[0].length;
      continue;
    }
    const element = elementAt(source, next);
    if (element === undefined) break;
    if (element.name === "call") {
      const call = readCall(source, next, element);
      if (call === undefined) break;
      calls.push(call);
      end = call.end;
    } else if (element.name === "tools") end = element.end;
    else {
      const found = source.find("<|close|>", element.end);
      const textEnd = found === -1 ? source.text.length : found;
      prose.push({ start: element.end, end: textEnd });
      end = textEnd;
    }
  }
  return end === at ? undefined : { calls, end, prose };
}

function readCall(source: Source, start: number, element: Element): RawCall | undefined {
  const name = element.attributes.get("tool");
  const args: Record<string, unknown> = {};
  for (let next = source.skipBlank(element.end); name !== undefined; ) {
    if (source.startsWith(CALL_END, next)) return { name, arguments: args, start, end: next + CALL_END.length };
    const argument = elementAt(source, next);
    const key = argument?.name === "argument" ? argument.attributes.get("key") : undefined;
    const end = argument === undefined ? -1 : source.find(ARGUMENT_END, argument.end);
    if (argument === undefined || key === undefined || end === -1) return undefined;
    setOwn(args, key, attributeValue(source.text.slice(argument.end, end), argument.attributes.get("type")));
    next = source.skipBlank(end + ARGUMENT_END.length);
  }
  return undefined;
}

function attributeValue(text: string, type: string | undefined): unknown {
  if (type === undefined || type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const OPEN_SEP: Grammar = { family: "kimiElements", openers: ["<|open|>", "<|close|>"], marked: true, read };
