// The kinds of value that schema nodes take, by their types and closed sets. Pure; follows no reference.
import type { JsonObject } from "./json-value.ts";
import type { Conjunction } from "./schema-readings.ts";
import type { Expect } from "./types.ts";

const TYPES: readonly Expect[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** The kinds of value that a union of conjunctions of nodes takes; empty where no node says. */
export function kindsOf(alternatives: readonly Conjunction[]): ReadonlySet<Expect> {
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

/** The kinds that one node names; undefined where it does not say. */
export function ownKinds(node: JsonObject): Set<Expect> | undefined {
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
