import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";
import { isTuple } from "../list-schema.ts";

/** One object where a list of objects is expected. */
export const singleObjectWrap = {
  name: "singleObjectWrap",
  errorSignature: { expect: ["array"], got: ["object"] },
  transform: (site: FailureSite) => {
    // Index keys with a gap are a list that lost an item.
    const keys = Object.keys(site.value as JsonObject);
    return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? undefined : { kind: "set", value: [site.value] };
  },
  guard: (site) => !isTuple(site.schema),
  noteTemplate: "`{path}` was one object → send an array, even for one item",
  docs: {
    sends: '`{"edits":{"oldText":"a","newText":"b"}}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "objects the items refuse, index keys with gaps, tuples",
    seen: "GLM-5.x, small local models (pi#8011)",
  },
} as const satisfies RepairEntry;
