import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** A number or boolean where text is expected becomes its JSON text, as stock pi does. */
export const textFromScalar = {
  name: "textFromScalar",
  errorSignature: { expect: ["string"], got: ["integer", "number", "boolean"] },
  transform: (site: FailureSite) => {
    const { value } = site;
    // `1e400` is Infinity once it is read.
    const isLost =
      typeof value === "number" && (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value));
    return isLost ? undefined : { kind: "set", value: String(value) };
  },
  noteTemplate: "`{path}` was a bare value → send it in quotes",
  docs: {
    sends: '`{"ref":12}` for a string',
    becomes: '`{"ref":"12"}`',
    refuses: "null, lists, objects, integers beyond 2^53 and numbers beyond a double (their digits are already lost)",
    seen: "Qwen",
  },
} as const satisfies RepairEntry;
