// Whether a call is the pattern of one, as descriptions of a format print it: every argument is a placeholder for its own
// key (`{{ path }}`, `<path>`, `$PATH`). Asked of each call that was read; knows no tool.

import { isJsonObject } from "../json-value.ts";

/** A text that is one placeholder: its signs and the word between them. */
const PLACEHOLDER =
  /^\s{0,8}(?:\{\{\s{0,8}([\w .-]{1,64}?)\s{0,8}\}\}|<([\w .-]{1,64})>|\$?\{([\w.-]{1,64})\}|\$([A-Z_]{1,64}))\s{0,8}$/;

/** True where `args` holds arguments and each is a placeholder for its own key. */
export function isTemplateCall(args: unknown): boolean {
  if (!isJsonObject(args)) return false;
  const entries = Object.entries(args);
  return entries.length > 0 && entries.every(([key, value]) => standsFor(value, key));
}

function standsFor(value: unknown, key: string): boolean {
  const match = typeof value === "string" ? PLACEHOLDER.exec(value) : null;
  const word = match?.slice(1).find((group) => group !== undefined);
  return word !== undefined && folded(word) === folded(key);
}

function folded(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
