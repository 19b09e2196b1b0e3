import type { FailureSite, RepairEntry } from "../failure-site.ts";

const NO_WORD = /^(?:|null|None|undefined|object Object)$|[.!?;:]$/;

/** A list of bare words in brackets, for a list of strings. */
export const wordListRead = {
  name: "wordListRead",
  errorSignature: { expect: ["array"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = (site.value as string).trim();
    if (!text.startsWith("[") || !text.endsWith("]") || text.length < 3) return undefined;
    const inner = text.slice(1, -1);
    if (/["'`[\]{}\n\r]/.test(inner)) return undefined;
    const words = inner.split(",").map((word) => word.trim());
    // A sentence, or what a language prints for null or an object, is no list of words.
    return words.some((word) => NO_WORD.test(word)) ? undefined : { kind: "set", value: words };
  },
  guard: (site) => site.schema?.child(0, [])?.expects().has("string") ?? false,
  noteTemplate: "`{path}` was a list without quotes → send a raw JSON array of strings",
  docs: {
    sends: '`{"ids":"[alpha, beta two]"}`',
    becomes: '`{"ids":["alpha","beta two"]}`',
    refuses: "quotes, nesting, line breaks, empty items, items that are no strings",
    seen: "Qwen-family XML servers",
  },
} as const satisfies RepairEntry;
