import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { foldKey } from "../key-folding.ts";
import type { SubSchema } from "../sub-schema.ts";

/** A member of a closed set in other case, with other separators or with white space around it. Never the nearest. */
export const enumCaseNormalize = {
  name: "enumCaseNormalize",
  errorSignature: { expect: ["enum"], got: ["string", "integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    const word = String(site.value).trim();
    if (word === "" || word.length > 512) return undefined;
    const members = site.schema === undefined ? [] : (membersByFold(site.schema).get(foldOf(word)) ?? []);
    return members.length === 1 ? { kind: "set", value: members[0] } : undefined;
  },
  noteTemplate: "`{path}` was not spelled as the schema lists it → copy one of the listed values exactly",
  docs: {
    sends: '`{"priority":"HIGH"}` for `low`, `high`',
    becomes: '`{"priority":"high"}`',
    refuses: "words that are no member, two members that fold to the same word",
    seen: "several models; trailing line breaks from XML servers",
  },
} as const satisfies RepairEntry;

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

/** The word without case and separators; itself where it is made of separators only. */
function foldOf(word: string): string {
  return foldKey(word) || word;
}
