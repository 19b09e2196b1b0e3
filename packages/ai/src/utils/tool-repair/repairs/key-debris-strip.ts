import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { claimedRename } from "../field-claims.ts";

/** Quotes, backticks, white space or grammar tags around a key whose bare name is declared and absent. */
export const keyDebrisStrip = {
  name: "keyDebrisStrip",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => claimedRename(site, "debris"),
  noteTemplate: "{detail}: the key carried quotes or tags → send the bare field name",
  docs: {
    sends: '`{"\\"command\\"":"\\"ls\\""}`, `{"path</arg_key>":"a"}`, `{"parameter name=\\"ops\\"":…}`',
    becomes: '`{"command":"ls"}`',
    refuses: "names that are not declared or already there, two keys with one name",
    seen: "Gemma 4, GLM-4.7, MiniMax M3",
  },
} as const satisfies RepairEntry;
