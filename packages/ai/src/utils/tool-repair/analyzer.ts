// From a validator's errors to failure sites. Work is linear in the errors: each error's path is walked once, with the
// walk of its parent shared, and the schema tree is never searched.

import type { ValidationError } from "@earendil-works/pi-schema";
import { isAbsent } from "./absent-fields.ts";
import type { CallContext, FailureSite } from "./failure-site.ts";
import { carriesHintedContent } from "./hinted-content.ts";
import { isSoftlyClosed } from "./hinted-schema.ts";
import { splitLast } from "./json-pointer.ts";
import { gotOf, isJsonObject, type JsonObject } from "./json-value.ts";
import { isPathFormat } from "./path-debris.ts";
import type { SubSchema } from "./sub-schema.ts";
import type { Expect } from "./types.ts";

const NOTHING: ReadonlySet<Expect> = new Set(["nothing"]);
const FIELDS: ReadonlySet<Expect> = new Set(["fields"]);
const UNKNOWN: ReadonlySet<Expect> = new Set();

/** Keywords that fault a key the object should not have. */
const UNDECLARED = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames", "false"]);
/** Keywords reported at a key that is not there. */
const MISSING = new Set(["required", "dependentRequired"]);

interface Place {
  readonly value: unknown;
  readonly schema: SubSchema | undefined;
  readonly field: string;
  readonly key: string | number | undefined;
  readonly parent: Place | undefined;
  readonly path: string;
}

/**
 * The sites of `errors`, outer before inner, an object's field faults before the values in it. One site a path; the
 * first error of a path names the keyword.
 */
export function analyzeFailures(
  schema: SubSchema,
  value: unknown,
  field: string,
  errors: readonly ValidationError[],
  call: CallContext,
): Analysis {
  const root: Place = { value, schema, field, key: undefined, parent: undefined, path: "" };
  const places = new Map<string, Place>([["", root]]);
  const byPath = new Map<string, FailureSite>();
  const sites: FailureSite[] = [];
  let faults: Map<string, Fault> | undefined;
  for (const error of errors) {
    const place = placeOf(error.path, places);
    let site = byPath.get(error.path);
    if (site === undefined) {
      site = valueSite(place, error.keyword, call);
      byPath.set(error.path, site);
      sites.push(site);
    }
    if (place.parent === undefined || typeof place.key !== "string" || !isJsonObject(place.parent.value)) continue;
    const isUndeclared = UNDECLARED.has(error.keyword) && place.value !== undefined;
    const isMissing = MISSING.has(error.keyword) || (place.value === null && site.required);
    if (!isMissing && !isUndeclared) continue;
    faults ??= new Map();
    let fault = faults.get(place.parent.path);
    if (fault === undefined) {
      fault = { place: place.parent, missing: [], soft: true };
      faults.set(place.parent.path, fault);
    }
    if (isMissing) fault.missing.push(place.key);
    if (isMissing || !site.soft) fault.soft = false;
  }
  return {
    sites: faults === undefined ? sites : [...[...faults.values()].map((fault) => fieldsSite(fault, call)), ...sites],
    around: (path) => unionAround(placeOf(path, places), call),
  };
}

/** The sites of one failing value. */
export interface Analysis {
  /** Outer before inner, an object's field faults before the values in it. */
  readonly sites: readonly FailureSite[];
  /** The nearest place at or above `path` where the schema is a union, as a site of its own; undefined where none is. */
  readonly around: (path: string) => FailureSite | undefined;
}

interface Fault {
  readonly place: Place;
  readonly missing: string[];
  soft: boolean;
}

function unionAround(place: Place, call: CallContext): FailureSite | undefined {
  for (let at: Place | undefined = place.parent; at !== undefined; at = at.parent) {
    if (at.schema?.isUnion()) return valueSite(at, "anyOf", call);
  }
  return undefined;
}

function placeOf(path: string, places: Map<string, Place>): Place {
  const known = places.get(path);
  if (known !== undefined) return known;
  const last = splitLast(path)!;
  const parent = placeOf(last.parent, places);
  const place = placeUnder(parent, last.key, path);
  places.set(path, place);
  return place;
}

function placeUnder(parent: Place, key: string, path: string): Place {
  if (Array.isArray(parent.value)) {
    const index = Number(key);
    const schema = parent.schema?.child(index, parent.value);
    return { value: parent.value[index], schema, field: `${parent.field}[]`, key: index, parent, path };
  }
  const holder = isJsonObject(parent.value) ? parent.value : {};
  const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  const field = parent.field === "" ? key : `${parent.field}.${key}`;
  return { value, schema: parent.schema?.child(key, holder), field, key, parent, path };
}

function isRequired(place: Place): boolean {
  if (place.parent === undefined || typeof place.key === "number") return true;
  return place.parent.schema?.requiredKeys(place.parent.value).has(String(place.key)) ?? false;
}

function valueSite(place: Place, keyword: string, call: CallContext): FailureSite {
  const undeclared = UNDECLARED.has(keyword) && typeof place.key === "string";
  return {
    path: place.path,
    field: place.field,
    keyword,
    expect: undeclared ? NOTHING : (place.schema?.expects() ?? UNKNOWN),
    got: gotOf(place.value),
    value: place.value,
    schema: undeclared ? undefined : place.schema,
    required: isRequired(place),
    key: place.key,
    parent: place.parent?.value,
    parentSchema: place.parent?.schema,
    fields: undefined,
    soft: undeclared ? isSoftKey(place, call) : isSuspectPath(place, keyword),
    call,
  };
}

function fieldsSite({ place, missing, soft }: Fault, call: CallContext): FailureSite {
  const holder = isJsonObject(place.value) ? place.value : {};
  return {
    path: place.path,
    field: place.field,
    keyword: missing.length > 0 ? "required" : "additionalProperties",
    expect: FIELDS,
    got: "object",
    value: place.value,
    schema: place.schema,
    required: isRequired(place),
    key: place.key,
    parent: place.parent?.value,
    parentSchema: place.parent?.schema,
    fields: { missing, undeclared: undeclaredKeys(holder, place.schema) },
    soft,
    call,
  };
}

/** Every key that the schema does not declare, whether or not the object is closed. */
function undeclaredKeys(holder: JsonObject, schema: SubSchema | undefined): string[] {
  return Object.keys(holder).filter((key) => schema?.child(key, holder) === undefined);
}

/** Whether an undeclared key faults only because we closed the object to look for declared spellings. */
function isSoftKey(place: Place, call: CallContext): boolean {
  const holder = place.parent!;
  const closing = (holder.schema?.nodes() ?? []).filter((node) => node["additionalProperties"] === false);
  if (closing.length === 0 || !closing.every(isSoftlyClosed)) return false;
  const object = holder.value as JsonObject;
  const lacks = (name: string) => isAbsent(name, object, holder.schema);
  return !carriesHintedContent(String(place.key), place.value, holder.field, object, call.tool.hints, lacks);
}

function isSuspectPath(place: Place, keyword: string): boolean {
  if (keyword !== "format") return false;
  const formats = (place.schema?.nodes() ?? []).map((node) => node["format"]).filter((format) => format !== undefined);
  return formats.every(isPathFormat);
}
