// The shared body of the XML families: a call's parameters, each closed by the tag that is structure. Values are not escaped
// in these grammars, so a value may hold the very tags that end it: an end tag counts only where a tag that may follow
// it does, and calls inside a value are counted, not read.

import type { RepairTool } from "../types.ts";
import type { RawCall } from "./grammar.ts";
import { readJsonObjectAt } from "./json-calls.ts";
import type { Source } from "./source.ts";
import { declaredParameters, parameterSchema, typedValue } from "./typed-value.ts";
import type { Tag } from "./xml-tags.ts";

/** How a family writes its values. */
export interface XmlValues {
  /** One newline at each side of a value is layout. */
  readonly newlines: boolean;
  /** A `string` attribute says whether a value is text (`true`) or JSON (`false`). */
  readonly stringAttribute?: boolean;
  readonly cdata?: boolean;
}

const QUOTED = /^(["'])(.*)\1$/;

/** One call that was read, and the index of the first tag after it. */
export interface XmlCall {
  readonly call: RawCall;
  readonly next: number;
}

/** Reads the call whose opening tag is `tags[index]`; undefined where it is cut or no call. */
export function readXmlCall(
  source: Source,
  tags: readonly Tag[],
  index: number,
  values: XmlValues,
): XmlCall | undefined {
  const open = tags[index] as Tag;
  // A tag that closes itself declares something, it calls nothing.
  if (open.name.trim() === "" || open.isEmpty) return undefined;
  const tool = source.tools.resolve(open.name);
  const body = source.skipBlank(open.end);
  if (source.text.charCodeAt(body) === 123) return readJsonCall(source, tags, index, body);
  const declared = tool === undefined ? undefined : declaredParameters(tool.parameters);
  const reader = new ParameterReader(source, tags, declared, open);
  const found = reader.read(index + 1);
  if (found === undefined) return undefined;
  const args: Record<string, unknown> = {};
  for (const parameter of found.parameters) {
    const value = parameterValue(parameter, tool, values);
    Object.defineProperty(args, parameter.name, { value, enumerable: true, configurable: true, writable: true });
  }
  return { call: { name: open.name, arguments: args, start: open.start, end: found.end }, next: found.next };
}

/** A call whose body is one JSON object: the arguments, or an object that holds them. */
function readJsonCall(source: Source, tags: readonly Tag[], index: number, body: number): XmlCall | undefined {
  const open = tags[index] as Tag;
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  let next = index + 1;
  while (next < tags.length && (tags[next] as Tag).start < json.end) next += 1;
  const close = tags[next];
  if (close === undefined || !source.isBlank(json.end, close.start)) return undefined;
  if (close.kind !== "callEnd" && close.kind !== "wrapperEnd") return undefined;
  const end = close.kind === "callEnd" ? close.end : close.start;
  const call: RawCall = { name: open.name, arguments: json.value, start: open.start, end };
  return { call, next: close.kind === "callEnd" ? next + 1 : next };
}

interface Parameter {
  readonly tag: Tag;
  readonly name: string;
  readonly text: string;
}

function parameterValue(parameter: Parameter, tool: RepairTool | undefined, values: XmlValues): unknown {
  const { tag } = parameter;
  const isText = values.stringAttribute === true ? /\bstring=["']?(true|false)/.exec(tag.attributes)?.[1] : undefined;
  let { text } = parameter;
  if (isText === "true") return text;
  if (values.newlines) text = text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  if (values.cdata === true && text.startsWith("<![CDATA[") && text.endsWith("]]>")) text = text.slice(9, -3);
  if (isText === "false") {
    try {
      return JSON.parse(text);
    } catch {
      // Not JSON after all: the schema decides.
    }
  }
  return typedValue(text, parameterSchema(tool?.parameters, parameter.name), tool?.parameters);
}

/** Where one value ends: at which offset, and with which tag reading goes on. */
interface ValueEnd {
  readonly at: number;
  readonly next: number;
}

class ParameterReader {
  private readonly source: Source;
  private readonly tags: readonly Tag[];
  private readonly declared: ReadonlySet<string> | undefined;
  private readonly seen = new Set<string>();
  private readonly open: Tag;

  constructor(source: Source, tags: readonly Tag[], declared: readonly string[] | undefined, open: Tag) {
    this.source = source;
    this.tags = tags;
    this.declared = declared === undefined ? undefined : new Set(declared);
    this.open = open;
  }

  /** The parameters from tag `index` on up to the call's end; undefined where the call is cut or holds other text. */
  read(index: number): { parameters: readonly Parameter[]; end: number; next: number } | undefined {
    const { source, tags } = this;
    const parameters: Parameter[] = [];
    let at = this.open.end;
    for (let next = index; ; ) {
      const tag = tags[next];
      if (tag === undefined || !source.isBlank(at, tag.start)) return undefined;
      if (tag.kind === "callEnd") return { parameters, end: tag.end, next: next + 1 };
      // The call's own end is missing before its wrapper's: every value is closed, so nothing is cut.
      if (tag.kind === "wrapperEnd" && (parameters.length > 0 || this.open.assigned))
        return { parameters, end: tag.start, next };
      if (tag.kind !== "parameter" || tag.name === "" || tag.isEmpty) return undefined;
      const name = this.nameOf(tag);
      this.seen.add(name);
      const end = this.valueEnd(next + 1, tag);
      if (end === undefined) return undefined;
      parameters.push({ tag, name, text: source.text.slice(tag.end, end.at) });
      next = end.next;
      at = next > 0 && (tags[next - 1] as Tag).kind === "parameterEnd" ? (tags[next - 1] as Tag).end : end.at;
    }
  }

  /** The parameter's name without quotation marks that the tool knows nothing of (`<parameter="key">`). */
  private nameOf({ name }: Tag): string {
    const bare = name.replace(QUOTED, "$2");
    return this.declared?.has(name) !== true && this.declared?.has(bare) === true ? bare : name;
  }

  private valueEnd(from: number, current: Tag): ValueEnd | undefined {
    const { source, tags } = this;
    let nested = 0;
    for (let index = from; index < tags.length; index++) {
      if (!source.spend(8)) return undefined;
      const tag = tags[index] as Tag;
      if (tag.kind === "call") nested += 1;
      else if (tag.kind === "callEnd" && nested > 0) nested -= 1;
      else if (nested > 0) continue;
      else if (tag.kind === "callEnd") {
        if (this.endsCall(index)) return { at: tag.start, next: index };
      } else if (tag.kind === "parameterEnd") {
        if (this.mayFollow(index)) return { at: tag.start, next: index + 1 };
      } else if (tag.kind === "parameter" && this.splitsValue(index, current)) return { at: tag.start, next: index };
    }
    return undefined;
  }

  /** Whether a parameter's end tag is followed by what may follow one. */
  private mayFollow(index: number): boolean {
    const tag = this.tags[index] as Tag;
    const follower = this.tags[index + 1];
    if (follower === undefined || !this.source.isBlank(tag.end, follower.start)) return false;
    if (follower.kind === "callEnd" || follower.kind === "wrapperEnd") return true;
    if (follower.kind !== "parameter") return false;
    const name = this.nameOf(follower);
    const isKnown = this.declared === undefined || this.declared.has(name);
    return (isKnown && !this.seen.has(name)) || this.isWhole(index + 1);
  }

  /** A parameter without its end tag: the next one is declared, new, and whole. */
  private splitsValue(index: number, current: Tag): boolean {
    const name = this.nameOf(this.tags[index] as Tag);
    if (this.declared?.has(name) !== true || this.seen.has(name) || name === this.nameOf(current)) return false;
    return this.isWhole(index);
  }

  /** Whether the next end tag after a parameter's opening tag is followed by structure. */
  private isWhole(index: number): boolean {
    const { tags, source } = this;
    for (let next = index + 1; next < tags.length; next++) {
      if (!source.spend(8)) return false;
      const tag = tags[next] as Tag;
      if (tag.kind === "callEnd") return this.endsCall(next);
      if (tag.kind !== "parameterEnd") continue;
      const follower = tags[next + 1];
      if (follower === undefined || !source.isBlank(tag.end, follower.start)) return false;
      return follower.kind === "parameter" || follower.kind === "callEnd" || follower.kind === "wrapperEnd";
    }
    return false;
  }

  /** Whether a call's end tag stands where one may: before a wrapper's end, another call, or the end of the text. */
  private endsCall(index: number): boolean {
    const { tags, source } = this;
    const tag = tags[index] as Tag;
    const follower = tags[index + 1];
    if (follower === undefined) return source.isBlank(tag.end, source.text.length);
    if (!source.isBlank(tag.end, follower.start)) return false;
    return follower.kind === "wrapperEnd" || follower.kind === "wrapper" || follower.kind === "call";
  }
}
