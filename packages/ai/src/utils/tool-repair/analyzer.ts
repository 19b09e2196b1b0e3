// From a validator's errors to failure sites. Work is linear in the errors: each error's path is walked once, with the
// walk of its parent shared, and the schema tree is never searched.

import type { ValidationError } from "@earendil-works/pi-schema";
import { isAbsent } from "./absent-fields.ts";
import type { CallContext, FailureSite } from "./failure-site.ts";
import { carriesHintedContent } from "./hinted-content.ts";
import { isSoftlyClosed } from "./hinted-schema.ts";
import { gotOf, isJsonObject, type JsonObject } from "./json-value.ts";
import { isPathFormat } from "./path-debris.ts";
import { Place } from "./place.ts";
import type { SubSchema } from "./sub-schema.ts";
import type { Expect } from "./types.ts";

const NOTHING: ReadonlySet<Expect> = new Set(["nothing"]);
const FIELDS: ReadonlySet<Expect> = new Set(["fields"]);
const UNKNOWN: ReadonlySet<Expect> = new Set();

/** Keywords that fault a key the object should not have. */
const UNDECLARED = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames", "false"]);
/** Keywords reported at a key that is not there. */
const MISSING = new Set(["required", "dependentRequired"]);

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
  const root = new Place(value, schema, field, undefined, undefined, "");
  const sites: FailureSite[] = [];
  let faults: Map<string, Fault> | undefined;
  for (const error of errors) {
    const place = root.at(error.path);
    let site = place.site;
    if (site === undefined) {
      site = valueSite(place, error.keyword, call);
      place.site = site;
      sites.push(site);
    }
    if (place.parent === undefined || typeof place.key !== "string" || !isJsonObject(place.parent.value)) continue;
    const isUndeclared = UNDECLARED.has(error.keyword) && place.value !== undefined;
    // A union reports its missing tag under the union's own keyword.
    const isMissing = MISSING.has(error.keyword) || (site.required && (place.value ?? null) === null);
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
    around: (path) => unionAround(root.at(path), call),
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
  if (holder.schema === undefined || !isOnlySoftlyClosed(holder.schema)) return false;
  const object = holder.value as JsonObject;
  const takes = (name: string, value: unknown) => holder.schema?.child(name, object)?.passes(value) === true;
  const lacks = (name: string) => isAbsent(name, object, holder.schema);
  return !carriesHintedContent(String(place.key), place.value, holder.field, object, call.tool.hints, lacks, takes);
}

function isOnlySoftlyClosed(schema: SubSchema): boolean {
  let isClosed = false;
  for (const node of schema.nodes()) {
    if (node["additionalProperties"] !== false) continue;
    if (!isSoftlyClosed(node)) return false;
    isClosed = true;
  }
  return isClosed;
}

function isSuspectPath(place: Place, keyword: string): boolean {
  if (keyword !== "format") return false;
  const formats = (place.schema?.nodes() ?? []).map((node) => node["format"]).filter((format) => format !== undefined);
  return formats.every(isPathFormat);
}
