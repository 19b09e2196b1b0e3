import { equal } from "@earendil-works/pi-schema";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject } from "../json-value.ts";
import { keyWords } from "../key-folding.ts";

/** An undeclared key that repeats a value the call already holds under its own name. */
export const repeatedValueDrop = {
  name: "repeatedValueDrop",
  errorSignature: { expect: ["nothing"], got: ["string", "integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    if (site.soft || typeof site.key !== "string") return undefined;
    return isRepeatedAbove(site) || isRepeatedBeside(site) ? { kind: "drop" } : undefined;
  },
  noteTemplate: "`{path}` repeated another field → send each value once",
  docs: {
    sends: '`{"path":"f","edits":[{"oldText":"a","newText":"b","path":"f"}]}`',
    becomes: "the inner `path` is gone",
    refuses: "another value, a name that is not part of the other field's name",
    seen: "Claude Sonnet 4.6",
  },
} as const satisfies RepairEntry;

function isRepeatedAbove(site: FailureSite): boolean {
  const root = site.call.root;
  const key = String(site.key);
  return site.parent !== root && isJsonObject(root) && Object.hasOwn(root, key) && equal(root[key], site.value);
}

function isRepeatedBeside(site: FailureSite): boolean {
  if (!isJsonObject(site.parent) || typeof site.value !== "string") return false;
  const words = keyWords(String(site.key));
  return Object.entries(site.parent).some(([key, value]) => {
    if (key === site.key || value !== site.value || site.parentSchema?.child(key, site.parent) === undefined)
      return false;
    const longer = keyWords(key);
    return words.length < longer.length && words.every((word) => longer.includes(word));
  });
}
