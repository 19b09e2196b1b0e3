// Makes the record of a bounce: a skeleton that is only kept if it fails as the call did, and replays it. Never keeps a
// value, nor a key that the schema does not declare.
import { type RepairTool, repairToolArguments, type ToolHints } from "@pi-mend/ai/tool-repair";
import { CallSkeleton, numericLimits, type SkeletonStyle } from "./call-skeleton.ts";
import type { FailurePlace, FailureRecord } from "./failure.schema.ts";
import { knownWords } from "./known-words.ts";
import { hintsOutline, schemaOutline } from "./schema-outline.ts";
import { valueClass } from "./value-class.ts";

export type SkeletonCall = FailureRecord["call"];

/** What the repair step says about a call: the outcome and, in its order, the places. */
export interface Verdict {
  readonly outcome: "clean" | "repaired" | "bounced";
  /** `path keyword-or-repair` with what else tells places apart. */
  readonly places: readonly string[];
}

export interface Skeleton {
  readonly call: SkeletonCall;
  readonly places: readonly FailurePlace[];
  readonly verdict: Verdict;
}

const MAX_BYTES = 8_192;
const MAX_PLACES = 16;
const STYLES: readonly SkeletonStyle[] = [
  { digit: "1", maxText: 4_096 },
  { digit: "9", maxText: 4_096 },
  { digit: "1", maxText: 256 },
  { digit: "9", maxText: 256 },
  { digit: "1", maxText: 32 },
];

/**
 * The skeleton of a call that gets the same verdict as the call itself, at the same places.
 *
 * @param model the id under which the record will be replayed
 * @returns `undefined` where none of bounded size does
 */
export function skeletonOf(tool: RepairTool, args: unknown, model: string): Skeleton | undefined {
  const { result, verdict } = judged(tool, args, model);
  const known = knownWords(tool);
  const limits = numericLimits(tool.parameters);
  for (const style of STYLES) {
    const skeleton = new CallSkeleton(known, limits, style);
    const stand = skeleton.value(args);
    const keys = keysOf(stand);
    const hints = hintsOutline(tool.hints, keys);
    const due = { ...verdict, places: verdict.places.map((place) => placed(place, skeleton)) };
    for (const kept of [keys, undefined]) {
      const call = { schema: schemaOutline(tool.parameters, kept), ...(hints && { hints }), args: stand };
      if (JSON.stringify(call).length > MAX_BYTES) continue;
      if (!isSame(replay(tool.name, call, model), due)) continue;
      const failures = result.outcome === "bounced" ? result.failures.slice(0, MAX_PLACES) : [];
      const places = failures.map(({ path, keyword, required, expected, got }) => ({
        ...{ path: skeleton.pointer(path), keyword, required, expected, got },
        value: valueClass(valueAt(args, path)),
      }));
      return { call, places, verdict: due };
    }
  }
  return undefined;
}

/** The verdict on a skeleton call, now. */
export function replay(tool: string, call: SkeletonCall, model: string): Verdict {
  const hints = call.hints as ToolHints | undefined;
  return judged({ name: tool, parameters: call.schema, ...(hints && { hints }) }, call.args, model).verdict;
}

/** Whether a record still fails where and as it says. */
export function replaysTruly(record: FailureRecord): boolean {
  const verdict = replay(record.tool, record.call, record.model);
  const due = record.places.map(({ path, keyword, required, got }) => place(path, keyword, required, got));
  return verdict.outcome === "bounced" && due.every((text, index) => text === verdict.places[index]);
}

function judged(tool: RepairTool, args: unknown, model: string) {
  const result = repairToolArguments(tool, args, { model });
  const places =
    result.outcome === "bounced"
      ? result.failures.map(({ path, keyword, required, got }) => place(path, keyword, required, got))
      : result.outcome === "repaired"
        ? result.repairs.map((repair) => place(repair.path, repair.name))
        : [];
  return { result, verdict: { outcome: result.outcome, places } satisfies Verdict };
}

/** One place as text; the pointer stands last, for it may hold anything. */
function place(path: string, what: string, required?: boolean, got?: string): string {
  return `${what} ${required ?? ""} ${got ?? ""} ${path}`;
}

function placed(text: string, skeleton: CallSkeleton): string {
  const [, what = "", path = ""] = /^(\S+ \S* \S* )([\s\S]*)$/.exec(text) ?? [];
  return what + skeleton.pointer(path);
}

function isSame(a: Verdict, b: Verdict): boolean {
  return (
    a.outcome === b.outcome &&
    a.places.length === b.places.length &&
    a.places.every((text, index) => text === b.places[index])
  );
}

function keysOf(value: unknown, keys: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return keys;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) keys.add(key);
    keysOf(item, keys);
  }
  return keys;
}

function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
