// Which undeclared keys of an object that passes the tool's own schema carry content that the tool would lose. Asked
// only for tools with hints, about keys that no schema declares.

import { equal } from "@earendil-works/pi-schema";
import { declaredAliases } from "./field-hints.ts";
import { declaredFields } from "./field-spellings.ts";
import { isEmptyValue, type JsonObject } from "./json-value.ts";
import { foldKey, keyWords } from "./key-folding.ts";
import type { ToolHints } from "./types.ts";

/**
 * Whether `key` of the object at `field` must not be ignored: a known spelling of a field that is absent, or a part of
 * the folded list beside it (an item's field, a numbered one, a flattened path, another name of the list).
 */
export function carriesHintedContent(
  key: string,
  value: unknown,
  field: string,
  holder: JsonObject,
  hints: ToolHints | undefined,
  isAbsent: (name: string) => boolean,
  takes: (name: string, value: unknown) => boolean,
): boolean {
  if (hints === undefined || isEmptyValue(value)) return false;
  if (declaredFields(key, field, hints).some(isAbsent)) return true;
  if (field !== "" || hints.fold === undefined) return false;
  // A further list of items under any name is content.
  if (Array.isArray(value) && value.length > 0 && takes(hints.fold.into, value))
    return !equal(value, holder[hints.fold.into]);
  return isFoldPart(key, value, holder, hints.fold, hints);
}

function isFoldPart(
  key: string,
  value: unknown,
  holder: JsonObject,
  fold: NonNullable<ToolHints["fold"]>,
  hints: ToolHints,
): boolean {
  if (key.startsWith(`${fold.into}[`) || key.startsWith(`${fold.into}.`)) return true;
  if (declaredAliases(hints, fold.into)?.includes(key))
    return typeof value === "object" && !equal(value, holder[fold.into]);
  if (foldKey(key).replace(/\d{1,3}$/, "") === foldKey(fold.into)) return true;
  return foldPart(key, fold, hints) !== undefined || (typeof value === "string" && holdsFieldName(key, fold.fields));
}

/** Whether a key's words hold all words of an item's field: `secondOldText`, `old_text_b`. */
function holdsFieldName(key: string, fields: readonly string[]): boolean {
  const words = keyWords(key);
  return fields.some((field) => keyWords(field).every((word) => words.includes(word)));
}

/** The item field that `key` names beside the list, and its number (1 for none): `newText2` → `["newText", 2]`. */
export function foldPart(
  key: string,
  fold: NonNullable<ToolHints["fold"]>,
  hints: ToolHints,
): readonly [string, number] | undefined {
  const named = (name: string) => partNames(fold, hints).get(foldKey(name));
  const whole = named(key);
  if (whole !== undefined) return [whole, 1];
  const match = /^([A-Za-z_]{1,64}?)[_-]?(\d{1,3})$/.exec(key);
  const numbered = match === null ? undefined : named(match[1]!);
  return numbered === undefined ? undefined : [numbered, Number(match![2])];
}

/** Item fields by the folded spellings of their names and aliases; made once for a tool's hints. */
const PART_NAMES = new WeakMap<ToolHints, ReadonlyMap<string, string>>();

function partNames(fold: NonNullable<ToolHints["fold"]>, hints: ToolHints): ReadonlyMap<string, string> {
  const known = PART_NAMES.get(hints);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const field of fold.fields) {
    for (const spelling of [field, ...(declaredAliases(hints, `${fold.into}[].${field}`) ?? [])]) {
      const folded = foldKey(spelling);
      if (!names.has(folded)) names.set(folded, field);
    }
  }
  PART_NAMES.set(hints, names);
  return names;
}
