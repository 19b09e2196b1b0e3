// A schema in the words of a signature: `path:string, edits:{oldText:string, newText:string}[], limit:number?=100`. Runs when
// a primer is rendered. Bounded in depth and width; never shows a word of JSON Schema.
import { referenced } from "./grammars/typed-value.ts";
import { isJsonObject } from "./json-value.ts";

const MAX_DEPTH = 3;
const MAX_FIELDS = 24;
const MAX_CHOICES = 12;
/** A default that stands in prose only counts where it is one plain value. */
const DEFAULT_IN_WORDS = /\(default:?\s*("[^"()]{1,40}"|'[^'()]{1,40}'|[\w.+-]{1,24})\)/i;

type Node = Readonly<Record<string, unknown>>;

/** The fields of an object schema, required ones first; "" where it has none. */
export function projectFields(schema: unknown): string {
  return fieldsOf(schema, schema, 0);
}

function fieldsOf(schema: unknown, root: unknown, depth: number): string {
  const node = resolved(schema, root);
  const properties = isJsonObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const required = new Set(Array.isArray(node["required"]) ? node["required"] : []);
  const sorted = [...properties].sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const fields = sorted.slice(0, MAX_FIELDS).map(([key, field]) => {
    const type = `${nameOf(key)}:${typeOf(field, root, depth)}`;
    return required.has(key) ? type : `${type}?${defaultOf(field)}`;
  });
  if (sorted.length > MAX_FIELDS) fields.push("…");
  return fields.join(", ");
}

/** The type of one field. */
export function projectType(schema: unknown): string {
  return typeOf(schema, schema, 0);
}

function typeOf(schema: unknown, root: unknown, depth: number): string {
  const node = resolved(schema, root);
  if (Array.isArray(node["enum"])) return choices(node["enum"]);
  if ("const" in node) return choices([node["const"]]);
  const branches = [node["anyOf"], node["oneOf"]].find(Array.isArray);
  if (branches !== undefined) return union(branches.map((branch) => typeOf(branch, root, depth)));
  const { type } = node;
  if (Array.isArray(type)) return union(type.map((name) => typeOf({ ...node, type: name }, root, depth)));
  if (type === "array" || (type === undefined && isJsonObject(node["items"]))) return listOf(node, root, depth);
  if (type === "object" || isJsonObject(node["properties"])) return objectOf(node, root, depth);
  return typeof type === "string" ? type : "any";
}

function listOf(node: Node, root: unknown, depth: number): string {
  if (node["items"] === undefined) return "any[]";
  const item = typeOf(node["items"], root, depth + 1);
  return item.includes("|") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectOf(node: Node, root: unknown, depth: number): string {
  if (depth >= MAX_DEPTH) return "{…}";
  const fields = fieldsOf(node, root, depth + 1);
  if (fields !== "") return `{${fields}}`;
  const extra = node["additionalProperties"];
  return isJsonObject(extra) ? `{name:${typeOf(extra, root, depth + 1)}}` : "{…}";
}

function choices(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_CHOICES).map((value) => (isPlainWord(value) ? value : JSON.stringify(value)));
  return [...shown, ...(values.length > MAX_CHOICES ? ["…"] : [])].join("|");
}

function isPlainWord(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_][\w.-]{0,40}$/.test(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join("|");
}

function defaultOf(field: unknown): string {
  if (!isJsonObject(field)) return "";
  if ("default" in field && (typeof field["default"] !== "object" || field["default"] === null)) {
    return `=${JSON.stringify(field["default"])}`;
  }
  const words = typeof field["description"] === "string" ? DEFAULT_IN_WORDS.exec(field["description"])?.[1] : undefined;
  return words === undefined ? "" : `=${words}`;
}

function nameOf(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key);
}

/** The node behind local references; a chain that does not end is an open value. */
function resolved(schema: unknown, root: unknown): Node {
  let node: unknown = schema;
  for (let hops = 0; hops < 8; hops++) {
    if (!isJsonObject(node)) return {};
    const reference = node["$ref"];
    if (typeof reference !== "string") return node;
    node = reference === "#" ? root : referenced(reference, root);
  }
  return {};
}
