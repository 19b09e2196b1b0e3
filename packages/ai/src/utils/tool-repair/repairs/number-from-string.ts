import { exactNumber } from "../exact-number.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A number that was sent as a string, in JSON's number syntax and without loss. */
export const numberFromString = {
  name: "numberFromString",
  errorSignature: { expect: ["number", "integer"], got: ["string"] },
  transform: (site: FailureSite) => {
    // A closed set of numbers is matched member by member (enumCaseNormalize).
    if (Array.isArray(site.parent) || site.expect.has("enum")) return undefined;
    const value = exactNumber(site.value as string);
    return value === undefined ? undefined : { kind: "set", value };
  },
  noteTemplate: "`{path}` was a quoted number → send a bare JSON number",
  docs: {
    sends: '`{"limit":"20"}`',
    becomes: '`{"limit":20}`',
    refuses: '`"4.5"` for an integer, `"1,000"`, `"30s"`, `"Infinity"`, integers beyond 2^53',
    seen: "every model family",
  },
} as const satisfies RepairEntry;
