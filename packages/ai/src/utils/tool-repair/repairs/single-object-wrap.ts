import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";
import { isPluralVariant } from "../key-folding.ts";
import { isTuple } from "../list-schema.ts";

/** One object where a list of objects is expected. */
export const singleObjectWrap = {
  name: "singleObjectWrap",
  errorSignature: { expect: ["array"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const keys = Object.keys(object);
    // Index keys with a gap are a list that lost an item.
    if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) return undefined;
    return isListByName(object, keys, site) ? undefined : { kind: "set", value: [object] };
  },
  guard: (site) => !isTuple(site.schema),
  noteTemplate: "`{path}` was one object → send an array, even for one item",
  docs: {
    sends: '`{"edits":{"oldText":"a","newText":"b"}}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "objects the items refuse, index keys with gaps, the items under the field's singular, tuples",
    seen: "GLM-5.x, small local models (pi#8011)",
  },
} as const satisfies RepairEntry;

/** `{"row": [{…}]}` for `rows`, where rows take any object: the items may be inside, or this may be one. */
function isListByName(object: JsonObject, [key, ...others]: readonly string[], site: FailureSite): boolean {
  if (key === undefined || others.length > 0 || !isPluralVariant(key, String(site.key))) return false;
  return typeof object[key] === "object" && site.schema?.child(0, [])?.declares(key, object) !== true;
}
