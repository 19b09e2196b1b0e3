import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { claimedRename } from "../field-claims.ts";

/** The one missing required field, or an absent one of a closed object, under its singular or plural name. */
export const pluralVariantRename = {
  name: "pluralVariantRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => claimedRename(site, "plural"),
  noteTemplate: "{detail}: singular and plural differ → use the schema's exact field names",
  docs: {
    sends: '`{"path":"a","edit":[…]}`',
    becomes: '`{"path":"a","edits":[…]}`',
    refuses:
      "more than one missing field, optional fields of open objects, more than one candidate, values the field refuses, several values for a field that takes one",
    seen: "several models (gsd-pi#2408)",
  },
} as const satisfies RepairEntry;
