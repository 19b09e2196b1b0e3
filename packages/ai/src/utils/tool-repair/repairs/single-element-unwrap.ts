import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject } from "../json-value.ts";

/** A list of exactly one value where the value itself is expected. */
export const singleElementUnwrap = {
  name: "singleElementUnwrap",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "enum", "object"], got: ["array"] },
  transform: (site: FailureSite) => {
    const list = site.value as readonly unknown[];
    return list.length === 1 ? { kind: "set", value: list[0] } : undefined;
  },
  guard: (site, edit) => {
    if (edit.kind !== "set" || edit.value === null) return false;
    return isJsonObject(edit.value)
      ? site.expect.has("object")
      : typeof edit.value !== "object" && site.expect.size > Number(site.expect.has("object"));
  },
  noteTemplate: "`{path}` was a list of one → send the bare {expect}",
  docs: {
    sends: '`{"path":["a.ts"]}`, `[{"path":"a.ts"}]`',
    becomes: '`{"path":"a.ts"}`',
    refuses: "no or several elements, elements the field refuses",
    seen: "GLM, local models",
  },
} as const satisfies RepairEntry;
