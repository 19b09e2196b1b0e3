import type { RepairEntry } from "../failure-site.ts";

/** `null` for a required field or a list item: no value may be invented, the model has to send one. */
export const nullRequiredBounce = {
  name: "nullRequiredBounce",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "object", "array", "enum"], got: ["null"] },
  transform: () => undefined,
  bounces: true,
  noteTemplate: "null is no value for a required field",
  docs: {
    sends: '`{"path":null,"content":"x"}`',
    becomes: "a bounce (stock pi writes a file called `null`)",
    refuses: "always",
    seen: "several models; pi#7328",
  },
} as const satisfies RepairEntry;
