// The one field that a bare string can mean.

import type { FailureSite } from "./failure-site.ts";

const NO_VALUES = new Set(["", "null", "None", "undefined"]);

/** Whether a bare string can be a value: no word for nothing, nothing that opens like broken JSON, a fence or a tag. */
export function isBareText(text: string): boolean {
  return !NO_VALUES.has(text.slice(0, 64).trim()) && !/^\s*[[{<`"']/.test(text);
}

/** The hinted root field, else the one required field where it takes text; undefined where several are required. */
export function soleTextField(site: FailureSite): string | undefined {
  const hinted = site.call.tool.hints?.rootField;
  if (hinted !== undefined) return hinted;
  const required = [...(site.schema?.requiredKeys({}) ?? [])];
  const [field] = required;
  if (field === undefined || required.length > 1) return undefined;
  const kinds = site.schema?.child(field, {})?.expects();
  return kinds?.has("string") && !kinds.has("enum") ? field : undefined;
}
