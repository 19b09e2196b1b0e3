import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject, type JsonObject, setOwn, withKeys } from "../json-value.ts";
import type { SubSchema } from "../sub-schema.ts";

const MAX_STEPS = 32;

/** Keys that are paths into the arguments, put back where they belong. */
export const flattenedPathFold = {
  name: "flattenedPathFold",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const built = new Map<string, unknown>();
    const dropped: string[] = [];
    for (const key of site.fields!.undeclared) {
      const head = key.slice(0, 256).split(/[[.]/, 1)[0]!;
      if (head === key || head === "" || site.schema?.child(head, object) === undefined) continue;
      // A path that cannot be followed holds content: nothing is folded around it.
      const named = Object.hasOwn(object, head) ? undefined : pathSteps(key);
      if (named === undefined) return undefined;
      const steps = asDeclared(named, site.schema, object);
      const base = built.get(head) ?? (typeof steps[1] === "number" ? [] : {});
      if (!place(base, steps.slice(1), object[key])) return undefined;
      built.set(head, base);
      dropped.push(key);
    }
    return dropped.length === 0 ? undefined : { kind: "set", value: withKeys(object, dropped, built) };
  },
  noteTemplate: "keys of `{path}` were flattened paths → send nested JSON",
  docs: {
    sends: '`{"edits[0].oldText":"a","edits[0].newText":"b"}`, `{"edits.0.oldText":…}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "gaps or jumps in the indexes, a field that is also there whole, two keys for one place",
    seen: "Gemini 2.5–3 (pi#6150)",
  },
} as const satisfies RepairEntry;

function pathSteps(key: string): (string | number)[] | undefined {
  if (key.length > 256 || !/[[.]/.test(key)) return undefined;
  const steps: (string | number)[] = [];
  for (const part of key.replace(/\[(\d{1,6})\]/g, ".$1").split(".")) {
    if (part === "" || part.includes("[") || part.includes("]") || steps.length >= MAX_STEPS) return undefined;
    steps.push(/^\d{1,6}$/.test(part) ? Number(part) : part);
  }
  return steps.length < 2 ? undefined : steps;
}

/** The steps with each index as a key where the schema takes an object and no list. */
function asDeclared(steps: readonly (string | number)[], root: SubSchema | undefined, holder: JsonObject) {
  let schema = root?.child(steps[0]!, holder);
  return steps.map((step, i) => {
    if (i === 0) return step;
    const kinds = schema?.expects();
    const declared = typeof step === "number" && kinds?.has("object") && !kinds.has("array") ? String(step) : step;
    schema = schema?.child(declared, typeof declared === "number" ? [] : {});
    return declared;
  });
}

/** Writes `value` at `steps`; false where the way is taken, of another kind, or skips an index. */
function place(base: unknown, steps: readonly (string | number)[], value: unknown): boolean {
  let at = base;
  for (const [i, step] of steps.entries()) {
    const last = i === steps.length - 1;
    const next = typeof steps[i + 1] === "number" ? [] : {};
    if (typeof step === "number") {
      if (!Array.isArray(at) || step > at.length || (last && step < at.length)) return false;
      if (step === at.length) at.push(last ? value : next);
      at = at[step];
    } else {
      if (!isJsonObject(at) || (last && Object.hasOwn(at, step))) return false;
      if (!Object.hasOwn(at, step)) setOwn(at, step, last ? value : next);
      at = at[step];
    }
  }
  return true;
}
