import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isTuple } from "../list-schema.ts";

/** One object where a list of objects is expected. */
export const singleObjectWrap = {
  name: "singleObjectWrap",
  errorSignature: { expect: ["array"], got: ["object"] },
  transform: (site: FailureSite) => ({ kind: "set", value: [site.value] }),
  guard: (site) => !isTuple(site.schema),
  noteTemplate: "`{path}` was one object → send an array, even for one item",
  docs: {
    sends: '`{"edits":{"oldText":"a","newText":"b"}}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "objects the items refuse, tuples",
    seen: "GLM-5.x, small local models (pi#8011)",
  },
} as const satisfies RepairEntry;
