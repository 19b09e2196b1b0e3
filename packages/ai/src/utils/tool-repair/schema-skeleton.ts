// Two bounded texts made from a schema: the fragment that a place expects, and one correct skeleton of a whole call.

import { isSoftlyClosed } from "./hinted-schema.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { isPathFormat } from "./path-debris.ts";
import { nodeAt } from "./schema-index.ts";
import type { SubSchema } from "./sub-schema.ts";

const FRAGMENT_LIMIT = 320;
const SKELETON_LIMIT = 600;
const KEPT_WORDS = [
  "type",
  "enum",
  "const",
  "items",
  "prefixItems",
  "properties",
  "required",
  "additionalProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
];

const FRAGMENTS = new WeakMap<SubSchema, string>();

/** The schema at one place as compact JSON without prose, at most 320 characters; deeper levels go first. */
export function schemaFragment(schema: SubSchema | undefined): string {
  if (schema === undefined) return "";
  let fragment = FRAGMENTS.get(schema);
  if (fragment === undefined) {
    fragment = fragmentOf(schema);
    FRAGMENTS.set(schema, fragment);
  }
  return fragment;
}

function fragmentOf(schema: SubSchema): string {
  const node = schema.written();
  if (node === undefined) return "";
  for (const depth of [3, 2, 1, 0]) {
    const text = JSON.stringify(trimmed(node, depth, schema));
    if (text.length <= FRAGMENT_LIMIT) return text;
  }
  const text = JSON.stringify({ type: node["type"] });
  return text.length <= FRAGMENT_LIMIT ? text : "";
}

/**
 * One call's arguments with every required field and those named in `also`, at most 600 characters; undefined where the
 * schema is no object.
 */
