import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** `[]` for the whole arguments of a tool that needs none: PHP encodes an empty map that way. */
export const emptyRootListRead = {
  name: "emptyRootListRead",
  errorSignature: { expect: ["object"], got: ["array"] },
  transform: (site: FailureSite) =>
    site.field === "" && (site.value as readonly unknown[]).length === 0 ? { kind: "set", value: {} } : undefined,
  noteTemplate: "the arguments were an empty list → send {} when there are none",
  docs: {
    sends: "`[]` for a tool without required fields",
    becomes: "`{}`",
    refuses: "tools that require a field",
    seen: "PHP proxies",
  },
} as const satisfies RepairEntry;
