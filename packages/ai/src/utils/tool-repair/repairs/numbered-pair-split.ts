import { equal } from "@earendil-works/pi-schema";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isEmptyValue, type JsonObject, withKeys } from "../json-value.ts";

/** A second set of an item's fields under numbered names: a further item when complete, for lists that are hinted. */
export const numberedPairSplit = {
  name: "numberedPairSplit",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const fold = site.call.tool.hints?.fold;
    if (fold === undefined || site.field !== `${fold.into}[]`) return undefined;
    const object = site.value as JsonObject;
    const groups = new Map<number, Map<string, string>>();
    for (const key of site.fields!.undeclared) {
      const match = key.match(/^([A-Za-z]{1,64}?)[_-]?(\d{1,3})$/);
      if (match === null || !fold.fields.includes(match[1]!)) continue;
      const group = groups.get(Number(match[2])) ?? new Map<string, string>();
      if (group.has(match[1]!)) return undefined;
      groups.set(Number(match[2]), group.set(match[1]!, key));
    }
    if (groups.size === 0) return undefined;
    const own = Object.fromEntries(fold.fields.map((field) => [field, object[field]]));
    const alsoItems: JsonObject[] = [];
    const dropped: string[] = [];
    for (const [, group] of [...groups].sort(([a], [b]) => a - b)) {
      const item = Object.fromEntries([...group].map(([field, key]) => [field, object[key]]));
      const isComplete = fold.fields.every((field) => typeof item[field] === "string") && item[fold.fields[0]!] !== "";
      // Half a pair with content cannot be placed: the call bounces and names the key.
      if (!isComplete && !Object.values(item).every(isEmptyValue)) return undefined;
      if (isComplete && ![own, ...alsoItems].some((other) => equal(other, item))) alsoItems.push(item);
      dropped.push(...group.values());
    }
    return { kind: "set", value: withKeys(object, dropped, []), alsoItems };
  },
  noteTemplate: "`{path}` held several items in one → send each as an item of the array",
  docs: {
    sends: '`{"edits":[{"oldText":"a","newText":"b","oldText2":"c","newText2":"d"}]}`',
    becomes: "two items",
    refuses: "half a pair with content (bounces naming the key), lists without the hint",
    seen: "Claude Opus 4.6–4.8, Sonnet 5 (pi#6278; 5 % of edit calls in one count)",
  },
} as const satisfies RepairEntry;
