// What the text of an XML parameter means under its schema: text where the schema takes only text, otherwise the one typed
// reading that fits, otherwise the text as it stands. It never invents a value: what fits no type is left to the repair.

import { decodeSegment } from "../json-pointer.ts";
import { isJsonObject } from "../json-value.ts";
import { readLenientJson } from "../read-raw-arguments.ts";

type Kind = "string" | "number" | "integer" | "boolean" | "null" | "object" | "array" | "unknown";

const MAX_SCHEMA_STEPS = 32;
const INTEGER = /^[+-]?\d{1,16}$/;
const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/;

/**
 * The value that `text` means where `schema` governs it. `schema` undefined is a parameter without a schema: text, unless
 * it is a JSON object or list. `root` resolves references.
 */
export function typedValue(text: string, schema: unknown, root: unknown): unknown {
  const kinds = kindsOf(schema, root);
  const word = text.trim();
  if (kinds.size === 0) return containerOf(word) ?? text;
  if (kinds.size === 1 && kinds.has("string")) return text;
  if (kinds.has("null") && (/^null$/i.test(word) || word === "None")) return null;
  if (kinds.has("boolean") && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === "true";
  const number = kinds.has("number") || kinds.has("integer") ? numberOf(word, kinds) : undefined;
  if (number !== undefined) return number;
  if (kinds.has("object") || kinds.has("array") || kinds.has("unknown")) {
    const value = containerOf(word);
    if (value !== undefined && (kinds.has(Array.isArray(value) ? "array" : "object") || kinds.has("unknown")))
      return value;
  }
  return text;
}

/** The schema of one parameter of a tool, or undefined where the tool's schema says nothing of it. */
export function parameterSchema(parameters: unknown, name: string): unknown {
  const properties = isJsonObject(parameters) ? parameters["properties"] : undefined;
  return isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The names of the parameters that a tool's schema declares; undefined where it declares none. */
export function declaredParameters(parameters: unknown): readonly string[] | undefined {
  const properties = isJsonObject(parameters) ? parameters["properties"] : undefined;
  return isJsonObject(properties) && Object.keys(properties).length > 0 ? Object.keys(properties) : undefined;
}

/** The JSON kinds that a schema takes, empty where it says nothing. */
export function kindsOf(schema: unknown, root: unknown): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  const queue: unknown[] = [schema];
  for (let steps = 0; queue.length > 0 && steps < MAX_SCHEMA_STEPS; steps++) {
    const node = queue.shift();
    if (!isJsonObject(node)) continue;
    const { type } = node;
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === "string") kinds.add(kindOf(name));
    for (const value of [...listOf(node["enum"]), ...("const" in node ? [node["const"]] : [])])
      kinds.add(kindOfValue(value));
    queue.push(...listOf(node["anyOf"]), ...listOf(node["oneOf"]), ...listOf(node["allOf"]));
    if (typeof node["$ref"] === "string") queue.push(referenced(node["$ref"], root));
    if (type === undefined && isJsonObject(node["properties"])) kinds.add("object");
    if (node["nullable"] === true) kinds.add("null");
  }
  return kinds;
}

function kindOf(type: string): Kind {
  const name = type.toLowerCase();
  if (/^(?:str|text|char)/.test(name)) return "string";
  if (/^u?int|^long/.test(name)) return "integer";
  if (/^(?:num|float|double|decimal)/.test(name)) return "number";
  if (name.startsWith("bool")) return "boolean";
  if (name === "null" || name === "none") return "null";
  if (/^(?:obj|dict|map)/.test(name)) return "object";
  return /^(?:arr|list|tuple|set)/.test(name) ? "array" : "unknown";
}

function kindOfValue(value: unknown): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object" ? type : "unknown";
}

/** The node that a local reference below the root names, through objects only; undefined for every other reference. */
export function referenced(reference: string, root: unknown): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = decodeSegment(part);
    node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

function numberOf(word: string, kinds: ReadonlySet<Kind>): number | undefined {
  if (INTEGER.test(word)) {
    const value = Number(word);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  if (!NUMBER.test(word)) return undefined;
  const value = Number(word);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[eE]/.test(word)))
    return undefined;
  return kinds.has("number") || Number.isInteger(value) ? value : undefined;
}

/** The object or list that the text spells, in JSON, in Python, or encoded once more; undefined where it spells none. */
function containerOf(word: string): unknown {
  if (!/^(?:[{[]|"\s*[{[]|\\?")/.test(word)) return undefined;
  const read = readLenientJson(word);
  return read.ok && typeof read.value === "object" && read.value !== null ? read.value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
