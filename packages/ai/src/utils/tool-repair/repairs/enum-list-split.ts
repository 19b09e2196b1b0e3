import { membersLike } from "../enum-members.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A comma list where every part is a member of the list's closed set: no other reading passes. */
export const enumListSplit = {
  name: "enumListSplit",
  errorSignature: { expect: ["array"], got: ["string"] },
  transform: (site: FailureSite) => {
    const parts = (site.value as string).split(",").map((part) => part.trim());
    const item = parts.length > 1 ? site.schema?.child(0, []) : undefined;
    if (item === undefined) return undefined;
    const exact = new Set(item.members());
    const members = parts.map((part) => (exact.has(part) ? [part] : membersLike(item, part)));
    const isNamed = members.every(([member, rival]) => typeof member === "string" && rival === undefined);
    return isNamed ? { kind: "set", value: members.flat() } : undefined;
  },
  noteTemplate: "`{path}` was a comma list → send a raw JSON array",
  docs: {
    sends: '`{"status":"open, closed"}` for a list of an enum',
    becomes: '`{"status":["open","closed"]}`',
    refuses: "any part that is no member in any spelling; numbers; lists of free strings",
    seen: "several models",
  },
} as const satisfies RepairEntry;
