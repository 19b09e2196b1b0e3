// Which undeclared keys of a failed object stand for which absent fields, however they are spelled. All spellings are seen
// together: where two keys claim one field with different values, nobody may choose.

import { equal } from "@earendil-works/pi-schema";
import { absentFields } from "./absent-fields.ts";
import type { Edit, FailureSite } from "./failure-site.ts";
import { aliasesOf } from "./field-hints.ts";
import { isEmptyValue, isJsonObject, type JsonObject, withKeys } from "./json-value.ts";
import { foldKey, isPluralVariant, quotedKeys, stripKeyDebris, withoutDebris } from "./key-folding.ts";
import { pathGatesOf } from "./model-gates.ts";
import { isWrapperKey } from "./wrapper-keys.ts";

/**
 * How a key is spelled: with debris around the field's name, as a declared alias, as the name or an alias in other case
 * or with other separators, or as its singular or plural.
 */
export type ClaimKind = "debris" | "alias" | "variant" | "plural";

interface Claim {
  readonly kinds: ReadonlySet<ClaimKind>;
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** A site is asked by several entries. */
const CLAIMS = new WeakMap<FailureSite, ReadonlyMap<string, Claim>>();

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
  if (![...claims.values()].some((claim) => claim.kinds.has(kind))) return undefined;
  const object = site.value as JsonObject;
  const dropped = [...claims.values()].flatMap((claim) => claim.keys);
  const added = [...claims].map(([field, claim]) => [field, claim.value] as const);
  const detail = [...claims].map(([field, claim]) => `${quotedKeys(claim.keys)} is \`${field}\` here`).join(", ");
  return { kind: "set", value: withKeys(object, dropped, added), detail };
}

function claimsOf(site: FailureSite): ReadonlyMap<string, Claim> {
  const object = site.value as JsonObject;
  const { missing, undeclared } = site.fields!;
  const claims = new Map<string, { kinds: Set<ClaimKind>; keys: string[]; values: unknown[] }>();
  const spellings = spellingsOf(site);
  // The arguments may as well be inside the wrapper: two readings.
  const isBare = undeclared.length === Object.keys(object).length;
  const isClaimed = (key: string) => !isBare && (spellings.exact.has(key) || spellings.folded.has(foldKey(key)));
  const mayWrap = (key: string) => isWrapperKey(key, site) && isContainer(object[key]) && !isClaimed(key);
  if (site.field === "" && undeclared.some(mayWrap)) return new Map();
  for (const key of undeclared) {
    const bare = stripKeyDebris(key);
    const exact = spellings.exact.get(key);
    const found = site.soft ? softClaim(site, key, exact) : (exact ?? spellings.folded.get(foldKey(bare?.name ?? key)));
    const plural = missing.length === 1 && mayStandInNumber(site, key, missing[0]!) ? missing : undefined;
    const fields = found ?? (site.soft ? undefined : plural);
    const [field] = fields ?? [];
    // A key that stands for two fields stands for none.
    if (field === undefined || fields!.length > 1) continue;
    if (site.soft && isEmptyValue(object[key])) continue;
    const kind =
      found === undefined ? "plural" : bare !== undefined ? "debris" : exact !== undefined ? "alias" : "variant";
    const claim = claims.get(field) ?? { kinds: new Set(), keys: [], values: [] };
    claim.kinds.add(kind);
    claim.keys.push(key);
    claim.values.push(bare === undefined ? object[key] : withoutDebris(object[key], bare));
    claims.set(field, claim);
  }
  // A field that nobody may choose for would be lost where the object is open.
  const isDisputed = ({ values: [first, ...others] }: { values: readonly unknown[] }) =>
    first === undefined || !others.every((value) => equal(value, first));
  if ([...claims.values()].some(isDisputed)) return new Map();
  return new Map([...claims].map(([field, { kinds, keys, values }]) => [field, { kinds, keys, value: values[0] }]));
}

/** Absent fields by the exact spellings of their aliases, and by the folded ones of name and aliases. */
function spellingsOf(site: FailureSite): { exact: Map<string, string[]>; folded: Map<string, string[]> } {
  const exact = new Map<string, string[]>();
  const folded = new Map<string, string[]>();
  const put = (map: Map<string, string[]>, spelling: string, field: string) => {
    const fields = map.get(spelling) ?? [];
    if (!fields.includes(field)) fields.push(field);
    map.set(spelling, fields);
  };
  for (const field of absentFields(site)) {
    put(folded, foldKey(field), field);
    for (const alias of aliasesOf(site, field)) {
      put(exact, alias, field);
      put(folded, foldKey(alias), field);
    }
  }
  folded.delete("");
  return { exact, folded };
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
