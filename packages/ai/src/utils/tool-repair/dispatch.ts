// From (expected, received) to the entries that may repair it, by a Map built once from the registry.

import type { RepairEntry } from "./failure-site.ts";
import { REPAIRS } from "./registry.ts";
import type { Expect, Got } from "./types.ts";

const BY_PAIR = new Map<string, readonly RepairEntry[]>();
const BY_KINDS = new Map<string, readonly RepairEntry[]>();

for (const entry of REPAIRS as readonly RepairEntry[]) {
  for (const expect of entry.errorSignature.expect) {
    for (const got of entry.errorSignature.got) {
      const pair = `${expect}:${got}`;
      BY_PAIR.set(pair, [...(BY_PAIR.get(pair) ?? []), entry]);
    }
  }
}

/** The entries for a place that takes `expects` and got `got`, in attempt order, each once. The same list each time. */
export function entriesFor(expects: ReadonlySet<Expect>, got: Got): readonly RepairEntry[] {
  const key = `${[...expects].join()}:${got}`;
  let entries = BY_KINDS.get(key);
  if (entries === undefined) {
    const found = new Set<RepairEntry>();
    for (const expect of expects) for (const entry of BY_PAIR.get(`${expect}:${got}`) ?? []) found.add(entry);
    entries = (REPAIRS as readonly RepairEntry[]).filter((entry) => found.has(entry));
    BY_KINDS.set(key, entries);
  }
  return entries;
}