export function callSkeleton(root: object, also: ReadonlySet<string>): string | undefined {
  for (const [depth, shown] of [
    [8, also],
    [8, NONE],
    [4, NONE],
    [3, NONE],
    [2, NONE],
    [1, NONE],
  ] as const) {
    const value = exampleOf(root, root as JsonObject, depth, shown);
    if (!isJsonObject(value)) return undefined;
    const text = JSON.stringify(value);
    if (text.length <= SKELETON_LIMIT) return text;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** The node without prose to `depth` levels, references to other places of `schema`'s document followed. */
function trimmed(written: JsonObject, depth: number, schema: SubSchema): JsonObject {
  const out: JsonObject = {};
  const node = schema.followed(written);
  for (const word of KEPT_WORDS) {
    const value = node[word];
    if (value === undefined || (word === "format" && isPathFormat(value))) continue;
    if (word === "additionalProperties" && isSoftlyClosed(node)) continue;
    if (word === "properties" && isJsonObject(value)) {
      if (depth > 0)
        out[word] = Object.fromEntries(
          Object.entries(value).map(([k, v]) => [k, isJsonObject(v) ? trimmed(v, depth - 1, schema) : v]),
        );
    } else if (Array.isArray(value) && ["anyOf", "oneOf", "allOf", "prefixItems"].includes(word)) {
      if (depth > 0) out[word] = value.map((v) => (isJsonObject(v) ? trimmed(v, depth - 1, schema) : v));
    } else if (isJsonObject(value)) {
      if (depth > 0) out[word] = trimmed(value, depth - 1, schema);
    } else if (word === "enum" && Array.isArray(value)) out[word] = value.slice(0, 20);
    else out[word] = value;
  }
  return out;
}

/** A value of the shape `node` asks for, with placeholders for text. */
function exampleOf(root: object, node: unknown, depth: number, also?: ReadonlySet<string>): unknown {
  const at = followed(root, node);
  if (!isJsonObject(at)) return "<value>";
  if (Object.hasOwn(at, "const")) return at["const"];
  if (Array.isArray(at["enum"])) return at["enum"].find((member) => member !== null) ?? null;
  for (const word of ["anyOf", "oneOf"]) {
    const branches = at[word];
    if (Array.isArray(branches) && !isJsonObject(at["properties"])) {
      const branch = branches.find((b) => !isJsonObject(b) || b["type"] !== "null");
      return exampleOf(root, branch, depth, also);
    }
  }
  if (Array.isArray(at["allOf"])) {
    const parts = at["allOf"].map((part) => exampleOf(root, part, depth, also)).filter(isJsonObject);
    if (parts.length > 0) return Object.assign({}, ...parts, objectExample(root, at, depth, also));
  }
  const types: readonly unknown[] = Array.isArray(at["type"]) ? at["type"] : [at["type"]];
  const type =
    types.find((t) => t !== "null") ??
    (at["properties"] === undefined ? (at["items"] === undefined ? "string" : "array") : "object");
  switch (type) {
    case "object":
      return depth > 0 ? objectExample(root, at, depth, also) : {};
    case "array":
      return depth > 0 ? listExample(root, at, depth) : [];
    case "integer":
    case "number":
      return numberExample(at);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return textExample(at, "text");
  }
}

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  email: "name@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};

/** A placeholder that names what goes there, within the field's length; a sample where the format is known. */
function textExample(node: unknown, name: string): string {
  const at = isJsonObject(node) ? node : {};
  const format = String(at["format"]);
  if (Object.hasOwn(FORMAT_EXAMPLES, format)) return FORMAT_EXAMPLES[format]!;
  const { minLength, maxLength } = at;
  const text = typeof minLength === "number" && minLength < 200 ? `<${name}>`.padEnd(minLength, ".") : `<${name}>`;
  return typeof maxLength === "number" ? text.slice(0, Math.max(0, maxLength)) : text;
}

/** The number nearest to 1 that the bounds allow. */
function numberExample(at: JsonObject): number {
  const bound = (word: string) => (typeof at[word] === "number" ? at[word] : undefined);
  const [above, below] = [bound("exclusiveMinimum"), bound("exclusiveMaximum")];
  const low = Math.max(
    bound("minimum") ?? Number.NEGATIVE_INFINITY,
    above === undefined ? Number.NEGATIVE_INFINITY : above + 1,
  );
  const high = Math.min(
    bound("maximum") ?? Number.POSITIVE_INFINITY,
    below === undefined ? Number.POSITIVE_INFINITY : below - 1,
  );
  const near = Math.min(Math.max(1, low), high);
  const step = bound("multipleOf");
  return step === undefined || step <= 0 ? near : Math.max(1, Math.ceil(near / step)) * step;
}

function objectExample(root: object, at: JsonObject, depth: number, also?: ReadonlySet<string>): JsonObject {
  const properties = isJsonObject(at["properties"]) ? at["properties"] : {};
  const required = Array.isArray(at["required"]) ? at["required"].filter((key) => typeof key === "string") : [];
  // A tool that requires nothing still needs one field shown, or the skeleton teaches an empty call.
  const named = Object.keys(properties).filter((key) => required.includes(key) || also?.has(key));
  const extra = required.filter((key) => !Object.hasOwn(properties, key));
  const shown =
    named.length + extra.length > 0 || also === undefined ? [...named, ...extra] : Object.keys(properties).slice(0, 1);
  const out: JsonObject = {};
  for (const key of shown) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : {};
    const value = exampleOf(root, schema, depth - 1);
    out[key] = value === "<text>" ? textExample(followed(root, schema), key) : value === "<value>" ? `<${key}>` : value;
  }
  return out;
}

function listExample(root: object, at: JsonObject, depth: number): unknown[] {
  const prefix = Array.isArray(at["prefixItems"])
    ? at["prefixItems"]
    : Array.isArray(at["items"])
      ? at["items"]
      : undefined;
  if (prefix !== undefined) return prefix.map((item) => exampleOf(root, item, depth - 1));
  const count = typeof at["minItems"] === "number" ? Math.min(Math.max(1, at["minItems"]), 3) : 1;
  return Array.from({ length: count }, () => exampleOf(root, at["items"] ?? {}, depth - 1));
}

function followed(root: object, node: unknown): unknown {
  let at = node;
  for (let i = 0; i < 8 && isJsonObject(at) && typeof at["$ref"] === "string" && at["$ref"].startsWith("#"); i++) {
    at = nodeAt(root, decodeURI(at["$ref"].slice(1)));
  }
  return at;
}
