import { equal } from "@earendil-works/pi-schema";
import { absentFields } from "../absent-fields.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { aliasesOf } from "../field-hints.ts";
import { type JsonObject, withKeys } from "../json-value.ts";

/** A field under another harness's name, declared by the tool's owner. */
export const aliasRename = {
  name: "aliasRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const undeclared = new Set(site.fields!.undeclared);
    const claims = new Map<string, string[]>();
    const renamed = new Map<string, readonly string[]>();
    for (const field of absentFields(site)) {
      const spelled = aliasesOf(site, field).filter((alias) => undeclared.has(alias));
      const [first] = spelled;
      if (first === undefined || !spelled.every((alias) => equal(object[alias], object[first]))) continue;
      renamed.set(field, spelled);
      for (const alias of spelled) claims.set(alias, [...(claims.get(alias) ?? []), field]);
    }
    const kept = [...renamed].filter(([, spelled]) => spelled.every((alias) => claims.get(alias)?.length === 1));
    if (kept.length === 0) return undefined;
    const dropped = kept.flatMap(([, spelled]) => spelled);
    const added = kept.map(([field, spelled]) => [field, object[spelled[0]!]] as const);
    const detail = kept.map(([field, [spelled]]) => `\`${spelled}\` is \`${field}\` here`).join(", ");
    return { kind: "set", value: withKeys(object, dropped, added), detail };
  },
  noteTemplate: "{detail}: that is another tool's field name → use this tool's field names",
  docs: {
    sends: '`{"file_path":"a"}`, `{"cmd":"ls"}`, `{"old_string":"a","new_string":""}`',
    becomes: '`{"path":"a"}`',
    refuses: "two spellings with different values, a field that is already there, spellings nobody declared",
    seen: "Claude, GLM, Qwen: names of Claude Code, Cursor, Cline, aider, Gemini CLI",
  },
} as const satisfies RepairEntry;
