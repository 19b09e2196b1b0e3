import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";

const NULL_WORDS = new Set(["null", "None", "undefined"]);

/** The word for null where null is a value and text is not. */
export const nullWordRead = {
  name: "nullWordRead",
  errorSignature: { expect: ["null"], got: ["string"] },
  transform: (site: FailureSite) =>
    NULL_WORDS.has((site.value as string).slice(0, 64).trim()) ? { kind: "set", value: null } : undefined,
  guard: (site) => !(site.schema?.nodes() ?? []).some(takesFreeText),
  noteTemplate: "`{path}` was the word null in quotes → send a bare null",
  docs: {
    sends: '`{"fields":"null"}` for a nullable list',
    becomes: '`{"fields":null}`',
    refuses: "fields that take text",
    seen: "several models",
  },
} as const satisfies RepairEntry;

function takesFreeText(node: JsonObject): boolean {
  const types: readonly unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  return types.includes("string") && !Array.isArray(node["enum"]) && !Object.hasOwn(node, "const");
}
