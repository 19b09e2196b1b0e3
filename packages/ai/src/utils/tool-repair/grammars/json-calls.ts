// The shared body of the JSON families: an object that names a tool and holds its arguments, or a list of such objects.
// An object that cannot be read is skipped and its siblings are kept; nothing is ever read out of a cut object.

import { isJsonObject, type JsonObject } from "../json-value.ts";
import { readLenientJson, readRawArguments } from "../read-raw-arguments.ts";
import type { RawCall } from "./grammar.ts";
import { jsonExtent } from "./json-extent.ts";
import type { Source } from "./source.ts";

const NAME_KEYS = ["name", "tool_name", "function", "tool", "_name"] as const;
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input"] as const;

/** Calls of one body and where it ends. */
export interface JsonBody {
  readonly calls: readonly RawCall[];
  readonly end: number;
  /** Objects that name nothing or cannot be read. */
  readonly unread: number;
}

/** How strictly a body is taken. */
export interface JsonBodyOptions {
  /** A call without an arguments key has none (otherwise it is no call). */
  readonly argumentsMayLack?: boolean;
  /** The object's one key is the tool's name. */
  readonly keyIsName?: boolean;
  /** A list whose end is missing counts when all its objects are whole. */
  readonly openList?: boolean;
}

/** The value at `at` when it is an object or a list that ends; lenient syntax, never a cut value. */
export function readJsonAt(source: Source, at: number): { readonly value: unknown; readonly end: number } | undefined {
  const end = jsonExtent(source, at);
  if (end === -1) return undefined;
  const read = readLenientJson(source.text.slice(at, end));
  return read.ok ? { value: read.value, end } : undefined;
}

/** The object at `at`, the way `readJsonAt` reads it; undefined where something else stands there. */
export function readJsonObjectAt(
  source: Source,
  at: number,
): { readonly value: JsonObject; readonly end: number } | undefined {
  const json = source.text.charCodeAt(at) === 123 ? readJsonAt(source, at) : undefined;
  return json !== undefined && isJsonObject(json.value) ? { value: json.value, end: json.end } : undefined;
}

/** The calls of the object or list at `at`; undefined where neither stands there, or it is cut. */
export function readJsonBody(source: Source, at: number, options: JsonBodyOptions = {}): JsonBody | undefined {
  const code = source.text.charCodeAt(at);
  if (code === 123) return readOne(source, at, options);
  return code === 91 ? readList(source, at, options) : undefined;
}

function readOne(source: Source, at: number, options: JsonBodyOptions): JsonBody | undefined {
  const end = jsonExtent(source, at);
  if (end === -1) return undefined;
  const call = readObject(source, at, end, options);
  return { calls: call === undefined ? [] : [call], end, unread: call === undefined ? 1 : 0 };
}

function readList(source: Source, at: number, options: JsonBodyOptions): JsonBody | undefined {
  const { text } = source;
  const calls: RawCall[] = [];
  let unread = 0;
  for (let next = source.skipBlank(at + 1); ; next = source.skipBlank(next)) {
    const code = text.charCodeAt(next);
    if (code === 93) return { calls, end: next + 1, unread };
    if (code === 44) {
      next += 1;
      continue;
    }
    const end = code === 123 ? jsonExtent(source, next) : -1;
    if (end === -1) {
      const skipped = code === 123 ? skipBroken(source, next) : -1;
      if (skipped !== -1) {
        unread += 1;
        next = skipped;
        continue;
      }
      const isCut = Number.isNaN(code) && options.openList === true && calls.length > 0;
      return isCut ? { calls, end: next, unread } : undefined;
    }
    const call = readObject(source, next, end, options);
    if (call === undefined) unread += 1;
    else calls.push(call);
    next = end;
  }
}

/** Past a broken object: the place where the next one of the list begins, or -1. */
function skipBroken(source: Source, at: number): number {
  const next = source.find("},", at);
  if (next === -1) return -1;
  const begin = source.skipBlank(next + 2);
  return source.text.charCodeAt(begin) === 123 ? begin : -1;
}

function readObject(source: Source, at: number, end: number, options: JsonBodyOptions): RawCall | undefined {
  const read = readLenientJson(source.text.slice(at, end));
  if (!read.ok || !isJsonObject(read.value)) return undefined;
  const call = options.keyIsName === true ? keyedCall(read.value) : callOf(read.value, options);
  return call === undefined ? undefined : { ...call, start: at, end };
}

/** The call that an object spells, or undefined. */
export function callOf(
  value: Readonly<Record<string, unknown>>,
  options: JsonBodyOptions = {},
): { readonly name: string; readonly arguments: unknown } | undefined {
  const inner = value["function"];
  if (isJsonObject(inner)) return "_name" in inner ? constrainedCall(inner) : callOf(inner, options);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === "string" && value[key] !== "");
  if (nameKey === undefined) return undefined;
  const name = value[nameKey] as string;
  const argumentsKey = ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key));
  if (argumentsKey === undefined) return options.argumentsMayLack === true ? { name, arguments: {} } : undefined;
  if (argumentsKey === "parameters" && isParameterSchema(value[argumentsKey])) return undefined;
  const sent = argumentsOf(value[argumentsKey]);
  return sent === undefined ? undefined : { name, arguments: sent };
}

/** Whether `parameters` are those of a tool's declaration, which looks like a call otherwise. */
function isParameterSchema(value: unknown): boolean {
  return isJsonObject(value) && value["type"] === "object" && isJsonObject(value["properties"]);
}

/** `{"NAME": {…}}`. */
function keyedCall(value: Readonly<Record<string, unknown>>): { name: string; arguments: unknown } | undefined {
  const [name, ...others] = Object.keys(value);
  if (name === undefined || others.length > 0 || !isJsonObject(value[name])) return undefined;
  return { name, arguments: value[name] };
}

/** `{"_name": "NAME", …arguments}`. */
function constrainedCall(inner: Readonly<Record<string, unknown>>): { name: string; arguments: unknown } | undefined {
  const { _name: name, ...rest } = inner;
  return typeof name === "string" ? { name, arguments: rest } : undefined;
}

/** An arguments value: an object, or a string that holds one. */
function argumentsOf(value: unknown): unknown {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string") return undefined;
  const read = readRawArguments(value);
  return read.ok && value.trim() !== "" ? read.value : undefined;
}
