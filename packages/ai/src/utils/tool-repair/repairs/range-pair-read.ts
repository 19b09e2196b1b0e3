import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject, type JsonObject } from "../json-value.ts";

const BOUNDS: readonly (readonly [string, string])[] = [
  ["start", "end"],
  ["from", "to"],
  ["start_line", "end_line"],
];

/** A range for a list of exactly two numbers: `"1-50"` or `{start, end}`. */
export const rangePairRead = {
  name: "rangePairRead",
  errorSignature: { expect: ["array"], got: ["string", "object"] },
  transform: (site: FailureSite) => {
    const pair = pairOf(site.value);
    return pair !== undefined && takesPair(site) ? { kind: "set", value: pair } : undefined;
  },
  noteTemplate: "`{path}` was a range → send a JSON array of two numbers",
  docs: {
    sends: '`{"line_range":{"start":1,"end":50}}` for a list of two integers',
    becomes: '`{"line_range":[1,50]}`',
    refuses: "lists of any other length, open or falling ranges, leading zeros, more keys",
    seen: "several models, from harnesses with range objects",
  },
} as const satisfies RepairEntry;

function pairOf(value: unknown): [number, number] | undefined {
  if (typeof value === "string") {
    const match = value.match(/^\s{0,8}(0|[1-9]\d{0,8})\s{0,8}-\s{0,8}(0|[1-9]\d{0,8})\s{0,8}$/);
    return match === null || Number(match[1]) > Number(match[2]) ? undefined : [Number(match[1]), Number(match[2])];
  }
  const object = value as JsonObject;
  const bounds = BOUNDS.find(([low, high]) => Object.hasOwn(object, low) && Object.hasOwn(object, high));
  if (bounds === undefined || Object.keys(object).length !== 2) return undefined;
  const [low, high] = [object[bounds[0]], object[bounds[1]]];
  return typeof low === "number" && typeof high === "number" && low <= high ? [low, high] : undefined;
}

function takesPair(site: FailureSite): boolean {
  const takesNumber = (at: number) => {
    const kinds = site.schema?.child(at, [])?.expects();
    return kinds?.has("integer") || kinds?.has("number") || false;
  };
  const isPair = (node: JsonObject) =>
    (node["minItems"] === 2 && node["maxItems"] === 2) ||
    (Array.isArray(node["prefixItems"]) && node["prefixItems"].length === 2 && !isJsonObject(node["items"]));
  return (site.schema?.nodes() ?? []).some(isPair) && takesNumber(0) && takesNumber(1);
}
