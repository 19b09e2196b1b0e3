// The subschema that governs one path of a value, through references, unions and conjunctions, and its own cached
// check. Built from the error list's paths only: the schema tree is never walked to look for work.

import { compile, type ValidationError } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { SUSPECT_FORMATS } from "./path-debris.ts";
import { nodeAt, SchemaIndex, TOOL_SCHEMA_URI } from "./schema-index.ts";
import { kindsOf } from "./schema-kinds.ts";
import { Readings } from "./schema-readings.ts";
import type { Expect } from "./types.ts";

const FORMATS = { ...formats, ...SUSPECT_FORMATS };

/** References that lead to references are followed so far. */
const MAX_HOPS = 16;

/** The options every check of ours compiles with: pi's own, without coercion. */
export const CHECK_OPTIONS = { formats: FORMATS, unresolvedRefs: "reject" } as const;

interface Compiled {
  readonly check: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly ValidationError[];
}

const NEVER: Compiled = { check: () => false, errors: () => [] };

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

  /** What a node that only refers to another says: the other. To compile with the whole schema at hand costs its size each time. */
  private referred(node: unknown): unknown {
    let at = node;
    for (let hops = 0; hops < MAX_HOPS && isReferenceOnly(at); hops++) {
      const target = this.resolve(at["$ref"], at);
      if (target === undefined) return at;
      at = nodeAt(this.schema, target);
    }
    return at;
  }

  compileSources(sources: readonly (readonly string[])[]): Compiled {
    if (sources.length === 1 && sources[0]!.length === 1) {
      const pointer = sources[0]![0]!;
      if (pointer === "") return this.compiled;
      const node = this.referred(nodeAt(this.schema, pointer));
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
  private whole: Readings | undefined;
  private own: Compiled | undefined;
  private kinds: ReadonlySet<Expect> | undefined;
  /** The readings that a value leaves, by the value and by which of all they are. */
  private readonly byHolder = new WeakMap<object, Readings>();
  private readonly byKept = new Map<string, Readings>();

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
    this.kinds ??= kindsOf(this.readings().conjunctions);
    return this.kinds;
  }

  /** Whether more than one reading of the schema exists here (a union at this place). */
  isUnion(): boolean {
    return this.readings().conjunctions.length > 1;
  }

  /** The readings that the value's type and tags still allow, as a subschema; undefined where they rule none out. */
  branchFor(value: unknown): SubSchema | undefined {
    const kept = this.narrowed(value);
    if (kept === this.readings()) return undefined;
    // What only joins or refers to others is left out: the whole is checked again by whoever asks.
    const joins = ["anyOf", "oneOf", "allOf", "$ref", "if", "dependentSchemas", "dependencies"];
    const sources = kept.conjunctions.map((conjunction) =>
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
  nodes(): readonly JsonObject[] {
    return this.readings().nodes();
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
    return this.narrowed(holder).child(key);
  }

  /** The property names declared for `holder`, in schema order; the same list for the same readings. */
  declaredKeys(holder: unknown): readonly string[] {
    return this.narrowed(holder).declaredKeys().list;
  }

  /** Whether `key` is declared for `holder` by name. */
  declares(key: string, holder: unknown): boolean {
    return this.narrowed(holder).declaredKeys().names.has(key);
  }

  /** The property names that every reading of the schema requires of `holder`. */
  requiredKeys(holder: unknown): ReadonlySet<string> {
    return this.narrowed(holder).requiredKeys();
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

  private readings(): Readings {
    this.whole ??= Readings.of(this.document, this.sources);
    return this.whole;
  }

  /**
   * The readings that the value's type and tags still allow; all of them where none or every one remains. Asked once for each
   * value: no value is changed while it is looked at.
   */
  private narrowed(holder: unknown): Readings {
    const all = this.readings();
    if (all.conjunctions.length < 2 || holder === null || typeof holder !== "object") return all;
    let readings = this.byHolder.get(holder);
    if (readings === undefined) {
      readings = this.keptFor(all, holder);
      this.byHolder.set(holder, readings);
    }
    return readings;
  }

  private keptFor(all: Readings, holder: object): Readings {
    const kept = all.allowedBy(holder);
    if (kept.length === 0 || kept.length === all.conjunctions.length) return all;
    const key = kept.join();
    let readings = this.byKept.get(key);
    if (readings === undefined) {
      readings = all.only(kept);
      this.byKept.set(key, readings);
    }
    return readings;
  }
}

/** Keywords that say nothing about a value. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "$comment"]);

function isReferenceOnly(node: unknown): node is JsonObject & { readonly $ref: string } {
  if (!isJsonObject(node) || typeof node["$ref"] !== "string") return false;
  return Object.keys(node).every((key) => key === "$ref" || ANNOTATIONS.has(key));
}

function holdsReference(node: unknown, depth: number): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (depth > 64) return true;
  if (!Array.isArray(node) && ("$ref" in node || "$dynamicRef" in node || "$id" in node)) return true;
  return Object.values(node).some((value) => holdsReference(value, depth + 1));
}
