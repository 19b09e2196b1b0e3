// Which undeclared keys of a failed object stand for which absent fields, however they are spelled. All spellings are seen
// together: where two keys claim one field with different values, nobody may choose.

import { equal } from "@earendil-works/pi-schema";
import { absentFields } from "./absent-fields.ts";
import type { Edit, FailureSite } from "./failure-site.ts";
import { FieldSpellings } from "./field-spellings.ts";
import { isEmptyValue, isJsonObject, type JsonObject, withKeys } from "./json-value.ts";
import { inOtherNumber, isPluralVariant, quotedKeys, stripKeyDebris, withoutDebris } from "./key-folding.ts";
import { pathGatesOf } from "./model-gates.ts";
import { isWrapperKey } from "./wrapper-keys.ts";

/**
 * How a key is spelled: with debris around the field's name, as a declared alias, as the name or an alias in other case
 * or with other separators, or as its singular or plural.
 */
export type ClaimKind = "debris" | "alias" | "variant" | "plural";

interface Claim {
  readonly keys: string[];
  readonly value: unknown;
}

interface Claims {
  readonly byField: ReadonlyMap<string, Claim>;
  readonly kinds: ReadonlySet<ClaimKind>;
  /** Made for the first entry that takes it. */
  edit: Edit | undefined;
}

const NO_CLAIMS: Claims = { byField: new Map(), kinds: new Set(), edit: undefined };

/** A site is asked by several entries. */
const CLAIMS = new WeakMap<FailureSite, Claims>();

/**
 * The object with every claimed field under its own name, for an entry of kind `kind`; undefined where no claim is of
 * that kind. One candidate holds all claims, so that no second spelling is left behind.
 */
export function claimedRename(site: FailureSite, kind: ClaimKind): Edit | undefined {
  let claims = CLAIMS.get(site);
  if (claims === undefined) {
    claims = claimsOf(site);
    CLAIMS.set(site, claims);
  }
  if (!claims.kinds.has(kind)) return undefined;
  claims.edit ??= renamed(site.value as JsonObject, claims.byField);
  return claims.edit;
}

function renamed(object: JsonObject, claims: ReadonlyMap<string, Claim>): Edit {
  const dropped: string[] = [];
  const added: [string, unknown][] = [];
  let detail = "";
  for (const [field, { keys, value }] of claims) {
    for (const key of keys) dropped.push(key);
    added.push([field, value]);
    detail += `${detail === "" ? "" : ", "}${quotedKeys(keys)} is \`${field}\` here`;
  }
  return { kind: "set", value: withKeys(object, dropped, added), detail };
}

function claimsOf(site: FailureSite): Claims {
  const object = site.value as JsonObject;
  const { undeclared } = site.fields!;
  if (undeclared.length === 0) return NO_CLAIMS;
  const spellings = new FieldSpellings(site);
  if (site.field === "" && mayBeWrapped(site, spellings)) return NO_CLAIMS;
  const byField = new Map<string, Claim>();
  const kinds = new Set<ClaimKind>();
  for (const key of undeclared) {
    const bare = stripKeyDebris(key);
    const exact = spellings.exact(key);
    const found = site.soft ? softClaim(site, key, exact) : (exact ?? spellings.folded(bare?.name ?? key));
    const fields = found ?? (site.soft ? undefined : pluralClaim(site, key, spellings));
    // A key that stands for two fields stands for none.
    if (fields === undefined || fields.length !== 1) continue;
    if (site.soft && isEmptyValue(object[key])) continue;
    const kind =
      found === undefined ? "plural" : bare !== undefined ? "debris" : exact !== undefined ? "alias" : "variant";
    const value = bare === undefined ? object[key] : withoutDebris(object[key], bare);
    const field = fields[0]!;
    const claim = byField.get(field);
    // A field that nobody may choose for would be lost where the object is open.
    if (value === undefined || (claim !== undefined && !equal(value, claim.value))) return NO_CLAIMS;
    kinds.add(kind);
    if (claim === undefined) byField.set(field, { keys: [key], value });
    else claim.keys.push(key);
  }
  return { byField, kinds, edit: undefined };
}

/** Whether the arguments may as well be inside a key that is no spelling of a field: two readings. */
function mayBeWrapped(site: FailureSite, spellings: FieldSpellings): boolean {
  const object = site.value as JsonObject;
  const { undeclared } = site.fields!;
  let isBare: boolean | undefined;
  for (const key of undeclared) {
    if (!isContainer(object[key]) || !isWrapperKey(key, site)) continue;
    isBare ??= undeclared.length === Object.keys(object).length;
    if (isBare || (spellings.exact(key) ?? spellings.folded(key)) === undefined) return true;
  }
  return false;
}

/** The one missing field, or where none is missing the fields that a closed object lacks, whose singular or plural `key` is. */
function pluralClaim(site: FailureSite, key: string, spellings: FieldSpellings): readonly string[] | undefined {
  const { missing } = site.fields!;
  if (missing.length > 1) return undefined;
  const fields = missing.length === 1 ? missing : inOtherNumber(key).flatMap((name) => spellings.folded(name) ?? []);
  const fitting = fields.filter((field) => mayStandInNumber(site, key, field));
  return fitting.length === 0 ? undefined : fitting;
}

/** In an object that passes, only a declared spelling counts, or the tags that leak from a gated model. */
function softClaim(
  site: FailureSite,
  key: string,
  exact: readonly string[] | undefined,
): readonly string[] | undefined {
  if (exact !== undefined) return exact;
  const bare = stripKeyDebris(key);
  if (bare?.tagged !== true || !pathGatesOf(site.call.tool.hints, site.call.model).argTags) return undefined;
  return absentFields(site).includes(bare.name) ? [bare.name] : undefined;
}

/** Whether `key` is `field` in the other number, and holds no several values where the field takes one. */
function mayStandInNumber(site: FailureSite, key: string, field: string): boolean {
  if (!isPluralVariant(key, field)) return false;
  const object = site.value as JsonObject;
  const value = object[key];
  if (key.length < field.length || site.schema?.child(field, object)?.expects().has("array")) return true;
  return Array.isArray(value) ? value.length < 2 : typeof value !== "string" || !/^\s*\[|, |,\s*\n/.test(value);
}

function isContainer(value: unknown): boolean {
  return isJsonObject(value) || (typeof value === "string" && value.trimStart().startsWith("{"));
}
