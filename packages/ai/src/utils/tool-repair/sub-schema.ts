// The subschema that governs one path of a value, through references, unions and conjunctions, and its own cached
// check. Built from the error list's paths only: the schema tree is never walked to look for work.

import { compile, type ValidationError } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { appendSegment } from "./json-pointer.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { SUSPECT_FORMATS } from "./path-debris.ts";
import { nodeAt, SchemaIndex, TOOL_SCHEMA_URI } from "./schema-index.ts";
import { matchesPattern } from "./schema-pattern.ts";
import type { Expect } from "./types.ts";

const MAX_ALTERNATIVES = 64;
const MAX_EXPANSION = 32;
const FORMATS = { ...formats, ...SUSPECT_FORMATS };

/** The options every check of ours compiles with: pi's own, without coercion. */
export const CHECK_OPTIONS = { formats: FORMATS, unresolvedRefs: "reject" } as const;

interface Compiled {
  readonly check: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly ValidationError[];
}

const NEVER: Compiled = { check: () => false, errors: () => [] };

type Node = { readonly pointer: string; readonly node: JsonObject };
/** Nodes that apply together. */
type Conjunction = readonly Node[];

/** One tool schema and the subschemas of it that failures have asked for. */
export class SchemaDocument {
  readonly schema: object;
  private readonly compiled: Compiled;
  private readonly subs = new Map<string, SubSchema>();
  private index: SchemaIndex | undefined;
  private whole: SubSchema | undefined;

  /** Throws what pi-schema throws where the schema does not compile. */
  constructor(schema: object) {
    this.schema = schema;
    this.compiled = compile(schema, CHECK_OPTIONS);
  }

  get check(): (value: unknown) => boolean {
    return this.compiled.check;
  }

  /** The subschema of the whole arguments. */
  root(): SubSchema {
    this.whole ??= this.sub([[""]]);
    return this.whole;
  }

  /** The subschema that a union of conjunctions of pointers means; the same object for the same pointers. */
  sub(sources: readonly (readonly string[])[]): SubSchema {
    const key = JSON.stringify(sources);
    let sub = this.subs.get(key);
    if (sub === undefined) {
      sub = new SubSchema(this, sources);
      this.subs.set(key, sub);
    }
    return sub;
  }

  resolve(ref: string, from: object): string | undefined {
    this.index ??= new SchemaIndex(this.schema);
    return this.index.resolve(ref, from);
  }

  compileSources(sources: readonly (readonly string[])[]): Compiled {
    if (sources.length === 1 && sources[0]!.length === 1) {
      const pointer = sources[0]![0]!;
      if (pointer === "") return this.compiled;
      const node = nodeAt(this.schema, pointer);
      if (isJsonObject(node) && !holdsReference(node, 0)) return compile(node, CHECK_OPTIONS);
    }
    const conjunctions = sources.map((source) => ({
      allOf: source.map((pointer) => ({
        $ref: `${TOOL_SCHEMA_URI}#${pointer.split("/").map(encodeURIComponent).join("/")}`,
      })),
    }));
    const schema = conjunctions.length === 1 ? conjunctions[0]! : { anyOf: conjunctions };
    return compile(schema, { ...CHECK_OPTIONS, schemas: { [TOOL_SCHEMA_URI]: this.schema } });
  }
}

/** What is expected at one place: a union of conjunctions of schema nodes. */
export class SubSchema {
  private readonly document: SchemaDocument;
  private readonly sources: readonly (readonly string[])[];
  private flat: readonly Conjunction[] | undefined;
  private own: Compiled | undefined;
  private readonly children = new Map<string | number, SubSchema | undefined>();
  private kinds: ReadonlySet<Expect> | undefined;
  private required: ReadonlySet<string> | undefined;
  private declared: DeclaredKeys | undefined;

  constructor(document: SchemaDocument, sources: readonly (readonly string[])[]) {
    this.document = document;
    this.sources = sources;
  }

  /** Whether `value` passes here. The check compiles on the first question and is kept. */
  passes(value: unknown): boolean {
    return this.compiled().check(value);
  }

