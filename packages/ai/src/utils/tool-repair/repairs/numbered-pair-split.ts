import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { foldedItems } from "../fold-items.ts";
import { type JsonObject, withKeys } from "../json-value.ts";

/** A second set of an item's fields under numbered names: a further item when complete, for lists that are hinted. */
export const numberedPairSplit = {
  name: "numberedPairSplit",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const fold = site.call.tool.hints?.fold;
    if (fold === undefined || site.field !== `${fold.into}[]`) return undefined;
    const object = site.value as JsonObject;
    const own = Object.fromEntries(fold.fields.map((field) => [field, object[field]]));
    const folded = foldedItems(site, [own]);
    if (folded === undefined) return undefined;
    return { kind: "set", value: withKeys(object, folded.keys, []), alsoItems: folded.items };
  },
  noteTemplate: "`{path}` held several items in one → send each as an item of the array",
  docs: {
    sends: '`{"edits":[{"oldText":"a","newText":"b","oldText2":"c","newText2":"d"}]}`',
    becomes: "two items",
    refuses: "half a pair with content (bounces naming the key), lists without the hint",
    seen: "Claude Opus 4.6–4.8, Sonnet 5 (pi#6278; 5 % of edit calls in one count)",
  },
} as const satisfies RepairEntry;
