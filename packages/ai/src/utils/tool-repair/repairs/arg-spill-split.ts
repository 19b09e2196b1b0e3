import type { FailureSite, RepairEntry } from "../failure-site.ts";

const CLOSERS = ["</arg_key>", "</arg_value>"];
const KEY = "<arg_key>";
const VALUE = "<arg_value>";

/** Further pairs of the GLM grammar that a server left inside the first value. */
export const argSpillSplit = {
  name: "argSpillSplit",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "enum", "array", "object"], got: ["string"] },
  transform: (site: FailureSite) => {
    const spilled = splitSpill(site.value as string);
    if (spilled === undefined || typeof site.key !== "string") return undefined;
    const holder = site.parent as Record<string, unknown>;
    const isFree = ([key]: readonly [string, string]) =>
      site.parentSchema?.child(key, holder) !== undefined && !Object.hasOwn(holder, key);
    const keys = new Set(spilled.pairs.map(([key]) => key));
    if (keys.size !== spilled.pairs.length || !spilled.pairs.every(isFree)) return undefined;
    return { kind: "set", value: spilled.head, siblings: spilled.pairs };
  },
  noteTemplate: "`{path}` swallowed the fields behind it → close each value before the next key",
  docs: {
    sends: '`{"op":"done</arg_key>\\n<arg_key>task</arg_key>\\n<arg_value>Fix"}`',
    becomes: '`{"op":"done","task":"Fix"}`',
    refuses: "a first value that passes as it is, unknown or present keys",
    seen: "GLM-4.x/5.x",
  },
} as const satisfies RepairEntry;

function splitSpill(text: string): { head: string; pairs: (readonly [string, string])[] } | undefined {
  const first = text.indexOf(KEY);
  if (first < 0) return undefined;
  const head = withoutCloser(text.slice(0, first));
  if (head === undefined) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (let at = first; at >= 0; ) {
    const keyEnd = text.indexOf(CLOSERS[0]!, at);
    const valueStart = keyEnd < 0 ? -1 : text.indexOf(VALUE, keyEnd);
    if (valueStart < 0 || text.slice(keyEnd + CLOSERS[0]!.length, valueStart).trim() !== "") return undefined;
    const next = text.indexOf(KEY, valueStart);
    const raw = text.slice(valueStart + VALUE.length, next < 0 ? undefined : next);
    const value = withoutCloser(raw) ?? (next < 0 ? raw : undefined);
    if (value === undefined || pairs.length > 64) return undefined;
    pairs.push([text.slice(at + KEY.length, keyEnd).trim(), value]);
    at = next;
  }
  return { head, pairs };
}

function withoutCloser(text: string): string | undefined {
  const trimmed = text.trimEnd();
  const closer = CLOSERS.find((tag) => trimmed.endsWith(tag));
  return closer === undefined ? undefined : trimmed.slice(0, -closer.length);
}
