// MiniMax M3: every tag has a marker before it, and parameters are elements named after the key, nested as the value is.

import { isJsonObject } from "../../json-value.ts";
import type { Block, Grammar, RawCall } from "../grammar.ts";
import { setOwn } from "../python-literal.ts";
import type { Source } from "../source.ts";
import { typedValue } from "../typed-value.ts";

const MARK = "<]minimax[>[";
const TAG = /\]<\]minimax\[>\[<(\/?)([^<>\n]{1,200})>/y;
const INVOKE = /^invoke name="([^"]{1,128})"$/;
const MAX_DEPTH = 32;

interface ElementTag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  readonly end: number;
}

function nextTag(source: Source, at: number): ElementTag | undefined {
  const found = source.find(`]${MARK}`, at);
  if (found === -1 || !source.spend(16)) return undefined;
  TAG.lastIndex = found;
  const match = TAG.exec(source.text);
  if (match === null) return undefined;
  return { name: match[2] as string, isEnd: match[1] === "/", start: found, end: TAG.lastIndex };
}

function read(source: Source, at: number): Block | undefined {
  const start = source.text.charAt(at - 1) === "]" ? at - 1 : at;
  let tag = nextTag(source, start);
  if (tag === undefined || tag.start !== start) return undefined;
  let end = start;
  if (tag.name === "tool_call" && !tag.isEnd) {
    end = tag.end;
    tag = nextTag(source, end);
  }
  const calls: RawCall[] = [];
  while (tag !== undefined && source.isBlank(end, tag.start)) {
    const name = INVOKE.exec(tag.name)?.[1];
    if (name === undefined) {
      if (tag.isEnd && tag.name === "tool_call" && calls.length > 0) end = tag.end;
      break;
    }
    const schema = source.tools.resolve(name)?.parameters;
    const content = readContent(source, tag, "invoke", schema, schema, 0);
    if (content === undefined) break;
    const args = isJsonObject(content.value) ? content.value : {};
    calls.push({ name, arguments: args, start: tag.start, end: content.end });
    end = content.end;
    tag = nextTag(source, end);
  }
  return calls.length === 0 ? undefined : { calls, start, end };
}

/** The value inside the element that `open` begins, and the end of its end tag; undefined where it is cut. */
function readContent(
  source: Source,
  open: ElementTag,
  closeName: string,
  schema: unknown,
  root: unknown,
  depth: number,
): { value: unknown; end: number } | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const children: [string, unknown][] = [];
  for (let at = open.end; ; ) {
    const tag = nextTag(source, at);
    if (tag === undefined) return undefined;
    if (tag.isEnd) {
      if (tag.name !== closeName) return undefined;
      if (children.length > 0) return { value: collected(children), end: tag.end };
      const text = source.text.slice(open.end, tag.start);
      return { value: depth === 0 ? {} : typedValue(text, schema, root), end: tag.end };
    }
    const child = readContent(source, tag, tag.name, childSchema(schema, tag.name), root, depth + 1);
    if (child === undefined) return undefined;
    children.push([tag.name, child.value]);
    at = child.end;
  }
}

function childSchema(schema: unknown, name: string): unknown {
  if (!isJsonObject(schema)) return undefined;
  if (isJsonObject(schema["items"])) return schema["items"];
  const { properties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return isJsonObject(schema["additionalProperties"]) ? schema["additionalProperties"] : undefined;
}

/** `item` elements are a list; a repeated name is a list under that name. */
function collected(children: readonly (readonly [string, unknown])[]): unknown {
  if (children.every(([name]) => name === "item")) return children.map(([, value]) => value);
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of children) {
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [value]);
    else list.push(value);
  }
  const value: Record<string, unknown> = {};
  for (const [name, list] of lists) setOwn(value, name, list.length === 1 ? list[0] : list);
  return value;
}

export const ELEMENT_TAGS: Grammar = { family: "minimaxElements", openers: [MARK], marked: true, read };
