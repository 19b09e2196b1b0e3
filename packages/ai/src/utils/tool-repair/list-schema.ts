// Questions about list schemas.

import type { SubSchema } from "./sub-schema.ts";

/** Whether the list has places of its own (`prefixItems`, or `items` as a list): one value never becomes a tuple. */
export function isTuple(schema: SubSchema | undefined): boolean {
  return (schema?.nodes() ?? []).some((node) => Array.isArray(node["prefixItems"]) || Array.isArray(node["items"]));
}

/** Whether `list` has one item, no list itself, that `schema` takes in the list's place as it is. */
export function mayBeItsItem(schema: SubSchema | undefined, list: unknown): boolean {
  return Array.isArray(list) && list.length === 1 && !Array.isArray(list[0]) && schema?.passes(list[0]) === true;
}
