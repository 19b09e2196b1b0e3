import { absentFields } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { foldedItems } from "../fold-items.ts";
import { isEmptyValue, type JsonObject, withKeys } from "../json-value.ts";
import { foldKey } from "../key-folding.ts";

/** The fields of one list item beside the list instead of inside it. */
export const flatFieldsFold = {
  name: "flatFieldsFold",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const absent = absentFields(site);
    const hinted = site.field === "" ? site.call.tool.hints?.fold?.into : undefined;
    if (hinted !== undefined) {
      const present = absent.includes(hinted) ? [] : object[hinted];
      const folded = Array.isArray(present) ? foldedItems(site, present) : undefined;
      if (folded !== undefined && (folded.items.length > 0 || !absent.includes(hinted))) {
        const list = [...(present as unknown[]), ...folded.items];
        return { kind: "set", value: withKeys(object, folded.keys, [[hinted, list]]) };
      }
    }
    const isGone = new Set(absent);
    const byFold = new Map<string, string[]>();
    for (const key of site.fields!.undeclared) byFold.set(foldKey(key), [...(byFold.get(foldKey(key)) ?? []), key]);
    const folds = site.fields!.missing.flatMap((field) => {
      const item = isGone.has(field) ? itemOf(site, field, byFold) : undefined;
      return item === undefined ? [] : [{ field, item }];
    });
    const [fold] = folds;
    if (fold === undefined || folds.length > 1) return undefined;
    return { kind: "set", value: withKeys(object, fold.item.keys, [[fold.field, [fold.item.value]]]) };
  },
  noteTemplate:
    "the fields of one item stood beside the list of `{path}` → send the fields of an item inside the array",
  docs: {
    sends: '`{"path":"a","oldText":"x","newText":"y"}`',
    becomes: '`{"path":"a","edits":[{"oldText":"x","newText":"y"}]}`',
    refuses: "an item that lacks a required field; a pair beside a list is added to it, never lost",
    seen: "every model trained on older edit tools (pi#2731, pi#2949)",
  },
} as const satisfies RepairEntry;

function itemOf(
  site: FailureSite,
  field: string,
  byFold: ReadonlyMap<string, readonly string[]>,
): { keys: string[]; value: JsonObject } | undefined {
  const object = site.value as JsonObject;
  const list = site.schema?.child(field, object);
  if (!list?.expects().has("array")) return undefined;
  const item = list.child(0, []);
  const required = [...(item?.requiredKeys({}) ?? [])];
  if (item === undefined || required.length === 0) return undefined;
  const keys: string[] = [];
  const value: JsonObject = {};
  for (const part of item.declaredKeys({})) {
    const found = byFold.get(foldKey(part)) ?? [];
    const [key] = found;
    if (found.length > 1) return undefined;
    if (key === undefined) continue;
    keys.push(key);
    value[part] = object[key];
  }
  if (!required.every((part) => Object.hasOwn(value, part))) return undefined;
  // Every key is the item's, or carries nothing: content that would stay behind has another meaning.
  const rest = site.fields!.undeclared.filter((key) => !keys.includes(key));
  return rest.every((key) => isEmptyValue(object[key])) ? { keys: [...keys, ...rest], value } : undefined;
}
