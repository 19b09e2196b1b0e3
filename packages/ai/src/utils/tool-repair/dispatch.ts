// From (expected, received) to the entries that may repair it, by a Map built once from the registry.

import type { RepairEntry } from "./failure-site.ts";
import { REPAIRS } from "./registry.ts";
import type { Expect, Got } from "./types.ts";

type Entries = readonly RepairEntry[];

const BY_PAIR = new Map<string, RepairEntry[]>();
/** The sets of expected kinds live as long as the subschemas that hold them. */
const BY_KINDS = new WeakMap<ReadonlySet<Expect>, Map<Got, Entries>>();

for (const entry of REPAIRS as Entries) {
  for (const expect of entry.errorSignature.expect) {
    for (const got of entry.errorSignature.got) {
      const pair = `${expect}:${got}`;
      const entries = BY_PAIR.get(pair);
      if (entries === undefined) BY_PAIR.set(pair, [entry]);
      else entries.push(entry);
    }
  }
}

/** The entries for a place that takes `expects` and got `got`, in attempt order, each once. The same list each time. */
export function entriesFor(expects: ReadonlySet<Expect>, got: Got): Entries {
  let byGot = BY_KINDS.get(expects);
  if (byGot === undefined) {
    byGot = new Map();
    BY_KINDS.set(expects, byGot);
  }
  let entries = byGot.get(got);
  if (entries === undefined) {
    const found = new Set([...expects].flatMap((expect) => BY_PAIR.get(`${expect}:${got}`) ?? []));
    entries = (REPAIRS as Entries).filter((entry) => found.has(entry));
    byGot.set(got, entries);
  }
  return entries;
}
