import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";

/** A list of exactly one value where the value itself is expected. */
export const singleElementUnwrap = {
  name: "singleElementUnwrap",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "enum", "object"], got: ["array"] },
  transform: (site: FailureSite) => {
    const list = site.value as readonly unknown[];
    if (list.length !== 1 || (isNothing(list[0]) && takesText(site))) return undefined;
    return { kind: "set", value: list[0] };
  },
  guard: (site, edit) => {
    if (edit.kind !== "set" || edit.value === null || takesAnyContent(site)) return false;
    return isJsonObject(edit.value)
      ? site.expect.has("object") && !isMapEntry(site, edit.value)
      : typeof edit.value !== "object" && site.expect.size > Number(site.expect.has("object")) && !takesList(site);
  },
  noteTemplate: "`{path}` was a list of one → send the bare {expect}",
  docs: {
    sends: '`{"path":["a.ts"]}`, `[{"path":"a.ts"}]`',
    becomes: '`{"path":"a.ts"}`',
    refuses:
      "no or several elements, elements the field refuses, a word for nothing as text, a name and value for a map, fields of free content or of lists as well",
    seen: "GLM, local models",
  },
} as const satisfies RepairEntry;

/** A word for nothing would become the text. */
function isNothing(value: unknown): boolean {
  return typeof value === "string" && ["", "null", "None", "undefined"].includes(value);
}

/** Where lists are taken as well, the scalar may be a wrong item of one. */
function takesList({ expect }: FailureSite): boolean {
  return expect.has("array");
}

function takesText({ expect }: FailureSite): boolean {
  return expect.has("string") && !expect.has("enum");
}

/** Whether the object is one entry of a map, written as a pair: `{"name": "Accept", "value": "text/html"}`. */
function isMapEntry(site: FailureSite, object: JsonObject): boolean {
  if (site.schema?.nodes().some((node) => node["additionalProperties"] === false)) return false;
  if (!Object.hasOwn(object, "value") || site.schema?.declares("value", object) !== false) return false;
  return Object.keys(object).length === 2 || ["name", "key"].some((key) => Object.hasOwn(object, key));
}

/** Whether text and objects are both content here: a list may be content as well, meant as text. */
function takesAnyContent(site: FailureSite): boolean {
  return takesText(site) && site.expect.has("object");
}
