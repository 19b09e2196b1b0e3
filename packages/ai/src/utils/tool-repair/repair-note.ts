// The sentence that teaches one repair, filled in from the entry's template. Shape only: never a value.

import type { Edit, FailureSite, RepairEntry } from "./failure-site.ts";
import { readablePath } from "./json-pointer.ts";
import type { AppliedRepair, Expect } from "./types.ts";

/** The sets of expected kinds live as long as the subschemas that hold them. */
const EXPECTATIONS = new WeakMap<ReadonlySet<Expect>, string>();
const TEMPLATES = new Map<string, readonly string[]>();

/** What was done at `site`; `base` is the pointer of the container that holds it. Items of a list speak for the list. */
export function appliedRepair(entry: RepairEntry, site: FailureSite, edit: Edit, base: string): AppliedRepair {
  const whole = base + site.path;
  const path = typeof site.key === "number" && site.path !== "" ? whole.slice(0, whole.lastIndexOf("/")) : whole;
  const note = filled(entry.noteTemplate, path, site, edit);
  const forgiven = edit.kind === "set" ? edit.forgiven : undefined;
  if (forgiven === undefined || forgiven.length === 0) return { name: entry.name, path, note };
  return { name: entry.name, path, note, forgiven };
}

/** One repair a (name, list or field): a thousand items of a list make one. Order is kept. */
export function mergeRepairs(repairs: readonly AppliedRepair[]): readonly AppliedRepair[] {
  if (repairs.length < 2) return repairs;
  const seen = new Map<string, AppliedRepair>();
  for (const repair of repairs) {
    const key = `${repair.name} ${repair.path.replace(/\/\d+(?=\/|$)/g, "/#")}`;
    if (!seen.has(key)) seen.set(key, repair);
  }
  return [...seen.values()];
}

function filled(template: string, path: string, site: FailureSite, edit: Edit): string {
  let parts = TEMPLATES.get(template);
  if (parts === undefined) {
    parts = template.split(/(\{path\}|\{expect\}|\{detail\})/);
    TEMPLATES.set(template, parts);
  }
  let note = "";
  for (const part of parts) {
    if (part === "{path}") note += readablePath(path);
    else if (part === "{expect}") note += expectation(site);
    else if (part === "{detail}") note += edit.kind === "set" ? (edit.detail ?? "") : "";
    else note += part;
  }
  return note;
}

function expectation(site: FailureSite): string {
  const expects: ReadonlySet<Expect> =
    site.fields === undefined ? site.expect : (site.schema?.expects() ?? site.expect);
  let text = EXPECTATIONS.get(expects);
  if (text === undefined) {
    const kinds = [...expects].filter((kind) => kind !== "enum" || expects.size === 1);
    text = kinds.length === 0 ? "value" : kinds.join(" or ");
    EXPECTATIONS.set(expects, text);
  }
  return text;
}
