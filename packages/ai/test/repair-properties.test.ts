// What holds for every schema and value: valid is untouched, repaired is valid, and a call damaged in one known way
// comes back as the value it was or bounces. A failing run prints its seed and path.

import { isDeepStrictEqual } from "node:util";
import { compile } from "@earendil-works/pi-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REPAIRS } from "../src/utils/tool-repair/registry.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";
import type { RepairResult } from "../src/utils/tool-repair/types.ts";
import { DAMAGES, type Damage } from "./repairs/damages.ts";
import { changedAt, type Place, type Sample, text, toolSpec } from "./repairs/schema-arbitrary.ts";

const RUNS = Number(process.env["REPAIR_RUNS"] ?? 3_000);
const TOOL = "probe_tool";

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const prototypeKeys = () => PROTOTYPES.map((one) => Object.getOwnPropertyNames(one).length);
const PROTOTYPE_KEYS = prototypeKeys();

/** As `toStrictEqual`, which is misled by a key named `constructor`. */
function expectSame(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
}

/** One call, with everything that holds whatever the outcome. */
function checkedRepair(parameters: object, args: unknown): RepairResult {
  const tool = { name: TOOL, parameters };
  const before = JSON.stringify(args);
  const valid = compile(parameters, { unresolvedRefs: "reject" }).check(args);
  const result = repairToolArguments(tool, args);
  expect(JSON.stringify(args)).toBe(before);
  expect(prototypeKeys()).toEqual(PROTOTYPE_KEYS);
  expect(isDeepStrictEqual(repairToolArguments(tool, args), result)).toBe(true);
  expect(result.outcome === "clean").toBe(valid);
  if (result.outcome === "clean") expect(result.args).toBe(args);
  if (result.outcome === "bounced") expect(result.failures.length).toBeGreaterThan(0);
  if (result.outcome === "repaired") {
    const again = repairToolArguments(tool, result.args);
    expect(again.outcome).toBe("clean");
    expect(compile(parameters, { unresolvedRefs: "reject" }).check(result.args)).toBe(true);
    for (const { name } of result.repairs) expect(REPAIRS.map((entry) => entry.name)).toContain(name);
  }
  return result;
}

const toolAndValue = toolSpec.chain((tool) =>
  tool.sample.map((sample) => ({
    parameters: deepFreeze(tool.parameters),
    sample: { ...sample, value: deepFreeze(sample.value) },
  })),
);

describe("every schema and value", () => {
  test("a valid value is clean and the same reference", () => {
    fc.assert(
      fc.property(toolAndValue, ({ parameters, sample }) => {
        expect(checkedRepair(parameters, sample.value).outcome).toBe("clean");
      }),
      { numRuns: RUNS },
    );
  });

  test("any JSON value has one outcome, and a repaired one is valid", () => {
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.object({
        key: fc.oneof(text, fc.constantFrom("__proto__", "constructor", "alpha", "arguments", "0")),
        maxDepth: 3,
      }),
      text,
    ) as fc.Arbitrary<unknown>;
    fc.assert(
      fc.property(toolSpec, junk, ({ parameters }, args) => {
        checkedRepair(deepFreeze(parameters), deepFreeze(args));
      }),
      { numRuns: RUNS },
    );
  });

  test("a valid value with one place replaced has one outcome, and a repaired one is valid", () => {
    const damaged = toolAndValue.chain(({ parameters, sample }) =>
      fc.tuple(fc.constantFrom(...sample.places), fc.jsonValue({ maxDepth: 2 })).map(([place, other]) => ({
        parameters,
        args: deepFreeze(changedAt(sample.value, place.path, () => other)),
      })),
    );
    fc.assert(
      fc.property(damaged, ({ parameters, args }) => {
        checkedRepair(parameters, args);
      }),
      { numRuns: RUNS },
    );
  });
});

const tallies = new Map<string, { repaired: number; bounced: number; clean: number }>();

function roundTrip(name: string, damage: Damage, parameters: object, sample: Sample, place: Place): void {
  const args = damage(sample.value, place);
  if (args === undefined) return;
  const result = checkedRepair(parameters, deepFreeze(args));
  const tally = tallies.get(name) ?? { repaired: 0, bounced: 0, clean: 0 };
  tallies.set(name, tally);
  tally[result.outcome]++;
  if (result.outcome === "repaired") expectSame(result.args, sample.value);
}

describe("damage in one place is undone exactly or bounces", () => {
  test.each(Object.entries(DAMAGES))("%s", (name, damage) => {
    const fitting = toolAndValue.chain(({ parameters, sample }) => {
      const places = sample.places.filter((place) => damage(sample.value, place) !== undefined);
      return places.length === 0
        ? fc.constant(undefined)
        : fc.constantFrom(...places).map((place) => ({ parameters, sample, place }));
    });
    fc.assert(
      fc.property(fitting, (drawn) => {
        if (drawn !== undefined) roundTrip(name, damage, drawn.parameters, drawn.sample, drawn.place);
      }),
      { numRuns: RUNS },
    );
    const tally = tallies.get(name)!;
    expect(tally.repaired).toBeGreaterThan(tally.bounced);
  });
});
