// The single edits that outgoing schemas need. Each takes a schema and gives back the same object, or a copy where
// something had to go. Pure; a property that happens to be called like a keyword is never mistaken for one.
import { type JsonObject, mapSchema } from "./map-schema.ts";
import { isObject } from "./settle-arguments.ts";

/** One edit of a whole schema. */
export type SchemaEdit = (schema: object) => object;

/** Removes `pattern`. */
export const dropPatterns: SchemaEdit = (schema) =>
  mapSchema(schema, (node) => (typeof node["pattern"] === "string" ? without(node, "pattern") : node));

/**
 * Removes `""` from `enum`, and an `enum` that held nothing else. A field whose enum lost it leaves `required`: leaving the
 * field out is the only way left to say "not given".
 */
export const dropEmptyEnumMembers: SchemaEdit = (schema) => {
  const lost = new WeakSet<object>();
  const hasLost = (field: unknown): boolean =>
    isObject(field) && (lost.has(field) || refersToEmptyMember(field, schema));
  return mapSchema(schema, (node) => {
    const edited = optionalWhere(hasLost, withoutEmptyMember(node));
    const branches = [edited["anyOf"], edited["oneOf"], edited["allOf"]].flat();
    if (hasEmptyMember(node) || branches.some(hasLost)) lost.add(edited);
    return edited;
  });
};

function hasEmptyMember(node: JsonObject): boolean {
  return Array.isArray(node["enum"]) && node["enum"].includes("");
}

function refersToEmptyMember(node: JsonObject, root: object): boolean {
  const target = typeof node["$ref"] === "string" ? targetOf(node["$ref"], root) : undefined;
  return isObject(target) && hasEmptyMember(target);
}

function withoutEmptyMember(node: JsonObject): JsonObject {
  if (!hasEmptyMember(node)) return node;
  const kept = (node["enum"] as readonly unknown[]).filter((member) => member !== "");
  return kept.length === 0 ? without(node, "enum") : { ...node, enum: kept };
}

/** The node with fewer `required` fields; the same node when all of them stay. */
function optionalWhere(isOptional: (field: unknown) => boolean, node: JsonObject): JsonObject {
  const { properties, required } = node;
  if (!isObject(properties) || !Array.isArray(required)) return node;
  const kept = required.filter((name) => !(Object.hasOwn(properties, name) && isOptional(properties[name])));
  if (kept.length === required.length) return node;
  return kept.length === 0 ? without(node, "required") : { ...node, required: kept };
}

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

/** What a reference into the same schema means; `undefined` where it leads to no schema there. */
export function targetOf(ref: string, root: object): object | undefined {
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
