// The sentence that teaches one repair, filled in from the entry's template. Shape only: never a value.

import type { Edit, FailureSite, RepairEntry } from "./failure-site.ts";
import { readablePath } from "./json-pointer.ts";
import type { AppliedRepair, Expect } from "./types.ts";

/** What was done at `site`; `base` is the pointer of the container that holds it. Items of a list speak for the list. */
export function appliedRepair(entry: RepairEntry, site: FailureSite, edit: Edit, base: string): AppliedRepair {
  const whole = base + site.path;
  const path = typeof site.key === "number" && site.path !== "" ? whole.slice(0, whole.lastIndexOf("/")) : whole;
  const note = entry.noteTemplate
    .replaceAll("{path}", readablePath(path))
    .replaceAll(
      "{expect}",
      expectation(site.fields === undefined ? site.expect : (site.schema?.expects() ?? site.expect)),
    );
  const forgiven = edit.kind === "set" ? edit.forgiven : undefined;
  return forgiven === undefined || forgiven.length === 0
    ? { name: entry.name, path, note }
    : { name: entry.name, path, note, forgiven };
}

/** One repair a (name, list or field): a thousand items of a list make one. Order is kept. */
export function mergeRepairs(repairs: readonly AppliedRepair[]): AppliedRepair[] {
  const seen = new Map<string, AppliedRepair>();
  for (const repair of repairs) {
    const key = `${repair.name} ${repair.path.replace(/\/\d+(?=\/|$)/g, "/#")}`;
    if (!seen.has(key)) seen.set(key, repair);
  }
  return [...seen.values()];
}

function expectation(expects: ReadonlySet<Expect>): string {
  const kinds = [...expects].filter((kind) => kind !== "enum" || expects.size === 1);
  return kinds.length === 0 ? "value" : kinds.join(" or ");
}
