import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isEmptyValue } from "../json-value.ts";

/** An undeclared key that carries nothing, in an object that takes no such key. */
export const emptyUndeclaredDrop = {
  name: "emptyUndeclaredDrop",
  errorSignature: { expect: ["nothing"], got: ["null", "string", "object"] },
  transform: (site: FailureSite) =>
    !site.soft && isEmptyValue(site.value) && !leadsIntoField(site) ? { kind: "drop" } : undefined,
  noteTemplate: "`{path}` is no field of this tool → leave it out",
  docs: {
    sends: '`{"oldText":"a","newText":"b","newText_2":""}`',
    becomes: '`{"oldText":"a","newText":"b"}`',
    refuses: "a key that carries content: it bounces by name",
    seen: "Claude Opus 4.8, Sonnet 5 (pi#6278)",
  },
} as const satisfies RepairEntry;

/** Whether the key is a path into a field that takes any key (`items.x.y` for a map): there even null is content. */
function leadsIntoField({ key, parent, parentSchema }: FailureSite): boolean {
  if (typeof key !== "string") return false;
  const head = key.slice(0, 256).split(/[[.]/, 1)[0]!;
  return head !== key && head !== "" && parentSchema?.child(head, parent) !== undefined;
}
