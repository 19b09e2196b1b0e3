// The clean path: one pass that says "surely valid and surely not suspect". It knows only what most tools are made of
// (objects and lists of bare text, numbers and booleans) and is asked before pi-schema, which stays the judge of
// everything it does not accept. A format on a path field alone costs pi-schema more than this whole pass.

import { isJsonObject, type JsonObject } from "./json-value.ts";
import { isPathFormat, isPlainPath } from "./path-debris.ts";

type Check = (value: unknown) => boolean;

const TEXT = 1;
const NUMBER = 2;
const INTEGER = 3;
const BOOLEAN = 4;
const PATH = 5;
const NESTED = 6;

const CODES: Readonly<Record<string, number>> = { string: TEXT, number: NUMBER, integer: INTEGER, boolean: BOOLEAN };
/** Keywords that assert nothing; any keyword not named here or handled below makes the schema not plain. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "$schema", "$comment"]);

interface Plain {
  readonly code: number;
  readonly check: Check;
}

/**
 * The quick check for a schema, or undefined where it holds anything but objects, lists and bare types.
 * True means: valid under `schema`, every path field plain for a model of any gate. False means nothing.
 */
export function plainCallCheck(schema: object): Check | undefined {
  return plainObject(schema)?.check;
}

function plainOf(node: unknown): Plain | undefined {
  if (!isJsonObject(node)) return undefined;
  if (node["type"] === "object") return plainObject(node);
  if (node["type"] === "array") return plainList(node);
  const isPath = node["type"] === "string" && isPathFormat(node["format"]);
  const code = isPath ? PATH : CODES[String(node["type"])];
  if (code === undefined || !hasOnly(node, isPath ? ["type", "format"] : ["type"])) return undefined;
  return { code, check: (value) => holds(code, NEVER, value) };
}

function plainList(node: JsonObject): Plain | undefined {
  const item = plainOf(node["items"]);
  if (item === undefined || !hasOnly(node, ["type", "items"])) return undefined;
  const { code, check } = item;
  const list: Check = (value) => {
    if (!Array.isArray(value)) return false;
    for (let i = 0; i < value.length; i++) if (!holds(code, check, value[i])) return false;
    return true;
  };
  return { code: NESTED, check: list };
}

function plainObject(node: object): Plain | undefined {
  const { properties, required = [], additionalProperties } = node as JsonObject;
  if (!isJsonObject(properties) || !Array.isArray(required)) return undefined;
  if (additionalProperties !== undefined && typeof additionalProperties !== "boolean") return undefined;
  const isClosed = additionalProperties === false;
  if (!hasOnly(node as JsonObject, ["type", "properties", "required", "additionalProperties"])) return undefined;
  const keys = Object.keys(properties);
  if (!required.every((key) => keys.includes(key)) || keys.some((key) => key in Object.prototype)) return undefined;
  // One flat list (key, code, check, 1 where required): a call reads it front to back.
  const entries: unknown[] = [];
  for (const key of keys) {
    const plain = plainOf(properties[key]);
    if (plain === undefined) return undefined;
    entries.push(key, plain.code, plain.check, required.includes(key) ? 1 : 0);
  }
  const length = entries.length;
  const needed = new Set(required).size;
  const check: Check = (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let found = 0;
    let at = 0;
    for (const key in value) {
      // Keys mostly come in schema order: the entry after the last match is tried first.
      if (entries[at] !== key) {
        at = 0;
        while (at < length && entries[at] !== key) at += 4;
        if (at === length) {
          if (isClosed) return false;
          continue;
        }
      }
      if (!holds(entries[at + 1] as number, entries[at + 2] as Check, (value as JsonObject)[key])) return false;
      found += entries[at + 3] as number;
      at += 4;
    }
    return found === needed;
  };
  return { code: NESTED, check };
}

function holds(code: number, check: Check, value: unknown): boolean {
  switch (code) {
    case TEXT:
      return typeof value === "string";
    case NUMBER:
      return Number.isFinite(value);
    case INTEGER:
      return Number.isInteger(value);
    case BOOLEAN:
      return typeof value === "boolean";
    case PATH:
      return typeof value === "string" && isPlainPath(value);
    default:
      return check(value);
  }
}

const NEVER: Check = () => false;

function hasOnly(node: JsonObject, words: readonly string[]): boolean {
  return Object.keys(node).every((word) => words.includes(word) || ANNOTATIONS.has(word));
}
