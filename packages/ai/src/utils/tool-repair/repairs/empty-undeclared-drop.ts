import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isEmptyValue } from "../json-value.ts";

/** An undeclared key that carries nothing, in an object that takes no such key. */
export const emptyUndeclaredDrop = {
  name: "emptyUndeclaredDrop",
  errorSignature: { expect: ["nothing"], got: ["null", "string", "object"] },
  transform: (site: FailureSite) => (!site.soft && isEmptyValue(site.value) ? { kind: "drop" } : undefined),
  noteTemplate: "`{path}` is no field of this tool → leave it out",
  docs: {
    sends: '`{"oldText":"a","newText":"b","newText_2":""}`',
    becomes: '`{"oldText":"a","newText":"b"}`',
    refuses: "a key that carries content: it bounces by name",
    seen: "Claude Opus 4.8, Sonnet 5 (pi#6278)",
  },
} as const satisfies RepairEntry;
