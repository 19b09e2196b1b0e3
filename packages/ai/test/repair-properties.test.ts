// What holds for every schema and value: valid is untouched, repaired is valid, and a call damaged in one known way
// comes back as the value it was or bounces. A failing run prints its seed and path.

import { isDeepStrictEqual } from "node:util";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REPAIRS } from "../src/utils/tool-repair/registry.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";
import type { RepairResult } from "../src/utils/tool-repair/types.ts";
import { deepFreeze, isPrototypeTouched } from "./fuzz/prototypes.ts";
import { DAMAGES, type Damage } from "./repairs/damages.ts";
import {
  anyTool,
  changedAt,
  type Place,
  plainTool,
  type Sample,
  type ToolSample,
  text,
} from "./repairs/schema-arbitrary.ts";

const RUNS = 2_000;
const TOOL = "probe_tool";

/** pi's own check, without coercion. */
const strict = (parameters: object) => compile(parameters, { formats, unresolvedRefs: "reject" });

/** As `toStrictEqual`, which is misled by a key named `constructor`. */
function expectSame(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
}

/** One call, with everything that holds whatever the outcome. */
function checkedRepair(parameters: object, args: unknown): RepairResult {
  const tool = { name: TOOL, parameters };
  const before = JSON.stringify(args);
  const valid = strict(parameters).check(args);
  const result = repairToolArguments(tool, args);
  expect(JSON.stringify(args)).toBe(before);
  expect(isPrototypeTouched()).toBe(false);
  expect(isDeepStrictEqual(repairToolArguments(tool, args), result)).toBe(true);
  expect(result.outcome === "clean").toBe(valid);
  if (result.outcome === "clean") expect(result.args).toBe(args);
  if (result.outcome === "bounced") expect(result.failures.length).toBeGreaterThan(0);
  if (result.outcome === "repaired") {
    const again = repairToolArguments(tool, result.args);
    expect(again.outcome).toBe("clean");
    expect(strict(parameters).check(result.args)).toBe(true);
    for (const { name } of result.repairs) expect(REPAIRS.map((entry) => entry.name)).toContain(name);
  }
  return result;
}

interface Call {
  readonly parameters: object;
  readonly sample: Sample;
}

/** A tool with a value that passes its schema. */
const callOf = (tool: fc.Arbitrary<ToolSample>): fc.Arbitrary<Call> =>
  tool
    .chain(({ parameters, sample }) =>
      sample.map((one) => ({ parameters: deepFreeze(parameters), sample: { ...one, value: deepFreeze(one.value) } })),
    )
    .filter(({ parameters, sample }) => strict(parameters).check(sample.value));

const anyCall = callOf(anyTool);
const plainCall = callOf(plainTool);

