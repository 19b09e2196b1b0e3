// One tool call under fuzz: a generated schema, a valid value, zero to four damages, noise, now and then hints. Everything
// that holds for every call is asserted in `checkCall`; pure, so it runs under vitest and under the fuzz script alike.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { validateToolArguments as stockValidate, type Tool, type ToolCall } from "@earendil-works/pi-ai";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import fc from "fast-check";
import { formatBounce } from "../../src/utils/tool-repair/bounce.ts";
import { toolHintsProblems } from "../../src/utils/tool-repair/define-tool-hints.ts";
import { REPAIRS } from "../../src/utils/tool-repair/registry.ts";
import { repairToolArguments } from "../../src/utils/tool-repair/repairer.ts";
import type { RepairResult, ToolHints } from "../../src/utils/tool-repair/types.ts";
import { validateToolArguments } from "../../src/utils/validation.ts";
import { DAMAGES, type Damage, RARE_DAMAGES } from "../repairs/damages.ts";
import {
  anyTool,
  changedAt,
  type Path,
  type Place,
  plainTool,
  type Sample,
  text,
} from "../repairs/schema-arbitrary.ts";
import { deepFreeze } from "./prototypes.ts";

const NAME = "probe_tool";
const ALL_DAMAGES = { ...DAMAGES, ...RARE_DAMAGES };
const NAMES: ReadonlySet<string> = new Set(REPAIRS.map(({ name }) => name));
/** What can drive a terminal: control characters, line and paragraph separators, bidi controls. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const MAX_BOUNCE = 6_000;

export interface CallCase {
  readonly parameters: object;
  readonly hints?: ToolHints;
  readonly args: unknown;
  /** The valid value that damages with one way back were made to; absent where noise was added or a union is ambiguous. */
  readonly original?: { readonly value: unknown };
  readonly made: readonly string[];
}

/** pi's own check without coercion, compiled apart from the code under test. */
const strict = (parameters: object) => compile(parameters, { formats, unresolvedRefs: "reject" });

const step = fc.record({ damage: fc.constantFrom(...Object.keys(ALL_DAMAGES)), at: fc.nat(999) });
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  text,
  fc.constantFrom("__proto__", "\u001b[2J", "\u009b31m", "\u202eabc", "\u2028", "\ud800", "[1", '{"a":', "1e999", "-0"),
);
const junkKey = fc.oneof(
  text,
  fc.constantFrom("__proto__", "constructor", "toString", "\u001b]0;x\u0007", "a\nb", "0", ""),
);
const noise = fc.record({
  kind: fc.constantFrom("replace", "delete", "add", "append", "list"),
  at: fc.nat(999),
  key: junkKey,
  value: junk,
});
type Noise = typeof noise extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const names = fc.constantFrom("path", "alpha", "edits", "command", "name", "edits[].alpha", "edits[]", "");
const hints: fc.Arbitrary<ToolHints> = fc
  .record(
    {
      aliases: fc.dictionary(
        names,
        fc.array(fc.constantFrom("file", "Alpha", "input", "cmd", "__proto__"), { maxLength: 2 }),
        { maxKeys: 2 },
      ),
      rootField: names,
      fold: fc.record({ into: names, fields: fc.array(names, { maxLength: 2 }) }),
      shellFields: fc.array(names, { maxLength: 2 }),
      pathFields: fc.array(names, { maxLength: 2 }),
      closed: fc.array(names, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .filter((drawn) => toolHintsProblems(drawn).length === 0);

const noiseList = fc.oneof(
  { arbitrary: fc.constant([]), weight: 5 },
  { arbitrary: fc.array(noise, { maxLength: 3 }), weight: 2 },
);
const steps = fc.oneof(
  { arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }), weight: 3 },
  { arbitrary: fc.array(step, { maxLength: 4, size: "max" }), weight: 2 },
);
const someHints = fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: hints, weight: 1 });

/** A call with everything that was done to it. */
export const callCase: fc.Arbitrary<CallCase> = fc
  .oneof(
    { arbitrary: plainTool.map((tool) => ({ ...tool, isPlain: true })), weight: 3 },
    { arbitrary: anyTool.map((tool) => ({ ...tool, isPlain: false })), weight: 2 },
  )
  .chain(({ parameters, sample, isPlain }) =>
    fc.record({ sample, steps: steps, noise: noiseList, hints: someHints }).map((drawn) => {
      return madeCase(parameters, drawn.sample, drawn.steps, drawn.noise, isPlain, drawn.hints);
    }),
  );

function madeCase(
  parameters: object,
  sample: Sample,
  steps: readonly { damage: string; at: number }[],
  noises: readonly Noise[],
  isPlain: boolean,
  givenHints: ToolHints | null,
): CallCase {
  let args = sample.value;
  const validator = strict(parameters);
  const made: string[] = [];
  const hit: Path[] = [];
  // A union may refuse what one of its branches takes.
  let isReversible = isPlain && noises.length === 0 && givenHints === null && validator.check(sample.value);
  for (const { damage, at } of steps) {
    const found = damaged(args, sample.places, hit, ALL_DAMAGES[damage]!, at);
    if (found === undefined) continue;
    const { place, next } = found;
    // Damage around damage may mean something else: it is made, but nobody asks for the way back.
    if (hit.some((path) => isWithin(path, place.path))) isReversible = false;
    // A damaged value that the schema takes is another call: there is nothing to undo.
    if (isReversible && validator.check(ALL_DAMAGES[damage]!(sample.value, place))) isReversible = false;
    args = next;
    made.push(`${damage} at /${place.path.join("/")}`);
    hit.push(place.path);
  }
  for (const one of noises) {
    args = noisy(args, sample.places[one.at % sample.places.length]!, one);
    made.push(`${one.kind} at noise`);
  }
  return deepFreeze({
    parameters,
    args,
    made,
    ...(givenHints === null ? {} : { hints: givenHints }),
    ...(isReversible && made.length > 0 ? { original: { value: sample.value } } : {}),
  });
}

