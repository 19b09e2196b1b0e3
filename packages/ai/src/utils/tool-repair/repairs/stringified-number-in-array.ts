import { exactNumber } from "../exact-number.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** Numbers of a list that were sent as strings; every one must be a number. */
export const stringifiedNumberInArray = {
  name: "stringifiedNumberInArray",
  errorSignature: { expect: ["number", "integer"], got: ["string"] },
  transform: (site: FailureSite) => {
    const value = Array.isArray(site.parent) ? exactNumber(site.value as string) : undefined;
    if (value === undefined || (site.expect.has("enum") && site.schema?.members().includes(value))) return undefined;
    return { kind: "set", value };
  },
  noteTemplate: "`{path}` held quoted numbers → send bare JSON numbers",
  docs: {
    sends: '`{"ids":["1","2"]}`',
    becomes: '`{"ids":[1,2]}`',
    refuses: "a list with one item that is no exact number",
    seen: "Qwen3-Coder and other XML-parameter models",
  },
} as const satisfies RepairEntry;
