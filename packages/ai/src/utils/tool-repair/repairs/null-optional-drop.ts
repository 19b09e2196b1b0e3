import type { RepairEntry } from "../failure-site.ts";

/** `null` for an optional field means that the model left it out: the key goes. */
export const nullOptionalDrop = {
  name: "nullOptionalDrop",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "object", "array", "enum"], got: ["null"] },
  transform: (site) => (site.required || typeof site.key !== "string" ? undefined : { kind: "drop" }),
  noteTemplate: "`{path}` was null → leave an optional field out",
  docs: {
    sends: '`{"path":"a","limit":null}`',
    becomes: '`{"path":"a"}`',
    refuses: "required fields, list items, fields that take null",
    seen: "DeepSeek V3.1–V4, GLM, most local models",
  },
} as const satisfies RepairEntry;
