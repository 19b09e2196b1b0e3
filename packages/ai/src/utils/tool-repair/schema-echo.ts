// When a value is a JSON Schema that the model copied, not a value.

import { isJsonObject } from "./json-value.ts";

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
const SCHEMA_WORDS = new Set([
  "type",
  "properties",
  "items",
  "required",
  "description",
  "title",
  "enum",
  "const",
  "default",
  "format",
  "pattern",
  "additionalProperties",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "anyOf",
  "oneOf",
  "allOf",
]);

/** Whether `value` is made of schema keywords only, with a JSON type in it. */
export function isSchemaEcho(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return TYPES.has(value["type"] as string) && Object.keys(value).every((key) => SCHEMA_WORDS.has(key));
}
