import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject } from "../json-value.ts";
import { keyWords } from "../key-folding.ts";

/** Of an object with more declared fields than this nothing is compared: the cost would be that of keys times fields. */
const MAX_FIELDS = 256;

/** An undeclared key that repeats a value the call already holds under its own name. */
export const repeatedValueDrop = {
  name: "repeatedValueDrop",
  errorSignature: { expect: ["nothing"], got: ["string"] },
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

/** The key stands at the top of the call with the same value. By place, not identity: a wave works on copies. */
function isRepeatedAbove(site: FailureSite): boolean {
  const root = site.call.root;
  const key = String(site.key);
  return site.field !== key && isJsonObject(root) && Object.hasOwn(root, key) && root[key] === site.value;
}

/** A declared field beside it has the same value and a name that holds this one's words. */
function isRepeatedBeside(site: FailureSite): boolean {
  const holder = site.parent;
  if (!isJsonObject(holder)) return false;
  const words = keyWords(String(site.key));
  const declared = site.parentSchema?.declaredKeys(holder) ?? [];
  if (declared.length > MAX_FIELDS) return false;
  return declared.some((key) => {
    if (!Object.hasOwn(holder, key) || holder[key] !== site.value) return false;
    const longer = keyWords(key);
    return words.length > 0 && words.length < longer.length && words.every((word) => longer.includes(word));
  });
}
