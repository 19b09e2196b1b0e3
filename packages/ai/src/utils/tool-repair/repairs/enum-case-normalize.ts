import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { foldKey } from "../key-folding.ts";

/** A member of a closed set in other case, with other separators or with white space around it. Never the nearest. */
export const enumCaseNormalize = {
  name: "enumCaseNormalize",
  errorSignature: { expect: ["enum"], got: ["string", "integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    const word = String(site.value).trim();
    if (word === "" || word.length > 512) return undefined;
    const folded = foldKey(word);
    const members = (site.schema?.members() ?? []).filter((member) => sameWord(member, word, folded));
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

function sameWord(member: unknown, word: string, folded: string): boolean {
  if (typeof member === "string") return member === word || (folded !== "" && foldKey(member) === folded);
  return (typeof member === "number" || typeof member === "boolean") && String(member) === word;
}
