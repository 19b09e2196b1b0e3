import { passesWithNumbers, rewritesNumbers } from "../exact-number.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { readLenientJson } from "../read-raw-arguments.ts";

/** Words around the JSON would be lost by reading only the JSON. */
const LOSES_CONTENT = new Set(["surroundingProse", "strayTail"]);

/** A list or object that was sent as a string of JSON is read; never a string that is cut or has two readings. */
export const jsonStringParse = {
  name: "jsonStringParse",
  errorSignature: { expect: ["array", "object"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = site.value as string;
    if (!/[[{]/.test(text)) return undefined;
    const read = readLenientJson(text);
    if (!read.ok || typeof read.value !== "object" || read.value === null) return undefined;
    if (read.forgiven.some((name) => LOSES_CONTENT.has(name))) return undefined;
    return { kind: "set", value: read.value, forgiven: read.forgiven };
  },
  // Where the parsed value needs more repair, its numbers may be meant as text: `1.10` must not become "1.1".
  guard: (site, edit) =>
    edit.kind !== "set" || !rewritesNumbers(site.value as string) || passesWithNumbers(site.schema, edit.value),
  noteTemplate: "`{path}` was a quoted JSON string → send a raw JSON {expect}",
  docs: {
    sends: '`{"edits":"[{\\"oldText\\":\\"a\\",\\"newText\\":\\"b\\"}]"}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "cut or ambiguous JSON, repeated keys with different values, the wrong kind of container",
    seen: "Claude Opus 5, Qwen3-Coder, GLM-4.x/5.x, Grok 4 (pi#3370, pi#7944)",
  },
} as const satisfies RepairEntry;
