import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { claimedRename } from "../field-claims.ts";

/** A field's own name in other case or with other separators. */
export const keyVariantRename = {
  name: "keyVariantRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => claimedRename(site, "variant"),
  noteTemplate: "{detail}: that is another spelling → use the schema's exact field names",
  docs: {
    sends: '`{"FilePath":"a"}`, `{"old-string":"a"}`',
    becomes: '`{"file_path":"a"}`, `{"old_string":"a"}`',
    refuses: "objects that pass, two keys or two fields that fold to one word, fields that are there, near misses",
    seen: "Claude, GLM, several",
  },
} as const satisfies RepairEntry;
