// Where the subschemas of one tool schema are, so that a `$ref` can be followed by pointer. Built once per schema, on
// the first failing call that meets a reference. It never resolves documents outside the schema.

import { appendSegment, decodeSegment } from "./json-pointer.ts";
import { isJsonObject } from "./json-value.ts";

const BASE = "https://pi-mend.invalid/tool.json";
const SINGLE = [
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "additionalItems",
  "items",
  "unevaluatedProperties",
  "unevaluatedItems",
];
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];

/** The URI a tool schema is registered under when a subschema of it compiles on its own. */
export const TOOL_SCHEMA_URI = BASE;

/** Pointers of every `$id`, `$anchor` and subschema of one schema. */
export class SchemaIndex {
  private readonly root: object;
  private readonly bases = new Map<object, string>();
  private readonly resources = new Map<string, string>([[BASE, ""]]);
  private readonly anchors = new Map<string, string>();

  constructor(root: object) {
    this.root = root;
    this.walk(root, "", BASE, 0);
  }

  /** The pointer that `$ref` names, seen from `from`; undefined where it names nothing inside this schema. */
  resolve(ref: string, from: object): string | undefined {
    const uri = resolveUri(ref, this.bases.get(from) ?? BASE);
    const hash = uri.indexOf("#");
    const doc = hash < 0 ? uri : uri.slice(0, hash);
    const resource = this.resources.get(doc);
    if (resource === undefined) return undefined;
    let fragment = "";
    try {
      fragment = hash < 0 ? "" : decodeURIComponent(uri.slice(hash + 1));
    } catch {
      return undefined;
    }
    if (fragment === "") return resource;
    if (!fragment.startsWith("/")) return this.anchors.get(`${doc}#${fragment}`);
    const pointer = resource + fragment;
    return nodeAt(this.root, pointer) === undefined ? undefined : pointer;
  }

  private walk(node: unknown, pointer: string, base: string, depth: number): void {
    if (!isJsonObject(node) || depth > 200 || this.bases.has(node)) return;
    let own = base;
    if (typeof node["$id"] === "string") {
      const uri = resolveUri(node["$id"], base);
      const hash = uri.indexOf("#");
      own = hash < 0 ? uri : uri.slice(0, hash);
      if (node["$id"].startsWith("#")) this.anchors.set(uri, pointer);
      else this.resources.set(own, pointer);
    }
    this.bases.set(node, own);
    for (const word of ["$anchor", "$dynamicAnchor"]) {
      if (typeof node[word] === "string") this.anchors.set(`${own}#${node[word]}`, pointer);
    }
    for (const word of SINGLE) this.walk(node[word], appendSegment(pointer, word), own, depth + 1);
    for (const word of MAPS) {
      const map = node[word];
      if (!isJsonObject(map)) continue;
      for (const key of Object.keys(map))
        this.walk(map[key], appendSegment(appendSegment(pointer, word), key), own, depth + 1);
    }
    for (const word of LISTS) {
      const list = node[word];
      if (!Array.isArray(list)) continue;
      for (const [i, item] of list.entries()) this.walk(item, `${pointer}/${word}/${i}`, own, depth + 1);
    }
  }
}

/** The value at `pointer` in `root`, own properties only; undefined where there is none. */
export function nodeAt(root: unknown, pointer: string): unknown {
  if (pointer === "") return root;
  let node = root;
  for (const raw of pointer.slice(1).split("/")) {
    const key = decodeSegment(raw);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

function resolveUri(ref: string, base: string): string {
  try {
    return new URL(ref, base).href;
  } catch {
    return ref.startsWith("#") ? base + ref : ref;
  }
}
