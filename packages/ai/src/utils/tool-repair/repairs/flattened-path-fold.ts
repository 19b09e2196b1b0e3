import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isJsonObject, type JsonObject, setOwn, withKeys } from "../json-value.ts";
import type { SubSchema } from "../sub-schema.ts";

const MAX_STEPS = 32;
const SEPARATOR = /[[.]/;

/** Keys that are paths into the arguments, put back where they belong. */
export const flattenedPathFold = {
  name: "flattenedPathFold",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const paths: Path[] = [];
    for (const key of site.fields!.undeclared) {
      if (!SEPARATOR.test(key)) continue;
      const head = key.slice(0, 256).split(SEPARATOR, 1)[0]!;
      if (head === key || head === "" || site.schema?.child(head, object) === undefined) continue;
      // A path that cannot be followed holds content: nothing is folded around it.
      const steps = Object.hasOwn(object, head) ? undefined : pathSteps(key);
      if (steps === undefined) return undefined;
      paths.push({ key, head, steps: asDeclared(steps, site.schema, object) });
    }
    const built = new Map<string, unknown>();
    for (const { key, head, steps } of paths.sort(byIndex)) {
      if (steps.length === 1 && built.has(head)) return undefined;
      const base = built.get(head) ?? (typeof steps[1] === "number" ? [] : {});
      if (steps.length > 1 && !place(base, steps.slice(1), object[key])) return undefined;
      built.set(head, steps.length === 1 ? object[key] : base);
    }
    const dropped = paths.map(({ key }) => key);
    return dropped.length === 0 ? undefined : { kind: "set", value: withKeys(object, dropped, built) };
  },
  noteTemplate: "keys of `{path}` were flattened paths → send nested JSON",
  docs: {
    sends:
      '`{"edits[0].oldText":"a","edits[0].newText":"b"}`, `{"edits.0.oldText":…}`, `{"edits[0][oldText]":…}`, `{"tags[]":[…]}`',
    becomes: '`{"edits":[{"oldText":"a","newText":"b"}]}`',
    refuses: "gaps in the indexes, a field that is also there whole, two keys for one place",
    seen: "Gemini 2.5–3 (pi#6150)",
  },
} as const satisfies RepairEntry;

interface Path {
  readonly key: string;
  readonly head: string;
  readonly steps: readonly (string | number)[];
}

/** Indexes in their order: a sorted object has `[10]` before `[2]`. */
function byIndex({ steps: a }: Path, { steps: b }: Path): number {
  const at = a.findIndex((step, i) => step !== b[i]);
  const [one, other] = [a[at], b[at]];
  return typeof one === "number" && typeof other === "number" ? one - other : 0;
}

/** `a.0.b`, `a[0].b` and the form-encoded `a[0][b]`; `a[]` is the whole list. */
function pathSteps(key: string): (string | number)[] | undefined {
  if (key.length > 256 || !SEPARATOR.test(key)) return undefined;
  const whole = /^[^[\].]+(?=\[\]$)/.exec(key);
  if (whole !== null) return [whole[0]];
  const steps: (string | number)[] = [];
  for (const part of key.replace(/\[([^[\].]+)\]/g, ".$1").split(".")) {
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
