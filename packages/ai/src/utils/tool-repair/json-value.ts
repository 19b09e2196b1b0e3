// JSON values as the layer sees them: their type names, and copies that keep `__proto__` a plain key.
// Never used on the clean path.

import type { Got } from "./types.ts";

export type JsonObject = Record<string, unknown>;

/** Whether `value` is an object that is no list (what JSON calls an object). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON type of `value`; `missing` for `undefined`. A number without fraction is `integer`. */
export function gotOf(value: unknown): Got {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

/** Sets an own property, also where the key is `__proto__`. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** A shallow copy of `object` without `dropped` and with `added` set. The original stays untouched. */
export function withKeys(
  object: JsonObject,
  dropped: readonly string[],
  added: Iterable<readonly [string, unknown]>,
): JsonObject {
  const copy = without(object, dropped);
  for (const [key, value] of added) setOwn(copy, key, value);
  return copy;
}

const FEW = 8;

/** A shallow copy, made key by key where that is no more work: an object that a key was deleted from stays slow to read. */
function without(object: JsonObject, dropped: readonly string[]): JsonObject {
  if (dropped.length > FEW) {
    const copy: JsonObject = { ...object };
    for (const key of dropped) delete copy[key];
    return copy;
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(object)) if (!dropped.includes(key)) setOwn(copy, key, object[key]);
  return copy;
}

/** Whether a value carries nothing: `null`, `""` or `{}`. `[]` and `false` carry something. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === "" || (isJsonObject(value) && Object.keys(value).length === 0);
}
