import { exactNumber } from "../exact-number.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A number that was sent as a string, in JSON's number syntax and without loss. */
export const numberFromString = {
  name: "numberFromString",
  errorSignature: { expect: ["number", "integer"], got: ["string"] },
  transform: (site: FailureSite) => {
    const value = Array.isArray(site.parent) ? undefined : exactNumber(site.value as string);
    if (value === undefined) return undefined;
    // A member of a closed set is matched with its rivals in view (enumCaseNormalize).
    if (site.expect.has("enum") && site.schema?.members().includes(value)) return undefined;
    return { kind: "set", value };
  },
  noteTemplate: "`{path}` was a quoted number → send a bare JSON number",
  docs: {
    sends: '`{"limit":"20"}`',
    becomes: '`{"limit":20}`',
    refuses: '`"4.5"` for an integer, `"1,000"`, `"30s"`, `"Infinity"`, integers beyond 2^53',
    seen: "every model family",
  },
} as const satisfies RepairEntry;
