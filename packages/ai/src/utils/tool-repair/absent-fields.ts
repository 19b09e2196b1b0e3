// Which declared fields of an object are not there.

import type { FailureSite } from "./failure-site.ts";
import type { JsonObject } from "./json-value.ts";

/** Declared fields that the object lacks, or holds as a null that the field refuses. In schema order. */
export function absentFields(site: FailureSite): string[] {
  const object = site.value as JsonObject;
  return (site.schema?.declaredKeys(object) ?? []).filter((key) => {
    if (!Object.hasOwn(object, key)) return true;
    return object[key] === null && site.schema?.child(key, object)?.passes(null) === false;
  });
}
