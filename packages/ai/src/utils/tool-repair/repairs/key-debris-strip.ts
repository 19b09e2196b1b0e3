import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { type JsonObject, withKeys } from "../json-value.ts";
import { stripKeyDebris } from "../key-folding.ts";
import { pathGatesOf } from "../model-gates.ts";

/** Quotes, backticks, white space or grammar tags around a key whose bare name is declared and absent. */
export const keyDebrisStrip = {
  name: "keyDebrisStrip",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    // An object that passes is looked at only for the models whose tags leak into keys.
    if (site.soft && !pathGatesOf(site.call.tool.hints, site.call.model).argTags) return undefined;
    const object = site.value as JsonObject;
    const renamed = new Map<string, unknown>();
    const dropped: string[] = [];
    for (const key of site.fields!.undeclared) {
      const bare = stripKeyDebris(key);
      if (bare === undefined || Object.hasOwn(object, bare.name) || site.schema?.child(bare.name, object) === undefined)
        continue;
      const value = bare.quoted ? withoutQuotes(object[key]) : bare.tagged ? withoutArgTag(object[key]) : object[key];
      if (value === undefined || renamed.has(bare.name)) return undefined;
      renamed.set(bare.name, value);
      dropped.push(key);
    }
    return dropped.length === 0 ? undefined : { kind: "set", value: withKeys(object, dropped, renamed) };
  },
  noteTemplate: "a key of `{path}` carried quotes or tags → send the bare field name",
  docs: {
    sends: '`{"\\"command\\"":"\\"ls\\""}`, `{"path</arg_key>":"a"}`, `{"parameter name=\\"ops\\"":…}`',
    becomes: '`{"command":"ls"}`',
    refuses: "names that are not declared or already there, two keys with one name",
    seen: "Gemma 4, GLM-4.7, MiniMax M3",
  },
} as const satisfies RepairEntry;

function withoutArgTag(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/<\/arg_value>\s{0,8}$/, "") : value;
}

/**
 * A value is unquoted only where its key was quoted too: then both carry the grammar's quote token. Undefined where more
 * quotes inside leave open which of them are the value's own.
 */
function withoutQuotes(value: unknown): unknown {
  if (typeof value !== "string" || value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  const inner = value.slice(1, -1);
  return inner.includes('"') ? undefined : inner;
}
