import { isOptionalField } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

const NOTHING = new Set(["", "null", "None", "undefined"]);

/** `""` or a word for nothing in an optional text field whose own rules (pattern, length, format) refuse it: the key goes. */
export const emptyTextDrop = {
  name: "emptyTextDrop",
  errorSignature: { expect: ["string"], got: ["string"] },
  transform: (site: FailureSite) =>
    NOTHING.has(site.value as string) && isOptionalField(site) ? { kind: "drop" } : undefined,
  noteTemplate: "`{path}` held nothing → leave an optional field out",
  docs: {
    sends: '`{"selector":""}`, `{"since":"null"}` for an optional field with a pattern or format',
    becomes: "the key is gone",
    refuses: "required fields, and every field that takes the text",
    seen: "MiniMax M3, Qwen 3.x",
  },
} as const satisfies RepairEntry;