describe("every schema and value", () => {
  test("a valid value is clean and the same reference", () => {
    fc.assert(
      fc.property(anyCall, ({ parameters, sample }) => {
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
      fc.property(anyTool, junk, ({ parameters }, args) => {
        checkedRepair(deepFreeze(parameters), deepFreeze(args));
      }),
      { numRuns: RUNS },
    );
  });

  test("a valid value with one place replaced has one outcome, and a repaired one is valid", () => {
    const damaged = anyCall.chain(({ parameters, sample }) =>
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

const NAMES = Object.keys(DAMAGES);
const damageOf = (name: string): Damage => DAMAGES[name]!;

interface Hit extends Call {
  readonly args: unknown;
  readonly place: Place;
}

/** A call that `name` damaged in one place so that it fails, where one of its places allows that. */
const hitBy = (name: string, call: Call): fc.Arbitrary<Hit | undefined> => {
  const validator = strict(call.parameters);
  const hits = call.sample.places
    .map((place) => ({ ...call, place, args: deepFreeze(damageOf(name)(call.sample.value, place)) }))
    .filter(({ args }) => args !== undefined && !validator.check(args));
  return hits.length === 0 ? fc.constant(undefined) : fc.constantFrom(...hits);
};

const isWithin = (path: readonly unknown[], outer: readonly unknown[]) => outer.every((step, i) => path[i] === step);

describe("damage is undone exactly or bounces", () => {
  test.each(NAMES)("%s", (name) => {
    const tally = { clean: 0, repaired: 0, bounced: 0 };
    fc.assert(
      fc.property(
        plainCall.chain((call) => hitBy(name, call)),
        (hit) => {
          if (hit === undefined) return;
          const result = checkedRepair(hit.parameters, hit.args);
          tally[result.outcome]++;
          if (result.outcome === "repaired") expectSame(result.args, hit.sample.value);
        },
      ),
      { numRuns: RUNS },
    );
    expect(tally.repaired).toBeGreaterThan(4 * tally.bounced);
  });

  test("two damages in two places", () => {
    const tally = { clean: 0, repaired: 0, bounced: 0 };
    const twice = fc
      .tuple(plainCall, fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))
      .chain(([call, first, second]) =>
        fc.tuple(hitBy(first, call), hitBy(second, call)).map(([a, b]) => {
          if (a === undefined || b === undefined) return undefined;
          if (isWithin(a.place.path, b.place.path) || isWithin(b.place.path, a.place.path)) return undefined;
          return { ...call, args: deepFreeze(damageOf(second)(a.args, b.place)) };
        }),
      );
    fc.assert(
      fc.property(twice, (hit) => {
        if (hit === undefined) return;
        const result = checkedRepair(hit.parameters, hit.args);
        tally[result.outcome]++;
        if (result.outcome === "repaired") expectSame(result.args, hit.sample.value);
      }),
      { numRuns: 3 * RUNS },
    );
    expect(tally.repaired).toBeGreaterThan(2 * tally.bounced);
  });
});

describe("overlapping unions: a damage is undone or bounces", () => {
  const list = (items: object) => ({ type: "array", items });
  const number = { type: "number" };
  const string = { type: "string" };
  test.each<[string, readonly object[], unknown, unknown]>([
    [
      "a schema around a number, for a number or a list of texts",
      [number, list(string)],
      { type: "number", value: 5 },
      5,
    ],
    [
      "a schema around a text, for a text or a list of texts",
      [{ ...string, pattern: "^[a-z]+$" }, list(string)],
      { type: "string", value: "r" },
      "r",
    ],
    [
      "an item in a list, for a list of texts or a pair",
      [list(string), { type: "array", prefixItems: [number, string], items: false, minItems: 2 }],
      [4, ["x"]],
      [4, "x"],
    ],
    [
      "a quoted number, for a list of texts or a number or a word",
      [list(string), { anyOf: [number, { const: "auto" }] }],
      "5",
      5,
    ],
    ["a quoted number, for a list of texts or a number", [list(string), number], "5", 5],
  ])("%s", (_, anyOf, field, original) => {
    const parameters = { type: "object", properties: { field: { anyOf } }, required: ["field"] };
    const result = checkedRepair(parameters, deepFreeze({ field }));
    expect(result.outcome).not.toBe("clean");
    if (result.outcome === "repaired") expectSame(result.args, { field: original });
  });
});

test("a repair leaves nothing that the hints would have repaired had it been sent", () => {
  const tool = {
    name: TOOL,
    parameters: { type: "object", properties: { count: { type: "integer" } } },
    hints: { aliases: { count: ["n"] } },
  };
  const result = repairToolArguments(tool, deepFreeze({ probeTool: { count: 3 }, count: null }));
  expect(result).toMatchObject({ outcome: "repaired", args: { count: 3 } });
});

describe("names that every object inherits", () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype);

  test.each(inherited)("a required field %s may be missing, misspelled or damaged", (name) => {
    const properties = JSON.parse(`{${JSON.stringify(name)}:{"type":"integer"},"alpha":{"type":"string"}}`) as object;
    const parameters = { type: "object", properties, required: [name] };
    const own = (value: string): unknown => JSON.parse(`{${JSON.stringify(name)}:${value}}`);
    expect(checkedRepair(parameters, {}).outcome).toBe("bounced");
    expect(checkedRepair(parameters, { alpha: "x" }).outcome).toBe("bounced");
    expect(checkedRepair(parameters, own("null")).outcome).toBe("bounced");
    const result = checkedRepair(parameters, deepFreeze(own('"5"')));
    expect(result.outcome === "repaired" && isDeepStrictEqual(result.args, own("5"))).toBe(true);
  });

  test.each(inherited)("a key %s is data", (name) => {
    const parameters = { type: "object", properties: { limit: { type: "integer" } } };
    const args: unknown = JSON.parse(`{"limit":"5",${JSON.stringify(name)}:{"polluted":true}}`);
    const result = checkedRepair(parameters, deepFreeze(args));
    expect(result.outcome).toBe("repaired");
    if (result.outcome !== "repaired") return;
    expect(JSON.stringify(result.args)).toBe(`{"limit":5,${JSON.stringify(name)}:{"polluted":true}}`);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(result.args)).toBe(Object.prototype);
  });

  test.each(inherited)("hints hold for a field %s", (name) => {
    const properties = JSON.parse(`{${JSON.stringify(name)}:{"type":"string"}}`) as object;
    const hints = { aliases: { path: ["file"] }, pathFields: ["path"], fold: { into: "path", fields: ["a"] } };
    const tool = { name: TOOL, hints, parameters: { type: "object", properties, required: [name] } };
    expect(repairToolArguments(tool, { file: "x" }).outcome).toBe("bounced");
  });
});