  errors(value: unknown): readonly ValidationError[] {
    return this.compiled().errors(value);
  }

  /** The kinds of value taken here; empty where the schema does not say. */
  expects(): ReadonlySet<Expect> {
    this.kinds ??= kindsOf(this.alternatives());
    return this.kinds;
  }

  /** Whether more than one reading of the schema exists here (a union at this place). */
  isUnion(): boolean {
    return this.alternatives().length > 1;
  }

  /** The readings that the value's type and tags still allow, as a subschema; undefined where they rule none out. */
  branchFor(value: unknown): SubSchema | undefined {
    const kept = this.narrowed(value);
    if (kept === this.alternatives()) return undefined;
    // What only joins or refers to others is left out: the whole is checked again by whoever asks.
    const joins = ["anyOf", "oneOf", "allOf", "$ref", "if", "dependentSchemas", "dependencies"];
    const sources = kept.map((conjunction) =>
      conjunction.filter(({ node }) => !joins.some((word) => word in node)).map(({ pointer }) => pointer),
    );
    return sources.some((source) => source.length === 0) ? undefined : this.document.sub(sources);
  }

  /** The schema here as its author wrote it: one node, or a union of several places. */
  written(): JsonObject | undefined {
    const nodes = this.sources.map((source) => this.writtenNode(source));
    if (nodes.some((node) => node === undefined)) return undefined;
    return nodes.length === 1 ? nodes[0] : { anyOf: nodes };
  }

  private writtenNode(source: readonly string[]): JsonObject | undefined {
    const nodes = source.map((pointer) => nodeAt(this.document.schema, pointer)).filter(isJsonObject);
    const [node] = nodes;
    if (nodes.length !== 1) return nodes.length === 0 ? undefined : { allOf: nodes };
    return this.followed(node!);
  }

  /** The node that `node`, of the same schema, refers to; itself where it refers to none. */
  followed(node: JsonObject): JsonObject {
    const target = typeof node["$ref"] === "string" ? this.document.resolve(node["$ref"], node) : undefined;
    const found = target === undefined ? node : nodeAt(this.document.schema, target);
    return isJsonObject(found) ? found : node;
  }

  /** Every node that may govern the value, as plain schema objects. */
  nodes(): JsonObject[] {
    return this.alternatives().flatMap((conjunction) => conjunction.map((n) => n.node));
  }

  /** The members of a closed set of values, over all readings. */
  members(): unknown[] {
    const members: unknown[] = [];
    for (const node of this.nodes()) {
      if (Array.isArray(node["enum"])) members.push(...node["enum"]);
      if (Object.hasOwn(node, "const")) members.push(node["const"]);
    }
    return [...new Set(members)];
  }

  /** The subschema of a key or item, seen with the value that holds it; undefined where nothing is declared. */
  child(key: string | number, holder: unknown): SubSchema | undefined {
    const alternatives = this.narrowed(holder);
    const whole = alternatives === this.alternatives();
    const cacheKey = typeof key === "number" ? Math.min(key, this.prefixLength()) : `.${key}`;
    if (whole && this.children.has(cacheKey)) return this.children.get(cacheKey);
    const sources: string[][] = [];
    for (const conjunction of alternatives) {
      const found = conjunction.flatMap((n) => childPointers(n, key));
      if (found.length > 0 && !sources.some((s) => s.join("\n") === found.join("\n"))) sources.push(found);
    }
    const child = sources.length === 0 ? undefined : this.document.sub(sources);
    if (whole) this.children.set(cacheKey, child);
    return child;
  }

  /** The property names declared for `holder`, in schema order; the same list for the same readings. */
  declaredKeys(holder: unknown): readonly string[] {
    return this.declaredBy(holder).list;
  }

  /** Whether `key` is declared for `holder` by name. */
  declares(key: string, holder: unknown): boolean {
    return this.declaredBy(holder).names.has(key);
  }

  private declaredBy(holder: unknown): DeclaredKeys {
    const alternatives = this.narrowed(holder);
    if (alternatives !== this.alternatives()) return declaredKeysOf(alternatives);
    this.declared ??= declaredKeysOf(alternatives);
    return this.declared;
  }

