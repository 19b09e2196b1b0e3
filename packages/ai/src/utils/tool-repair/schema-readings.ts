// The readings of a schema at one place: what its references, unions and conjunctions leave as conjunctions of nodes. Made when a
// failure asks about the place. Never looks at more of the schema than leads there.
import { appendSegment } from "./json-pointer.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { nodeAt } from "./schema-index.ts";
import { ownKinds } from "./schema-kinds.ts";
import { matchesPattern } from "./schema-pattern.ts";
import type { SchemaDocument, SubSchema } from "./sub-schema.ts";

const MAX_ALTERNATIVES = 64;
const MAX_EXPANSION = 32;

type Node = { readonly pointer: string; readonly node: JsonObject };
/** Nodes that apply together. */
export type Conjunction = readonly Node[];

/** Conjunctions of which one applies, and what they declare together. */
export class Readings {
  readonly conjunctions: readonly Conjunction[];
  private readonly document: SchemaDocument;
  private readonly children = new Map<string | number, SubSchema | undefined>();
  private all: readonly JsonObject[] | undefined;
  private declared: DeclaredKeys | undefined;
  private required: ReadonlySet<string> | undefined;
  private prefix: number | undefined;

  private constructor(document: SchemaDocument, conjunctions: readonly Conjunction[]) {
    this.document = document;
    this.conjunctions = conjunctions;
  }

  /** All readings of a union of conjunctions of pointers. */
  static of(document: SchemaDocument, sources: readonly (readonly string[])[]): Readings {
    const conjunctions = sources
      .flatMap((source) => source.map((pointer) => flatten(document, pointer, [])).reduce(cross, [[]]))
      .slice(0, MAX_ALTERNATIVES);
    return new Readings(document, conjunctions);
  }

  /** The places of those that the type and the tags of `holder` allow. */
  allowedBy(holder: object): readonly number[] {
    const type = Array.isArray(holder) ? "array" : "object";
    const allowed: number[] = [];
    for (const [index, conjunction] of this.conjunctions.entries()) {
      const isAllowed = conjunction.every(({ node }) => mayHold(node, type) && tagsMatch(node, holder as JsonObject));
      if (isAllowed) allowed.push(index);
    }
    return allowed;
  }

  /** Those at `places` alone. */
  only(places: readonly number[]): Readings {
    return new Readings(
      this.document,
      places.map((place) => this.conjunctions[place]!),
    );
  }

  /** The same list every time. */
  nodes(): readonly JsonObject[] {
    this.all ??= this.conjunctions.flatMap((conjunction) => conjunction.map(({ node }) => node));
    return this.all;
  }

  /** The subschema of a key or item; undefined where nothing is declared. */
  child(key: string | number): SubSchema | undefined {
    const cacheKey = typeof key === "number" ? Math.min(key, this.prefixLength()) : `.${key}`;
    const known = this.children.get(cacheKey);
    if (known !== undefined || this.children.has(cacheKey)) return known;
    const sources = new Map<string, readonly string[]>();
    for (const conjunction of this.conjunctions) {
      const found = conjunction.flatMap((node) => childPointers(node, key));
      if (found.length > 0) sources.set(found.join("\n"), found);
    }
    const child = sources.size === 0 ? undefined : this.document.sub([...sources.values()]);
    this.children.set(cacheKey, child);
    return child;
  }

  /** The property names that any of them declares, in schema order; the same object every time. */
  declaredKeys(): DeclaredKeys {
    this.declared ??= declaredKeysOf(this.conjunctions);
    return this.declared;
  }

  /** The property names that each of them requires. */
  requiredKeys(): ReadonlySet<string> {
    this.required ??= requiredBy(this.conjunctions);
    return this.required;
  }

  private prefixLength(): number {
    this.prefix ??= this.nodes().reduce((longest, node) => Math.max(longest, prefixOf(node).length), 0);
    return this.prefix;
  }
}

function prefixOf(node: JsonObject): readonly unknown[] {
  if (Array.isArray(node["prefixItems"])) return node["prefixItems"];
  return Array.isArray(node["items"]) ? node["items"] : [];
}

interface DeclaredKeys {
  readonly list: readonly string[];
  readonly names: ReadonlySet<string>;
}

function declaredKeysOf(alternatives: readonly Conjunction[]): DeclaredKeys {
  const names = new Set<string>();
  for (const conjunction of alternatives) {
    for (const { node } of conjunction) {
      if (isJsonObject(node["properties"])) for (const key of Object.keys(node["properties"])) names.add(key);
    }
  }
  return { list: [...names], names };
}

