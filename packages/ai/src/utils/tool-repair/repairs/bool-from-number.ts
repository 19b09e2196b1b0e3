import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** The numbers 0 and 1 for a boolean, as stock pi takes them. Never the strings. */
export const boolFromNumber = {
  name: "boolFromNumber",
  errorSignature: { expect: ["boolean"], got: ["integer"] },
  transform: (site: FailureSite) =>
    site.value === 0 || site.value === 1 ? { kind: "set", value: site.value === 1 } : undefined,
  // Where text is taken too, 1 may as well be the text.
  guard: (site) => !site.expect.has("string"),
  noteTemplate: "`{path}` was 0 or 1 → send a bare true or false",
  docs: {
    sends: '`{"ignoreCase":1}`',
    becomes: '`{"ignoreCase":true}`',
    refuses: '2, -1, 0.5, `"1"`',
    seen: "several models",
  },
} as const satisfies RepairEntry;
