import type { FailureSite, RepairEntry } from "../failure-site.ts";

/** Regex anchors copied from the schema's pattern into the value, where only the value without them matches. */
export const patternAnchorStrip = {
  name: "patternAnchorStrip",
  errorSignature: { expect: ["string"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = site.value as string;
    if (site.keyword !== "pattern") return undefined;
    const stripped = text.slice(text.startsWith("^") ? 1 : 0, text.endsWith("$") ? -1 : undefined);
    return stripped === text || stripped === "" ? undefined : { kind: "set", value: stripped };
  },
  noteTemplate: "`{path}` carried regex anchors → send the plain value",
  docs: {
    sends: '`{"path":"^src/a.ts$"}` for the pattern `^src/.*$`',
    becomes: '`{"path":"src/a.ts"}`',
    refuses: "values that match as they are, values that still fail",
    seen: "Kimi K2, MiniMax",
  },
} as const satisfies RepairEntry;
