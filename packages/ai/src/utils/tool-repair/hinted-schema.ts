// A tool's schema with its owner's hints written into it, so that one compiled check sees valid and suspect at once:
// objects that count as closed get `additionalProperties: false`, path fields get a format. Built once per tool.
// The tool's own schema is never modified and stays the last word on what is valid.

import { isJsonObject, type JsonObject } from "./json-value.ts";
import type { ToolHints } from "./types.ts";

/** Nodes closed only so that known spellings of absent fields are seen; other undeclared keys there are no fault. */
const SOFT = new WeakSet<object>();

/** Whether `node` is closed by us only to look for declared spellings. */
export function isSoftlyClosed(node: object): boolean {
  return SOFT.has(node);
}

/** The steps of a hint's field path: `edits[].oldText` → `["edits", "[]", "oldText"]`; "" is the root. */
export function fieldSteps(field: string): string[] {
  return field
    .replace(/\[\]/g, ".[]")
    .split(".")
    .filter((step) => step !== "");
}

/** A copy of `parameters` with the hints in it, path fields with `format`; `parameters` itself where no hint applies. */
export function tightenSchema(parameters: object, hints: ToolHints, format: string): object {
  let root: unknown = parameters;
  const visit = (steps: readonly string[], change: (node: JsonObject) => JsonObject) => {
    root = changeAt(root, steps, change);
  };
  for (const field of hints.pathFields ?? []) {
    visit(fieldSteps(field), (node) => (node["format"] === undefined ? { ...node, format } : node));
  }
  for (const object of hints.closed ?? []) visit(fieldSteps(object), (node) => close(node, false));
  const softly = new Set(Object.keys(hints.aliases ?? {}).map((field) => fieldSteps(field).slice(0, -1).join(".")));
  if (hints.fold !== undefined) softly.add("");
  for (const object of softly) visit(object === "" ? [] : object.split("."), (node) => close(node, true));
  return root as object;
}

function close(node: JsonObject, softly: boolean): JsonObject {
  if (node["additionalProperties"] !== undefined || node["patternProperties"] !== undefined) return node;
  const closed = { ...node, additionalProperties: false };
  if (softly) SOFT.add(closed);
  return closed;
}

/** Copies the way to the node at `steps` (through `properties` and `items` only); unchanged where the way ends. */
function changeAt(node: unknown, steps: readonly string[], change: (node: JsonObject) => JsonObject): unknown {
  if (!isJsonObject(node)) return node;
  const [step, ...rest] = steps;
  const keep = (copy: JsonObject) => {
    if (SOFT.has(node)) SOFT.add(copy);
    return copy;
  };
  if (step === undefined) return node["type"] === undefined && node["$ref"] !== undefined ? node : keep(change(node));
  const word = step === "[]" ? "items" : "properties";
  const holder = node[word];
  if (!isJsonObject(holder)) return node;
  if (step === "[]") return keep({ ...node, items: changeAt(holder, rest, change) });
  if (!Object.hasOwn(holder, step)) return node;
  return keep({ ...node, properties: { ...holder, [step]: changeAt(holder[step], rest, change) } });
}
