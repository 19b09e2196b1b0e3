// The items that a model wrote as plain or numbered fields of one object: `oldText`/`newText`, `oldText2`/`newText2`, …

import { equal } from "@earendil-works/pi-schema";
import type { FailureSite } from "./failure-site.ts";
import { foldPart } from "./hinted-content.ts";
import { isEmptyValue, type JsonObject } from "./json-value.ts";

/** Whole items in the order of their numbers, and every key they were made of. */
export interface FoldedItems {
  readonly items: readonly JsonObject[];
  readonly keys: readonly string[];
}

/**
 * The items that the undeclared keys of the object at `site` write out, without those that `present` already holds.
 * Undefined where no key does, where two keys write one field, or where half an item has content: it cannot be placed.
 */
export function foldedItems(site: FailureSite, present: readonly unknown[]): FoldedItems | undefined {
  const { hints } = site.call.tool;
  if (hints?.fold === undefined) return undefined;
  const { fold } = hints;
  const object = site.value as JsonObject;
  const groups = new Map<number, JsonObject>();
  const keys: string[] = [];
  for (const key of site.fields!.undeclared) {
    const part = foldPart(key, fold, hints);
    if (part === undefined) continue;
    const [field, number] = part;
    const group = groups.get(number) ?? {};
    if (Object.hasOwn(group, field) && !equal(group[field], object[key])) return undefined;
    group[field] = object[key];
    groups.set(number, group);
    keys.push(key);
  }
  if (keys.length === 0) return undefined;
  const items: JsonObject[] = [];
  for (const [, item] of [...groups].sort(([a], [b]) => a - b)) {
    if (Object.values(item).every(isEmptyValue)) continue;
    if (!fold.fields.every((field) => typeof item[field] === "string") || item[fold.fields[0]!] === "")
      return undefined;
    if (![...present, ...items].some((other) => equal(other, item))) items.push(item);
  }
  return { items, keys };
}
