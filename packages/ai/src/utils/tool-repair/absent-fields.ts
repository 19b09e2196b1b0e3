// Which declared fields of an object are not there, and which need not be.

import type { FailureSite } from "./failure-site.ts";
import { isEmptyValue, type JsonObject } from "./json-value.ts";
import type { SubSchema } from "./sub-schema.ts";

/** Declared fields that the object lacks, or holds as a null, "" or {} that the field refuses. In schema order. */
export function absentFields(site: FailureSite): string[] {
  const object = site.value as JsonObject;
  return (site.schema?.declaredKeys(object) ?? []).filter((key) => isAbsent(key, object, site.schema));
}

/** Whether `object` has nothing for `key`: no such key, or an empty value that the field refuses. */
export function isAbsent(key: string, object: JsonObject, schema: SubSchema | undefined): boolean {
  if (!Object.hasOwn(object, key)) return true;
  return isEmptyValue(object[key]) && schema?.child(key, object)?.passes(object[key]) === false;
}

/** Whether the value at `site` is a declared field that may be left out; never a list item or a map's own key. */
export function isOptionalField(site: FailureSite): boolean {
  if (site.required || typeof site.key !== "string") return false;
  return site.parentSchema?.declares(site.key, site.parent) ?? false;
}
