import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A number or boolean where text is expected becomes its JSON text, as stock pi does. */
export const textFromScalar = {
  name: "textFromScalar",
  errorSignature: { expect: ["string"], got: ["integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    if (typeof site.value === "number" && Number.isInteger(site.value) && !Number.isSafeInteger(site.value))
      return undefined;
    return { kind: "set", value: String(site.value) };
  },
  noteTemplate: "`{path}` was a bare value → send it in quotes",
  docs: {
    sends: '`{"ref":12}` for a string',
    becomes: '`{"ref":"12"}`',
    refuses: "null, lists, objects, integers beyond 2^53 (their digits are already lost)",
    seen: "Qwen",
  },
} as const satisfies RepairEntry;
