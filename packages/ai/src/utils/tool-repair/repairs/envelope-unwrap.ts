import { passesWithNumbers, rewritesNumbers } from "../exact-number.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";
import { foldKey } from "../key-folding.ts";
import { readLenientJson } from "../read-raw-arguments.ts";
import { isSchemaEcho } from "../schema-echo.ts";
import { isBareText, soleTextField } from "../sole-text-field.ts";
import { isWrappedCall, isWrapperKey } from "../wrapper-keys.ts";

/** Keys that may stand beside the wrapper without carrying arguments. */
const COMPANIONS = new Set(["type", "id"]);
const SCHEMA_WORDS = new Set([
  "type",
  "required",
  "additionalProperties",
  "title",
  "description",
  "$schema",
  "$defs",
  "definitions",
]);
const MAX_NESTING = 3;

/** The arguments inside one wrapper key; the wrapper's content must pass as the whole arguments. */
export const envelopeUnwrap = {
  name: "envelopeUnwrap",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    if (site.field !== "") return undefined;
    let inner: unknown = site.value;
    let depth = 0;
    let isRewritten = false;
    for (; depth < MAX_NESTING && isJsonObject(inner); depth++) {
      const key = wrapperKey(inner, site);
      if (key === undefined) break;
      const content = inner[key];
      inner = contentOf(content);
      isRewritten ||= typeof content === "string" && inner !== content && rewritesNumbers(content);
    }
    if (depth === 0) return undefined;
    // Numbers may be meant as text where more needs repair: `1.10` must not become "1.1".
    if (isRewritten && !passesWithNumbers(site.schema, inner)) return undefined;
    if (isJsonObject(inner)) return { kind: "set", value: inner };
    if (typeof inner !== "string" || !isBareText(inner)) return undefined;
    const field = soleTextField(site);
    return field === undefined ? undefined : { kind: "set", value: { [field]: inner } };
  },
  noteTemplate: "the arguments were inside a wrapper key → send the fields at the top level",
  docs: {
    sends:
      '`{"arguments":{"path":"a"}}`, `{"name":"read","arguments":"{…}"}`, `{"read":{…}}`, `{"function":{"name":"read",…}}`, `{"properties":{…}}`',
    becomes: '`{"path":"a"}`',
    refuses: "two wrappers, other keys beside it, another tool's name, a wrapper that the tool declares",
    seen: "GLM, DeepSeek V4, Llama, Hermes, Qwen-class",
  },
} as const satisfies RepairEntry;

function wrapperKey(object: JsonObject, site: FailureSite): string | undefined {
  const keys = Object.keys(object);
  const declared = (key: string) => site.schema?.child(key, object) !== undefined;
  const tool = foldKey(site.call.tool.name);
  const wrappers = keys.filter(
    (key) => !declared(key) && (isWrapperKey(key, site) || isWrappedCall(key, object[key], tool)),
  );
  if (wrappers.length === 1) {
    const others = keys.filter((key) => key !== wrappers[0]);
    const harmless = others.every(
      (key) => !declared(key) && (COMPANIONS.has(key) || isToolName(key, object[key], tool)),
    );
    return harmless ? wrappers[0] : undefined;
  }
  if (wrappers.length > 1 || !Object.hasOwn(object, "properties") || declared("properties")) return undefined;
  // Fields that take objects would take their own schemas as values.
  if (isJsonObject(object["properties"]) && Object.values(object["properties"]).some(isSchemaEcho)) return undefined;
  return keys.every((key) => key === "properties" || (SCHEMA_WORDS.has(key) && !declared(key)))
    ? "properties"
    : undefined;
}

function isToolName(key: string, value: unknown, tool: string): boolean {
  return (
    ["name", "tool", "tool_name", "function", "action"].includes(key) &&
    typeof value === "string" &&
    foldKey(value) === tool
  );
}

function contentOf(value: unknown): unknown {
  if (typeof value === "string" && /[[{]/.test(value)) {
    const read = readLenientJson(value);
    return read.ok && !read.forgiven.includes("surroundingProse") ? contentOf(read.value) : value;
  }
  return Array.isArray(value) && value.length === 1 && isJsonObject(value[0]) ? value[0] : value;
}
