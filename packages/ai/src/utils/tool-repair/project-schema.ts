// A schema in the words of a signature: `path:string, edits:{oldText:string, newText:string}[], limit:number?=100`. Runs when
// a primer is rendered. Bounded in depth and width; never shows a word of JSON Schema.
import { referenced } from "./grammars/typed-value.ts";
import { isJsonObject } from "./json-value.ts";

const MAX_DEPTH = 3;
const MAX_FIELDS = 24;
const MAX_CHOICES = 12;
/** Lists in lists, and unions in unions. */
const MAX_LEVEL = 6;
/** Places that one line may name. */
const MAX_PLACES = 160;
/** A default that stands in prose only counts where it is one plain value. */
const DEFAULT_IN_WORDS = /\(default:?\s*("[^"()]{1,40}"|'[^'()]{1,40}'|[\w.+-]{1,24})\)/i;

const MAX_HOPS = 8;

type Node = Readonly<Record<string, unknown>>;

/** The fields of an object schema, required ones first; "" where it has none. */
export function projectFields(schema: unknown): string {
  return new Projection(schema).fields(schema, 0);
}

/** The type of one field. */
export function projectType(schema: unknown): string {
  return new Projection(schema).type(schema, 0, 0);
}

/** One schema on its way to a line. It has a budget of places, so that one that refers to itself ends, and stays short. */
class Projection {
  readonly #root: unknown;
  #left = MAX_PLACES;

  constructor(root: unknown) {
    this.#root = root;
  }

  fields(schema: unknown, depth: number): string {
    const node = merged(schema, this.#root);
    const properties = isJsonObject(node["properties"]) ? Object.entries(node["properties"]) : [];
    const required = new Set(Array.isArray(node["required"]) ? node["required"] : []);
    const sorted = [...properties].sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
    const fields = sorted.slice(0, MAX_FIELDS).map(([key, field]) => {
      const type = `${nameOf(key)}:${this.type(field, depth, 0)}`;
      return required.has(key) ? type : `${type}?${defaultOf(field)}`;
    });
    if (sorted.length > MAX_FIELDS) fields.push("…");
    return fields.join(", ");
  }

  /**
   * @param depth objects around it
   * @param level lists and unions around it, inside of the nearest object
   */
  type(schema: unknown, depth: number, level: number): string {
    this.#left -= 1;
    if (this.#left < 0 || level > MAX_LEVEL) return "any";
    const node = merged(schema, this.#root);
    if (Array.isArray(node["enum"])) return choices(node["enum"]);
    if ("const" in node) return choices([node["const"]]);
    const branches = [node["anyOf"], node["oneOf"]].find(Array.isArray);
    if (branches !== undefined) return union(branches.map((branch) => this.type(branch, depth, level + 1)));
    const { type } = node;
    if (Array.isArray(type)) return union(type.map((name) => this.type({ ...node, type: name }, depth, level + 1)));
    if (type === "array" || (type === undefined && isJsonObject(node["items"]))) return this.#list(node, depth, level);
    if (type === "object" || isJsonObject(node["properties"])) return this.#object(node, depth);
    return typeof type === "string" ? type : "any";
  }

  #list(node: Node, depth: number, level: number): string {
    const places = [node["prefixItems"], node["items"]].find(Array.isArray);
    if (places !== undefined) return `[${places.map((place) => this.type(place, depth + 1, level + 1)).join(", ")}]`;
    if (node["items"] === undefined) return "any[]";
    const item = this.type(node["items"], depth + 1, level + 1);
    return isUnion(item) ? `(${item})[]` : `${item}[]`;
  }

  #object(node: Node, depth: number): string {
    if (depth >= MAX_DEPTH || this.#left <= 0) return "{…}";
    const fields = this.fields(node, depth + 1);
    if (fields !== "") return `{${fields}}`;
    const extra = node["additionalProperties"];
    return isJsonObject(extra) ? `{name:${this.type(extra, depth + 1, 0)}}` : "{…}";
  }
}

/** Whether `|` stands outside of every bracket and quotation. */
function isUnion(type: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < type.length; at++) {
    const char = type.charAt(at);
    if (isQuoted && char === "\\") at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "|" && depth === 0) return true;
  }
  return false;
}

function choices(values: readonly unknown[]): string {
  if (values.length === 0) return "nothing";
  const shown = values.slice(0, MAX_CHOICES).map((value) => (isPlainWord(value) ? value : JSON.stringify(value)));
  return [...shown, ...(values.length > MAX_CHOICES ? ["…"] : [])].join("|");
}

function isPlainWord(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_][\w.-]{0,40}$/.test(value);
}

function union(types: readonly string[]): string {
  // A union in a union is one.
  const plain = types.flatMap((type) => (/["([{]/.test(type) ? [type] : type.split("|")));
  return [...new Set(plain)].join("|");
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

/** The node with what its `allOf` adds. */
function merged(schema: unknown, root: unknown, hops = 0): Node {
  const node = resolved(schema, root);
  if (!Array.isArray(node["allOf"]) || hops >= MAX_HOPS) return node;
  const { allOf, ...own } = node;
  const parts = [own, ...allOf.slice(0, MAX_FIELDS).map((part) => merged(part, root, hops + 1))];
  const properties = Object.assign({}, ...parts.map((part) => part["properties"]));
  const required = parts.flatMap((part) => (Array.isArray(part["required"]) ? part["required"] : []));
  const hasFields = Object.keys(properties).length > 0;
  return { ...Object.assign({}, ...[...parts].reverse()), ...(hasFields && { properties, required }) };
}

/** The node behind local references; a chain that does not end is an open value. */
function resolved(schema: unknown, root: unknown): Node {
  let node: unknown = schema;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    if (!isJsonObject(node)) return {};
    const reference = node["$ref"];
    if (typeof reference !== "string") return node;
    node = reference === "#" ? root : referenced(reference, root);
  }
  return {};
}
