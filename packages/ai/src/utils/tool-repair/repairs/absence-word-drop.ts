import { isOptionalField } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

const ABSENCE_WORDS = new Set(["", "null", "None", "undefined"]);

/** A word for "nothing" in an optional field that takes no such text: the key goes. */
export const absenceWordDrop = {
  name: "absenceWordDrop",
  errorSignature: { expect: ["number", "integer", "boolean", "object", "array", "enum"], got: ["string"] },
  transform: (site: FailureSite) => {
    if (!isOptionalField(site)) return undefined;
    return ABSENCE_WORDS.has((site.value as string).slice(0, 64).trim()) ? { kind: "drop" } : undefined;
  },
  noteTemplate: "`{path}` was a word for nothing → leave an optional field out",
  docs: {
    sends: '`{"limit":"","context":"null"}` for optional numbers',
    becomes: "the keys are gone",
    refuses: "required fields, list items, free text",
    seen: "MiniMax M3, Qwen 3.x",
  },
} as const satisfies RepairEntry;
