// Questions about list schemas.

import type { SubSchema } from "./sub-schema.ts";

/** Whether the list has places of its own (`prefixItems`, or `items` as a list): one value never becomes a tuple. */
export function isTuple(schema: SubSchema | undefined): boolean {
  return (schema?.nodes() ?? []).some((node) => Array.isArray(node["prefixItems"]) || Array.isArray(node["items"]));
}
