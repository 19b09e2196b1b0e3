import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { pathGatesOf } from "../model-gates.ts";
import { cleanPath } from "../path-debris.ts";

/** Markup around a path, on fields that the owner named as paths. */
export const pathDebrisStrip = {
  name: "pathDebrisStrip",
  errorSignature: { expect: ["string"], got: ["string"] },
  transform: (site: FailureSite) => {
    const hints = site.call.tool.hints;
    if (hints?.pathFields?.includes(site.field) !== true) return undefined;
    const path = cleanPath(site.value as string, pathGatesOf(hints, site.call.model));
    return path === site.value ? undefined : { kind: "set", value: path };
  },
  noteTemplate: "`{path}` carried markup → send the bare path",
  docs: {
    sends: '`{"path":"[notes.md](http://notes.md)"}`, `"file:///a.ts"`, `"a.ts\\n"`, `` "`a.ts`" ``',
    becomes: "the bare path",
    refuses: "real links, content, commands, patterns; anchors only for gated models",
    seen: "DeepSeek, Qwen, GLM; anchors: Kimi K2, MiniMax, GLM",
  },
} as const satisfies RepairEntry;
