import { isOptionalField } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** `""` for an optional text field whose own rules (pattern, length, format) refuse it: the key goes. */
export const emptyTextDrop = {
  name: "emptyTextDrop",
  errorSignature: { expect: ["string"], got: ["string"] },
  transform: (site: FailureSite) => (site.value === "" && isOptionalField(site) ? { kind: "drop" } : undefined),
  noteTemplate: "`{path}` was empty → leave an optional field out",
  docs: {
    sends: '`{"selector":""}` for an optional field with a pattern',
    becomes: "the key is gone",
    refuses: "required fields, and every field that takes an empty text",
    seen: "MiniMax M3, Qwen 3.x",
  },
} as const satisfies RepairEntry;
