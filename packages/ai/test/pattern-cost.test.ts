// A schema's `pattern` and `patternProperties` are its owner's expressions, and some take exponential time on some texts. pi
// runs them on every call; how often the repair layer runs them, too, is bounded here: in runs, which no machine's load changes.

import { validateToolArguments as stockValidate, type Tool } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { formatBounce } from "../src/utils/tool-repair/bounce.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

const HOSTILE = "^(a+)+$";

/** How often expressions with the source `HOSTILE` ran on a text while `work` did. */
function runsOf(work: () => void): number {
  const { test: run, exec } = RegExp.prototype;
  let runs = 0;
  let isInside = false;
  // `test` is defined by `exec`: one of both counts.
  const counted = <Result>(inner: (text: string) => Result) =>
    function (this: RegExp, text: string): Result {
      const isOuter = !isInside;
      if (isOuter && this.source === HOSTILE) runs += 1;
      isInside = true;
      try {
        return inner.call(this, text);
      } finally {
        if (isOuter) isInside = false;
      }
    };
  RegExp.prototype.test = counted(run);
  RegExp.prototype.exec = counted(exec);
  try {
    work();
  } finally {
    Object.assign(RegExp.prototype, { test: run, exec });
  }
  return runs;
}

const stock = (parameters: object, args: object) => {
  try {
    stockValidate({ name: "probe", description: "", parameters } as Tool, {
      type: "toolCall",
      id: "c",
      name: "probe",
      arguments: structuredClone(args) as never,
    });
  } catch {
    // Refused.
  }
};

const ours = (parameters: object, args: object) => {
  const tool = { name: "probe", parameters };
  const result = repairToolArguments(tool, args);
  if (result.outcome === "bounced") formatBounce(result, tool);
};

const text = { type: "string", pattern: HOSTILE };
const object = (more: object) => ({ type: "object", additionalProperties: false, ...more });
const many = <One>(count: number, one: (index: number) => One) => Array.from({ length: count }, (_, at) => one(at));
const record = (count: number, value: unknown) => Object.fromEntries(many(count, (at) => [`a${at}!`, value]));

const CASES: readonly (readonly [string, object, (size: number) => object])[] = [
  [
    "texts that fail",
    object({ properties: { t: { type: "array", items: text } } }),
    (n) => ({ t: many(n, (at) => `a${at}!`) }),
  ],
  [
    "texts in a quoted list",
    object({ properties: { t: { type: "array", items: text } } }),
    (n) => ({ t: JSON.stringify(many(n, () => "aa!")) }),
  ],
  [
    "texts of a union",
    object({ properties: { t: { type: "array", items: { anyOf: [text, { type: "null" }] } } } }),
    (n) => ({ t: many(n, () => "aa!") }),
  ],
  ["keys", object({ patternProperties: { [HOSTILE]: { type: "integer" } } }), (n) => record(n, 1)],
  [
    "keys of an open object whose values fail",
    {
      type: "object",
      patternProperties: { [HOSTILE]: { type: "integer" } },
      additionalProperties: { type: "integer" },
    },
    (n) => record(n, "one"),
  ],
  ["names of keys", { type: "object", propertyNames: text }, (n) => record(n, 1)],
];

/** Runs that one text or key may take: the check, the explanation, the candidates at its place, the last check. */
const RUNS_OF_ONE = 8;

test.each(CASES)("%s: a fixed number of runs for each, whatever the size", (_, parameters, args) => {
  const few = runsOf(() => ours(parameters, args(50)));
  const more = runsOf(() => ours(parameters, args(200)));
  expect(runsOf(() => stock(parameters, args(200)))).toBeGreaterThan(0);
  expect(more).toBeGreaterThanOrEqual(200);
  expect(more).toBeLessThanOrEqual(RUNS_OF_ONE * 200);
  expect(more).toBeLessThanOrEqual(4 * few + RUNS_OF_ONE);
});

test.each([
  "aa!",
  "`aa`",
  '"aa"',
  '["aa"]',
  "^(a+)+$",
  "<item>aa</item>",
  " aa ",
  "null",
  "AA",
  "[aa](http://aa)",
  '{"type":"string","value":"aa"}',
])("no candidate for the text %s costs more than a few runs", (one) => {
  const parameters = object({ properties: { t: text }, required: ["t"] });
  for (const value of [one, [one], { value: one }, JSON.stringify({ t: one })])
    expect(runsOf(() => ours(parameters, { t: value }))).toBeLessThanOrEqual(2 * RUNS_OF_ONE);
});

test("a valid call runs each pattern once", () => {
  const parameters = object({ properties: { t: { type: "array", items: text } } });
  expect(runsOf(() => ours(parameters, { t: many(200, () => "aa") }))).toBe(200);
});
