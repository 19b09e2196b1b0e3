// Expected × received: every pair of JSON kinds, for a required and for an optional field, with the one right outcome.
// It pins above all what is NOT repaired. `undefined` in a cell means the call bounces.

import { describe, expect, test } from "vitest";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

const KINDS = ["string", "number", "integer", "boolean", "object", "array", "null", "enum"] as const;
type Kind = (typeof KINDS)[number];

const SCHEMAS: Readonly<Record<Kind, object>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  object: { type: "object", properties: { id: { type: "integer" } }, required: ["id"], additionalProperties: false },
  array: { type: "array", items: { type: "string" } },
  null: { type: "null" },
  enum: { enum: ["low", "high"] },
};

const CLEAN = Symbol("clean");
const ABSENT = Symbol("the key is gone");
type Cell = unknown;

/** `[expected, received kind, received, required → , optional → when it differs]`. */
type Row = readonly [Kind, Kind, unknown, Cell, Cell?];

const ROWS: readonly Row[] = [
  // text takes scalars as their JSON text, never containers
  ["string", "string", "two words", CLEAN],
  ["string", "string", '{"id":1}', CLEAN],
  ["string", "string", "null", CLEAN],
  ["string", "string", "", CLEAN],
  ["string", "number", 1.5, "1.5"],
  ["string", "integer", 7, "7"],
  ["string", "integer", 2 ** 53, undefined],
  ["string", "number", Number.POSITIVE_INFINITY, undefined],
  ["string", "boolean", true, "true"],
  ["string", "object", { id: 1 }, undefined],
  ["string", "object", {}, undefined, ABSENT],
  ["string", "array", ["x", "y"], undefined],
  ["string", "array", ["x"], "x"],
  ["string", "array", [], undefined],
  ["string", "array", [null], undefined],
  ["string", "null", null, undefined, ABSENT],
  ["string", "enum", "HIGH", CLEAN],

  ["number", "string", "two words", undefined],
  ["number", "string", "1.5", 1.5],
  ["number", "string", "1,5", undefined],
  ["number", "string", "", undefined, ABSENT],
  ["number", "string", "NaN", undefined],
  ["number", "number", 1.5, CLEAN],
  ["number", "integer", 7, CLEAN],
  ["number", "boolean", true, undefined],
  ["number", "object", { id: 1 }, undefined],
  ["number", "object", {}, undefined, ABSENT],
  ["number", "array", ["x", "y"], undefined],
  ["number", "array", [1, 2], undefined],
  ["number", "array", [1.5], 1.5],
  ["number", "array", ["1.5"], 1.5],
  ["number", "null", null, undefined, ABSENT],
  ["number", "enum", "HIGH", undefined],

  ["integer", "string", "two words", undefined],
  ["integer", "string", "7", 7],
  ["integer", "string", "7.5", undefined],
  ["integer", "string", "9007199254740993", undefined],
  ["integer", "string", "None", undefined, ABSENT],
  ["integer", "number", 1.5, undefined],
  ["integer", "integer", 7, CLEAN],
  ["integer", "boolean", true, undefined],
  ["integer", "object", { id: 1 }, undefined],
  ["integer", "array", ["x", "y"], undefined],
  ["integer", "array", [7], 7],
  ["integer", "array", [1.5], undefined],
  ["integer", "null", null, undefined, ABSENT],
  ["integer", "enum", "HIGH", undefined],

  ["boolean", "string", "two words", undefined],
  ["boolean", "string", "True", true],
  ["boolean", "string", "1", undefined],
  ["boolean", "string", "yes", undefined],
  ["boolean", "string", "", undefined, ABSENT],
  ["boolean", "number", 1.5, undefined],
  ["boolean", "integer", 7, undefined],
  ["boolean", "integer", 1, true],
  ["boolean", "integer", 0, false],
  ["boolean", "boolean", true, CLEAN],
  ["boolean", "object", { id: 1 }, undefined],
  ["boolean", "object", {}, undefined, ABSENT],
  ["boolean", "array", ["x", "y"], undefined],
  ["boolean", "array", [true], true],
  ["boolean", "array", [], undefined],
  ["boolean", "null", null, undefined, ABSENT],
  ["boolean", "enum", "HIGH", undefined],

  ["object", "string", "two words", undefined],
  ["object", "string", '{"id":1}', { id: 1 }],
  ["object", "string", '{"id":1', undefined],
  ["object", "string", '[{"id":1}]', { id: 1 }],
  ["object", "string", "", undefined, ABSENT],
  ["object", "number", 1.5, undefined],
  ["object", "integer", 7, undefined],
  ["object", "boolean", true, undefined],
  ["object", "object", { id: 1 }, CLEAN],
  ["object", "object", {}, undefined],
  ["object", "object", { id: "1" }, { id: 1 }],
  ["object", "object", { id: 1, more: 2 }, undefined],
  ["object", "array", ["x", "y"], undefined],
  ["object", "array", [{ id: 1 }], { id: 1 }],
  ["object", "array", [{ id: 1 }, { id: 2 }], undefined],
  ["object", "array", [], undefined],
  ["object", "null", null, undefined, ABSENT],
  ["object", "enum", "HIGH", undefined],

  ["array", "string", "two words", ["two words"]],
  ["array", "string", '["x","y"]', ["x", "y"]],
  ["array", "string", '["x","y', undefined],
  ["array", "string", "x, y", undefined],
  ["array", "string", "x\ny", undefined],
  ["array", "string", "[x, y", undefined],
  ["array", "string", "", undefined, ABSENT],
  ["array", "number", 1.5, ["1.5"]],
  ["array", "integer", 7, ["7"]],
  ["array", "boolean", true, ["true"]],
  ["array", "object", { id: 1 }, undefined],
  ["array", "object", {}, undefined, ABSENT],
  ["array", "object", { item: ["x"] }, ["x"]],
  ["array", "object", { 0: "x", 1: "y" }, ["x", "y"]],
  ["array", "array", ["x", "y"], CLEAN],
  ["array", "array", ["x", null], undefined],
  ["array", "array", ["x", { id: 1 }], undefined],
  ["array", "array", [["x"]], ["x"]],
  ["array", "null", null, undefined, ABSENT],
  ["array", "enum", "HIGH", ["HIGH"]],

  ["null", "string", "two words", undefined],
  ["null", "string", "null", null],
  ["null", "string", "", undefined],
  ["null", "number", 1.5, undefined],
  ["null", "integer", 0, undefined],
  ["null", "boolean", false, undefined],
  ["null", "object", { id: 1 }, undefined],
  ["null", "array", ["x", "y"], undefined],
  ["null", "array", [], undefined],
  ["null", "null", null, CLEAN],
  ["null", "enum", "HIGH", undefined],

  ["enum", "string", "two words", undefined],
  ["enum", "string", "hig", undefined],
  ["enum", "string", "", undefined, ABSENT],
  ["enum", "number", 1.5, undefined],
  ["enum", "integer", 1, undefined],
  ["enum", "boolean", true, undefined],
  ["enum", "object", { id: 1 }, undefined],
  ["enum", "object", {}, undefined, ABSENT],
  ["enum", "array", ["x", "y"], undefined],
  ["enum", "array", ["low"], "low"],
  ["enum", "array", ["low", "high"], undefined],
  ["enum", "null", null, undefined, ABSENT],
  ["enum", "enum", "HIGH", "high"],
  ["enum", "enum", "high", CLEAN],
];

