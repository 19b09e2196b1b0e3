// The shape of a call's arguments: types by schema position. Built for outcome events only. Never holds a value, nor a key
// that the schema does not declare: those become `*`.

/** A type word, the distinct shapes of a list's items, or declared keys with their shapes. */
export type ShapeNode = string | readonly ShapeNode[] | { readonly [key: string]: ShapeNode };

export interface CallShape {
  /** The arguments as sent; `text` when they could not be read, `unknown` when there is no tool to read them by. */
  readonly sent: ShapeNode;
  /** Where modes fired, as positions: `/edits/#/oldText`, `#` for an item, `*` for an undeclared key, `` for the root. */
  readonly at: readonly string[];
}

type Schema = Record<string, unknown>;

const MAX_DEPTH = 8;
const MAX_KEYS = 64;
const MAX_ITEMS = 32;

/** @param pointers JSON Pointers into the arguments as sent */
export function callShape(schema: unknown, sent: unknown, pointers: Iterable<string>): CallShape {
  const root = isSchema(schema) ? schema : {};
  const places = expanded(root, [root]);
  const at = new Set<string>();
  for (const pointer of pointers) at.add(position(root, places, pointer));
  return { sent: shapeOf(root, places, sent, 0), at: [...at] };
}

function shapeOf(root: Schema, places: readonly Schema[], value: unknown, depth: number): ShapeNode {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return "array";
    const items = new Map<string, ShapeNode>();
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      const shape = shapeOf(root, itemPlaces(root, places, index), item, depth + 1);
      items.set(JSON.stringify(shape), shape);
    }
    return [...items.values()];
  }
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value !== "object") return typeof value;
  if (depth >= MAX_DEPTH) return "object";
  const fields: [string, ShapeNode][] = [];
  let undeclared = 0;
  for (const [key, item] of Object.entries(value).slice(0, MAX_KEYS)) {
    const child = keyPlaces(root, places, key);
    const name = child.declared ? key : `*${undeclared++ === 0 ? "" : undeclared}`;
    fields.push([name, shapeOf(root, child.places, item, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

function position(root: Schema, places: readonly Schema[], pointer: string): string {
  let at = places;
  let out = "";
  for (const raw of pointer.split("/").slice(1, MAX_DEPTH + 1)) {
    const key = raw.replace(/~1/g, "/").replace(/~0/g, "~");
    const child = keyPlaces(root, at, key);
    const isItem =
      !child.declared && /^\d+$/.test(key) && at.some((schema) => "items" in schema || "prefixItems" in schema);
    out += child.declared ? `/${raw}` : isItem ? "/#" : "/*";
    at = isItem ? itemPlaces(root, at, Number(key)) : child.places;
  }
  return out;
}

function keyPlaces(root: Schema, places: readonly Schema[], key: string) {
  const declared: unknown[] = [];
  const open: unknown[] = [];
  for (const schema of places) {
    const properties = schema["properties"];
    if (isSchema(properties) && Object.hasOwn(properties, key)) declared.push(properties[key]);
    else
      open.push(
        schema["additionalProperties"],
        ...Object.values(isSchema(schema["patternProperties"]) ? schema["patternProperties"] : {}),
      );
  }
  return { declared: declared.length > 0, places: expanded(root, declared.length > 0 ? declared : open) };
}

function itemPlaces(root: Schema, places: readonly Schema[], index: number): readonly Schema[] {
  const items = places.flatMap((schema) => {
    const { prefixItems, items } = schema;
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return index < tuple.length ? [tuple[index]] : [Array.isArray(items) ? schema["additionalItems"] : items];
  });
  return expanded(root, items);
}

/** The schemas with everything that also applies at their place: references, and the branches of unions. */
function expanded(root: Schema, schemas: readonly unknown[]): readonly Schema[] {
  const found = new Set<Schema>();
  const visit = (node: unknown): void => {
    if (!isSchema(node) || found.has(node) || found.size >= 256) return;
    found.add(node);
    if (typeof node["$ref"] === "string") visit(resolved(root, node["$ref"]));
    for (const word of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(node[word])) node[word].forEach(visit);
    for (const word of ["if", "then", "else"]) visit(node[word]);
  };
  schemas.forEach(visit);
  return [...found];
}

/** The target of a reference inside the document; others say nothing about the shape. */
function resolved(root: Schema, ref: string): unknown {
  if (!ref.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const raw of ref.slice(1).split("/").slice(1)) {
    const key = raw.replace(/~1/g, "/").replace(/~0/g, "~");
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Schema)[key] : undefined;
  }
  return at;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
