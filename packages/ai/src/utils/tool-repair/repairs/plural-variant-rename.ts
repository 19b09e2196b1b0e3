import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { type JsonObject, withKeys } from "../json-value.ts";
import { isPluralVariant } from "../key-folding.ts";

/** The one missing required field under its singular or plural name. */
export const pluralVariantRename = {
  name: "pluralVariantRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const { missing, undeclared } = site.fields!;
    const [field] = missing;
    if (field === undefined || missing.length > 1) return undefined;
    const keys = undeclared.filter((key) => isPluralVariant(key, field));
    const [key] = keys;
    if (key === undefined || keys.length > 1) return undefined;
    const object = site.value as JsonObject;
    return { kind: "set", value: withKeys(object, [key], [[field, object[key]]]) };
  },
  noteTemplate: "a key of `{path}` was singular or plural → use the schema's exact field names",
  docs: {
    sends: '`{"path":"a","edit":[…]}`',
    becomes: '`{"path":"a","edits":[…]}`',
    refuses: "more than one missing field, more than one candidate, values the field refuses",
    seen: "several models (gsd-pi#2408)",
  },
} as const satisfies RepairEntry;