const toolOf = (expected: Kind, isRequired: boolean) => ({
  name: "probe",
  parameters: {
    type: "object",
    properties: { field: SCHEMAS[expected], other: { type: "string" } },
    required: isRequired ? ["field"] : [],
  },
});

const cases = ROWS.flatMap(([expected, kind, received, required, optional = required]) => [
  { expected, kind, received, need: "required", cell: required },
  { expected, kind, received, need: "optional", cell: optional },
]);

describe("expected × received", () => {
  test("every pair has a row", () => {
    const pairs = new Set(ROWS.map(([expected, kind]) => `${expected} × ${kind}`));
    const all = KINDS.flatMap((expected) => KINDS.map((kind) => `${expected} × ${kind}`));
    expect(all.filter((pair) => !pairs.has(pair))).toEqual([]);
    expect(pairs.size).toBe(64);
  });

  test.each(cases)("$need $expected, got $kind $received", ({ expected, received, need, cell }) => {
    const args = Object.freeze({ other: "kept", field: received });
    const result = repairToolArguments(toolOf(expected, need === "required"), args);
    if (cell === CLEAN) {
      expect(result).toEqual({ outcome: "clean", args });
      if (result.outcome === "clean") expect(result.args).toBe(args);
    } else if (cell === undefined) {
      expect(result.outcome).toBe("bounced");
    } else {
      expect(result.outcome).toBe("repaired");
      const wanted = cell === ABSENT ? { other: "kept" } : { other: "kept", field: cell };
      if (result.outcome === "repaired") expect(result.args).toStrictEqual(wanted);
    }
  });
});
