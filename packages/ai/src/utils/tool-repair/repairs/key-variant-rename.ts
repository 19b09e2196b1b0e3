import { absentFields } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { type JsonObject, withKeys } from "../json-value.ts";
import { foldKey, quotedKeys } from "../key-folding.ts";

/** A field's own name in other case or with other separators. */
export const keyVariantRename = {
  name: "keyVariantRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    if (site.soft) return undefined;
    const object = site.value as JsonObject;
    const fields = groupByFold(absentFields(site));
    const keys = groupByFold(site.fields!.undeclared);
    const renamed: [string, unknown][] = [];
    const dropped: string[] = [];
    for (const [folded, [key, ...others]] of keys) {
      const [field, ...rivals] = fields.get(folded) ?? [];
      if (folded === "" || key === undefined || field === undefined || others.length > 0 || rivals.length > 0) continue;
      renamed.push([field, object[key]]);
      dropped.push(key);
    }
    return dropped.length === 0
      ? undefined
      : { kind: "set", value: withKeys(object, dropped, renamed), detail: quotedKeys(dropped) };
  },
  noteTemplate: "{detail} in `{path}` were spelled another way → use the schema's exact field names",
  docs: {
    sends: '`{"FilePath":"a"}`, `{"old-string":"a"}`',
    becomes: '`{"file_path":"a"}`, `{"old_string":"a"}`',
    refuses: "objects that pass, two keys or two fields that fold to one word, fields that are there, near misses",
    seen: "Claude, GLM, several",
  },
} as const satisfies RepairEntry;

function groupByFold(keys: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const folded = foldKey(key);
    const group = groups.get(folded);
    if (group === undefined) groups.set(folded, [key]);
    else group.push(key);
  }
  return groups;
}
