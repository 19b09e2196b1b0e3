// The members of a closed set that a word may mean. Runs for values that the set refused; never looks for the nearest.

import { foldKey } from "./key-folding.ts";
import type { SubSchema } from "./sub-schema.ts";

/** Members equal to `word` after folding of case and separators; none, one, or rivals. */
export function membersLike(schema: SubSchema, word: string): readonly unknown[] {
  return membersByFold(schema).get(foldOf(word)) ?? [];
}

/** Members by folded word; built once for a subschema, since a list may ask for every item. */
const FOLDED = new WeakMap<SubSchema, ReadonlyMap<string, readonly unknown[]>>();

function membersByFold(schema: SubSchema): ReadonlyMap<string, readonly unknown[]> {
  const known = FOLDED.get(schema);
  if (known !== undefined) return known;
  const byFold = new Map<string, unknown[]>();
  for (const member of schema.members()) {
    if (typeof member !== "string" && typeof member !== "number" && typeof member !== "boolean") continue;
    const folded = foldOf(String(member));
    byFold.set(folded, [...(byFold.get(folded) ?? []), member]);
  }
  FOLDED.set(schema, byFold);
  return byFold;
}

/**
 * The word without case and separators; itself where it is made of separators only. What stands between or before digits
 * is no separator: `-1` is not `1`, `1-0` not `10`.
 */
function foldOf(word: string): string {
  return foldKey(word.replace(/^\s*-\s*(?=\d)|(\d)[-_\s](?=\d)/g, "$1\u0000")) || word;
}
