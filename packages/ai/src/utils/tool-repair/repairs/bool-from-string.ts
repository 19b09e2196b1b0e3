import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** `"true"` and `"false"` in any case (Python's `True` too) for a boolean. No other word. */
export const boolFromString = {
  name: "boolFromString",
  errorSignature: { expect: ["boolean"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = site.value as string;
    if (text.length > 16) return undefined;
    const word = text.trim().toLowerCase();
    return word === "true" || word === "false" ? { kind: "set", value: word === "true" } : undefined;
  },
  noteTemplate: "`{path}` was a quoted boolean → send a bare true or false",
  docs: {
    sends: '`{"ignoreCase":"True"}`',
    becomes: '`{"ignoreCase":true}`',
    refuses: '`"yes"`, `"on"`, `"1"`, `""`',
    seen: "Qwen3-Coder, GLM",
  },
} as const satisfies RepairEntry;
