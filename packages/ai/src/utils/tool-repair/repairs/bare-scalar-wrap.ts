import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isTuple } from "../list-schema.ts";

const ABSENCE_WORDS = new Set(["", "null", "none", "undefined"]);

/** One bare value where a list is expected; never a string that may be a broken list or several values. */
export const bareScalarWrap = {
  name: "bareScalarWrap",
  errorSignature: { expect: ["array"], got: ["string", "number", "integer", "boolean"] },
  transform: (site: FailureSite) =>
    typeof site.value === "string" && looksLikeMore(site.value) ? undefined : { kind: "set", value: [site.value] },
  guard: (site) => !isTuple(site.schema),
  noteTemplate: "`{path}` was one bare value → send an array, even for one item",
  docs: {
    sends: '`{"tags":"bug"}`',
    becomes: '`{"tags":["bug"]}`',
    refuses:
      "`[a, b` and other broken containers, line breaks, `, ` lists, text in quotes or tags, words for nothing, tuples",
    seen: "every model family",
  },
} as const satisfies RepairEntry;

function looksLikeMore(text: string): boolean {
  const trimmed = text.trim();
  if (ABSENCE_WORDS.has(trimmed.toLowerCase())) return true;
  // Quotes around the whole may be the text's own or those of a string in a string; tags may be a list's.
  if (/^(["'`]).*\1$/s.test(trimmed) || (/^<[A-Za-z]/.test(trimmed) && /<\/[^<>]*>$/.test(trimmed))) return true;
  // A quote or bracket at the start and a comma behind it: a list that lost its brackets.
  if (/^["'`(]/.test(trimmed) && trimmed.includes(",")) return true;
  if (/["'],\s?["']/.test(trimmed) || (/[\]}]$/.test(trimmed) && !isBalanced(trimmed))) return true;
  return /^[[{]/.test(trimmed) || /[\n\r]|, |<\/?item>/.test(text);
}

/** Whether every closing bracket closes the one opened last: `*.{ts,tsx}`, `arr[0]`. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const char of text) {
    if (char === "[" || char === "{") open.push(char);
    else if (char === "]" && open.pop() !== "[") return false;
    else if (char === "}" && open.pop() !== "{") return false;
  }
  return open.length === 0;
}
