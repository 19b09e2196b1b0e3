// The single edits that outgoing schemas need. Each takes a schema and gives back the same object, or a copy where
// something had to go. Pure; a property that happens to be called like a keyword is never mistaken for one.
import { type JsonObject, mapSchema } from "./map-schema.ts";

/** One edit of a whole schema. */
export type SchemaEdit = (schema: object) => object;

/** Removes `pattern`. */
export const dropPatterns: SchemaEdit = (schema) =>
  mapSchema(schema, (node) => (typeof node["pattern"] === "string" ? without(node, "pattern") : node));

/** Removes `""` from `enum`, and an `enum` that held nothing else. `required` stays: the call is checked with it. */
export const dropEmptyEnumMembers: SchemaEdit = (schema) =>
  mapSchema(schema, (node) => {
    const members = node["enum"];
    if (!Array.isArray(members) || !members.includes("")) return node;
    const kept = members.filter((member) => member !== "");
    return kept.length === 0 ? without(node, "enum") : { ...node, enum: kept };
  });

/** Says the type of every node that has none: what its keywords speak of, otherwise `string`. */
export const typeEveryNode: SchemaEdit = (schema) =>
  mapSchema(schema, (node) => (SAYS_TYPE.some((key) => key in node) ? node : { type: impliedType(node), ...node }));

const SAYS_TYPE = ["type", "$ref", "anyOf", "oneOf", "allOf", "not", "if"] as const;

function impliedType(node: JsonObject): string {
  if ("properties" in node || "additionalProperties" in node || "required" in node) return "object";
  if ("items" in node || "prefixItems" in node || "minItems" in node || "maxItems" in node) return "array";
  const member = Array.isArray(node["enum"]) ? node["enum"][0] : node["const"];
  if (typeof member === "number" || typeof member === "boolean") return typeof member;
  return "minimum" in node || "maximum" in node ? "number" : "string";
}

/**
 * Puts the target in place of a `$ref` that has keys beside it; the keys beside it win. A reference into itself, or to
 * something that is not in the schema, stays and loses its siblings.
 */
export const inlineRefSiblings: SchemaEdit = (schema) => inlineUnder(schema, schema, []);

function inlineUnder(schema: object, root: object, open: readonly string[]): object {
  return mapSchema(schema, (node) => {
    const ref = node["$ref"];
    const siblings = Object.keys(node).filter((key) => key !== "$ref" && !HOLDS_DEFINITIONS.has(key));
    if (typeof ref !== "string" || siblings.length === 0) return node;
    const target = open.includes(ref) ? undefined : targetOf(ref, root);
    if (target === undefined) return { $ref: ref };
    const { $ref: _, ...beside } = node;
    return { ...(inlineUnder(target, root, [...open, ref]) as JsonObject), ...beside };
  });
}

const HOLDS_DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions", "$schema", "$id"]);

function targetOf(ref: string, root: object): object | undefined {
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const step of ref.slice(2).split("/")) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as JsonObject)[key];
  }
  return typeof at === "object" && at !== null && !Array.isArray(at) ? at : undefined;
}

function without(node: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = node;
  return rest;
}
