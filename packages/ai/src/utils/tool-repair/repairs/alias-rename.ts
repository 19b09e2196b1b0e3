import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { claimedRename } from "../field-claims.ts";

/** A field under another harness's name, declared by the tool's owner. */
export const aliasRename = {
  name: "aliasRename",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => claimedRename(site, "alias"),
  noteTemplate: "{detail}: that is another tool's field name → use this tool's field names",
  docs: {
    sends: '`{"file_path":"a"}`, `{"cmd":"ls"}`, `{"old_string":"a","new_string":""}`',
    becomes: '`{"path":"a"}`',
    refuses: "two spellings with different values, a field that is already there, spellings nobody declared",
    seen: "Claude, GLM, Qwen: names of Claude Code, Cursor, Cline, aider, Gemini CLI",
  },
} as const satisfies RepairEntry;