/** The first place from the drawn one on that the damage fits. What stood inside a damaged place is no longer there. */
function damaged(args: unknown, places: readonly Place[], hit: readonly Path[], damage: Damage, at: number) {
  for (let i = 0; i < places.length; i++) {
    const place = places[(at + i) % places.length]!;
    if (hit.some((path) => isWithin(place.path, path))) continue;
    const next = damage(args, place);
    if (next !== undefined) return { place, next };
  }
  return undefined;
}

const isWithin = (path: Path, outer: Path) => outer.every((one, i) => path[i] === one);

function noisy(args: unknown, place: Place, one: Noise): unknown {
  if (!holds(args, place.path)) return one.kind === "replace" ? one.value : args;
  return changedAt(args, place.path, (at) => {
    if (one.kind === "delete") return undefined;
    if (one.kind === "append" && typeof at === "string") return `${at}${String(one.key)}`;
    if (one.kind === "list") return [at, one.value];
    if (one.kind === "add" && typeof at === "object" && at !== null && !Array.isArray(at)) {
      const copy = { ...at };
      // As a parser would: an own key, whatever its name.
      Object.defineProperty(copy, one.key, { value: one.value, enumerable: true, writable: true, configurable: true });
      return copy;
    }
    return one.value;
  });
}

/** Whether every holder along `path` is an object or list. */
function holds(value: unknown, path: Path): boolean {
  let at = value;
  for (const one of path) {
    if (typeof at !== "object" || at === null) return false;
    at = Object.hasOwn(at, one) ? (at as Record<string, unknown>)[one] : undefined;
  }
  return true;
}

/** Asserts all that holds for a call; says what became of it: `undone` and `refused` are calls with one way back. */
export function checkCall(drawn: CallCase): RepairResult["outcome"] | "undone" | "refused" {
  const { parameters, args, original } = drawn;
  const tool = drawn.hints === undefined ? { name: NAME, parameters } : { name: NAME, parameters, hints: drawn.hints };
  const before = JSON.stringify(args);
  const validator = strict(parameters);
  const valid = validator.check(args);
  const result = repairToolArguments(tool, args);
  assert.equal(JSON.stringify(args), before, "the input was changed");
  assert.ok(isDeepStrictEqual(repairToolArguments(tool, args), result), "a second run differs");
  if (drawn.hints === undefined) assert.equal(result.outcome === "clean", valid, "clean and valid are not the same");
  if (result.outcome === "clean") {
    assert.ok(result.args === args, "a clean call is another reference");
  } else if (result.outcome === "repaired") {
    assert.ok(validator.check(result.args), "a repaired call is not valid");
    const again = repairToolArguments(tool, result.args);
    assert.ok(again.outcome === "clean" && again.args === result.args, "a repaired call is repaired again");
    for (const { name, note } of result.repairs) {
      assert.ok(NAMES.has(name), `no repair is called ${name}`);
      assert.ok(note !== "" && !UNSAFE.test(note), `the note of ${name} is not one safe line`);
    }
    if (original !== undefined)
      assert.deepEqual(plain(result.args), plain(original.value), "the way back led elsewhere");
  } else {
    const bounce = formatBounce(result, tool);
    assert.ok(bounce.length > 20 && bounce.length < MAX_BOUNCE, `a bounce of ${bounce.length} characters`);
    assert.ok(!UNSAFE.test(bounce.replaceAll("\n", " ")), "a bounce that can drive a terminal");
    assert.ok(bounce.split("\n").length < 20, "a bounce with lines of the model's");
  }
  if (drawn.hints === undefined && typeof args === "object" && args !== null && !Array.isArray(args)) {
    checkAgainstStock(parameters, args as ToolCall["arguments"]);
  }
  if (original === undefined || result.outcome === "clean") return result.outcome;
  return result.outcome === "repaired" ? "undone" : "refused";
}

/** A call that stock pi runs unchanged runs unchanged here. */
function checkAgainstStock(parameters: object, args: ToolCall["arguments"]): void {
  const tool = { name: NAME, description: "", parameters } as Tool;
  const call: ToolCall = { type: "toolCall", id: "c", name: NAME, arguments: args };
  let stock: unknown;
  try {
    stock = stockValidate(tool, call);
  } catch {
    return;
  }
  if (!isDeepStrictEqual(stock, args)) return;
  assert.ok(validateToolArguments(tool, call) === args, "stock pi runs this call as it is");
}

/** Without prototypes, so that a key named `__proto__` compares as data. */
const plain = (value: unknown) => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