function requiredBy(alternatives: readonly Conjunction[]): ReadonlySet<string> {
  let required: Set<unknown> | undefined;
  for (const conjunction of alternatives) {
    const own = new Set(conjunction.flatMap(({ node }) => (Array.isArray(node["required"]) ? node["required"] : [])));
    required = required === undefined ? own : new Set([...required].filter((key) => own.has(key)));
  }
  return new Set([...(required ?? [])].filter((key): key is string => typeof key === "string"));
}

function flatten(document: SchemaDocument, pointer: string, seen: readonly string[]): Conjunction[] {
  const node = nodeAt(document.schema, pointer);
  if (node === false) return [];
  if (!isJsonObject(node) || seen.includes(pointer) || seen.length > MAX_EXPANSION) return [[]];
  const path = [...seen, pointer];
  let out: Conjunction[] = [[{ pointer, node }]];
  const expand = (at: string) => flatten(document, at, path);
  if (typeof node["$ref"] === "string") {
    const target = document.resolve(node["$ref"], node);
    out = cross(out, target === undefined ? [] : expand(target));
  }
  const list = (word: string) => (Array.isArray(node[word]) ? node[word].map((_, i) => `${pointer}/${word}/${i}`) : []);
  for (const at of list("allOf")) out = cross(out, expand(at));
  for (const word of ["anyOf", "oneOf"]) {
    const branches = list(word);
    if (branches.length > 0) out = cross(out, branches.flatMap(expand));
  }
  if (node["if"] !== undefined) {
    const branches = ["then", "else"]
      .filter((word) => node[word] !== undefined)
      .flatMap((word) => expand(`${pointer}/${word}`));
    if (branches.length > 0) out = cross(out, [[], ...branches]);
  }
  // What a key brings along holds where the key is there: any of it, seen one at a time.
  const brought = ["dependentSchemas", "dependencies"].flatMap((word) =>
    Object.entries(isJsonObject(node[word]) ? node[word] : {})
      .filter(([, schema]) => isJsonObject(schema))
      .slice(0, MAX_ALTERNATIVES)
      .flatMap(([key]) => expand(appendSegment(`${pointer}/${word}`, key))),
  );
  if (brought.length > 0) out = cross(out, [[], ...brought]);
  return out;
}

function cross(left: readonly Conjunction[], right: readonly Conjunction[]): Conjunction[] {
  const out: Conjunction[] = [];
  for (const a of left) for (const b of right) if (out.length < MAX_ALTERNATIVES) out.push([...a, ...b]);
  return out;
}

function childPointers({ pointer, node }: Node, key: string | number): string[] {
  if (typeof key === "number") {
    const prefix = Array.isArray(node["prefixItems"])
      ? "prefixItems"
      : Array.isArray(node["items"])
        ? "items"
        : undefined;
    if (prefix !== undefined && key < (node[prefix] as unknown[]).length) return [`${pointer}/${prefix}/${key}`];
    const rest = prefix === "items" ? "additionalItems" : "items";
    return node[rest] === undefined || Array.isArray(node[rest]) ? [] : [`${pointer}/${rest}`];
  }
  const found: string[] = [];
  if (isJsonObject(node["properties"]) && Object.hasOwn(node["properties"], key))
    found.push(appendSegment(`${pointer}/properties`, key));
  if (isJsonObject(node["patternProperties"])) {
    for (const pattern of Object.keys(node["patternProperties"])) {
      if (matchesPattern(pattern, key)) found.push(appendSegment(`${pointer}/patternProperties`, pattern));
    }
  }
  if (found.length === 0 && isJsonObject(node["additionalProperties"])) found.push(`${pointer}/additionalProperties`);
  return found;
}

function mayHold(node: JsonObject, type: "object" | "array"): boolean {
  const own = ownKinds(node);
  return own === undefined || own.has(type) || own.has("enum");
}

/** Whether the constants that `node` declares for its properties equal those of `holder` (a tagged union's tags). */
function tagsMatch(node: JsonObject, holder: JsonObject): boolean {
  if (!isJsonObject(node["properties"])) return true;
  for (const [key, schema] of Object.entries(node["properties"])) {
    // A null may stand for a field left out: it names no branch.
    if (!isJsonObject(schema) || !Object.hasOwn(holder, key) || holder[key] === null) continue;
    if (Object.hasOwn(schema, "const") && schema["const"] !== holder[key]) return false;
    if (Array.isArray(schema["enum"]) && !schema["enum"].includes(holder[key])) return false;
  }
  return true;
}
