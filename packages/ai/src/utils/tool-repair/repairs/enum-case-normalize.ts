import { membersLike } from "../enum-members.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A member of a closed set in other case, with other separators or with white space around it. Never the nearest. */
export const enumCaseNormalize = {
  name: "enumCaseNormalize",
  errorSignature: { expect: ["enum"], got: ["string", "integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    const word = String(site.value).trim();
    if (word === "" || word.length > 512) return undefined;
    const members = site.schema === undefined ? [] : membersLike(site.schema, word);
    return members.length === 1 ? { kind: "set", value: members[0] } : undefined;
  },
  noteTemplate: "`{path}` was not spelled as the schema lists it → copy one of the listed values exactly",
  docs: {
    sends: '`{"priority":"HIGH"}` for `low`, `high`',
    becomes: '`{"priority":"high"}`',
    refuses: "words that are no member, two members that fold to the same word, signs and separators between digits",
    seen: "several models; trailing line breaks from XML servers",
  },
} as const satisfies RepairEntry;