  /** The property names that every reading of the schema requires of `holder`. */
  requiredKeys(holder: unknown): ReadonlySet<string> {
    const alternatives = this.narrowed(holder);
    if (alternatives !== this.alternatives()) return requiredBy(alternatives);
    this.required ??= requiredBy(alternatives);
    return this.required;
  }

  private compiled(): Compiled {
    if (this.own === undefined) {
      try {
        this.own = this.document.compileSources(this.sources);
      } catch {
        this.own = NEVER; // A subschema that compiles only as part of the whole keeps no candidate.
      }
    }
    return this.own;
  }

  private alternatives(): readonly Conjunction[] {
    this.flat ??= this.sources
      .flatMap((source) => source.map((pointer) => flatten(this.document, pointer, [])).reduce(cross, [[]]))
      .slice(0, MAX_ALTERNATIVES);
    return this.flat;
  }

  /** The readings that the value's type and tags still allow; all of them where none or every one remains. */
  private narrowed(holder: unknown): readonly Conjunction[] {
    const all = this.alternatives();
    if (all.length < 2 || holder === null || typeof holder !== "object") return all;
    const type = Array.isArray(holder) ? "array" : "object";
    const kept = all.filter((conjunction) =>
      conjunction.every(({ node }) => mayHold(node, type) && tagsMatch(node, holder as JsonObject)),
    );
    return kept.length === 0 || kept.length === all.length ? all : kept;
  }

  private prefixLength(): number {
    let length = 0;
    for (const node of this.nodes()) {
      const prefix = Array.isArray(node["prefixItems"])
        ? node["prefixItems"]
        : Array.isArray(node["items"])
          ? node["items"]
          : [];
      length = Math.max(length, prefix.length);
    }
    return length;
  }
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

const TYPES: readonly Expect[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

function kindsOf(alternatives: readonly Conjunction[]): ReadonlySet<Expect> {
  const kinds = new Set<Expect>();
  for (const conjunction of alternatives) {
    let allowed: Set<Expect> | undefined;
    let inferred: Expect | undefined;
    for (const { node } of conjunction) {
      const own = ownKinds(node);
      if (own !== undefined) allowed = allowed === undefined ? own : intersect(allowed, own);
      if (node["properties"] !== undefined || node["required"] !== undefined) inferred ??= "object";
      if (node["items"] !== undefined || node["prefixItems"] !== undefined) inferred ??= "array";
    }
    for (const kind of allowed ?? (inferred === undefined ? [] : [inferred])) kinds.add(kind);
  }
  return kinds;
}

function ownKinds(node: JsonObject): Set<Expect> | undefined {
  const members = Array.isArray(node["enum"])
    ? node["enum"]
    : Object.hasOwn(node, "const")
      ? [node["const"]]
      : undefined;
  if (members !== undefined) {
    const kinds = new Set<Expect>(["enum"]);
    for (const member of members) kinds.add(memberKind(member));
    return kinds;
  }
  if (node["type"] === undefined) return undefined;
  const types: readonly unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  return new Set(TYPES.filter((type) => types.includes(type)));
}

function memberKind(member: unknown): Expect {
  if (member === null) return "null";
  if (Array.isArray(member)) return "array";
  if (typeof member === "number") return Number.isInteger(member) ? "integer" : "number";
  return typeof member === "string" ? "string" : typeof member === "boolean" ? "boolean" : "object";
}

function intersect(a: ReadonlySet<Expect>, b: ReadonlySet<Expect>): Set<Expect> {
  const out = new Set<Expect>();
  for (const kind of a) {
    if (b.has(kind) || (kind === "integer" && b.has("number"))) out.add(kind);
    else if (kind === "number" && b.has("integer")) out.add("integer");
  }
  if (a.has("enum") || b.has("enum")) out.add("enum");
  return out;
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

function holdsReference(node: unknown, depth: number): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (depth > 64) return true;
  if (!Array.isArray(node) && ("$ref" in node || "$dynamicRef" in node || "$id" in node)) return true;
  return Object.values(node).some((value) => holdsReference(value, depth + 1));
}
