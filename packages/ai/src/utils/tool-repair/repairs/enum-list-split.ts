import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A comma list where every part is a member of the list's closed set: no other reading passes. */
export const enumListSplit = {
  name: "enumListSplit",
  errorSignature: { expect: ["array"], got: ["string"] },
  transform: (site: FailureSite) => {
    const parts = (site.value as string).split(",").map((part) => part.trim());
    const members = new Set(site.schema?.child(0, [])?.members() ?? []);
    return parts.length > 1 && parts.every((part) => members.has(part)) ? { kind: "set", value: parts } : undefined;
  },
  noteTemplate: "`{path}` was a comma list → send a raw JSON array",
  docs: {
    sends: '`{"status":"open, closed"}` for a list of an enum',
    becomes: '`{"status":["open","closed"]}`',
    refuses: "any part that is no member; lists of free strings",
    seen: "several models",
  },
} as const satisfies RepairEntry;
