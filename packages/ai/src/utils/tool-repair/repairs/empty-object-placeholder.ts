import { isOptionalField } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";

/** `{}` as a placeholder for an optional field that takes no object: the key goes. */
export const emptyObjectPlaceholder = {
  name: "emptyObjectPlaceholder",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "array", "enum"], got: ["object"] },
  transform: (site: FailureSite) => {
    if (!isOptionalField(site)) return undefined;
    return Object.keys(site.value as JsonObject).length === 0 ? { kind: "drop" } : undefined;
  },
  noteTemplate: "`{path}` was an empty object → leave an optional field out",
  docs: {
    sends: '`{"path":"a","limit":{}}`',
    becomes: '`{"path":"a"}`',
    refuses: "required fields, list items, fields that take `{}`",
    seen: "DeepSeek V3.1–V4, GLM",
  },
} as const satisfies RepairEntry;
