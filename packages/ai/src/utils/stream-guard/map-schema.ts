// Walks a JSON Schema by its keywords and lets a function replace nodes. Runs for outgoing copies only, never on a call.
// Never changes a node: a replaced node is a new object, and so are the nodes around it.

/** A plain object of JSON. */
export type JsonObject = { readonly [key: string]: unknown };

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const ONE = ["additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames"] as const;
const LIST = ["anyOf", "oneOf", "allOf", "prefixItems", "items"] as const;
const MAP = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] as const;

/** Deeper nodes are passed through as they are; a schema that deep is not one that a tool declares. */
const MAX_DEPTH = 64;

/**
 * Applies `change` to every schema node, children first.
 *
 * @param change gets a node whose children are done; gives back the same node or a new one
 * @returns the same schema when no node changed
 */
export function mapSchema(schema: object, change: (node: JsonObject) => object): object {
  return mapNode(schema, change, 0) as object;
}

function mapNode(node: unknown, change: (node: JsonObject) => object, depth: number): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node) || depth > MAX_DEPTH) return node;
  let mapped = node as JsonObject;
  const put = (key: string, value: unknown): void => {
    if (value === mapped[key]) return;
    mapped = { ...mapped, [key]: value };
  };
  for (const key of ONE) {
    if (key in mapped && !Array.isArray(mapped[key])) put(key, mapNode(mapped[key], change, depth + 1));
  }
  for (const key of LIST) {
    const list = mapped[key];
    if (Array.isArray(list)) put(key, mapList(list, change, depth + 1));
  }
  for (const key of MAP) {
    const map = mapped[key];
    if (typeof map === "object" && map !== null && !Array.isArray(map)) put(key, mapMap(map, change, depth + 1));
  }
  return change(mapped);
}

function mapList(list: readonly unknown[], change: (node: JsonObject) => object, depth: number): readonly unknown[] {
  const mapped = list.map((item) => mapNode(item, change, depth));
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}

function mapMap(map: object, change: (node: JsonObject) => object, depth: number): object {
  let changed = false;
  const entries = Object.entries(map).map(([key, value]) => {
    const mapped = mapNode(value, change, depth);
    changed ||= mapped !== value;
    return [key, mapped] as const;
  });
  return changed ? Object.fromEntries(entries) : map;
}
