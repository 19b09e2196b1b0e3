import { compile } from "@earendil-works/pi-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainCallCheck } from "../src/utils/tool-repair/plain-call.ts";

const KEYS = ["path", "limit", "on", "rows", "toString", "x"];

/** Schemas of the plain kind, nested up to three deep. */
const schema = fc.letrec<{ node: object; object: object }>((tie) => ({
  node: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("string", "number", "integer", "boolean").map((type) => ({ type })) },
    { weight: 1, arbitrary: tie("node").map((items) => ({ type: "array", items })) },
    { weight: 1, arbitrary: tie("object") },
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...KEYS.filter((key) => key !== "toString")), tie("node"), { maxKeys: 4 }),
      fc.constantFrom(undefined, true, false),
      fc.boolean(),
    )
    .map(([properties, additionalProperties, all]) => ({
      type: "object",
      properties,
      required: all ? Object.keys(properties) : Object.keys(properties).slice(0, 1),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    })),
}));

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("", "a", 1, 1.5, true, null, Number.NaN, Number.POSITIVE_INFINITY),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 4 }),
}));

describe("the quick yes", () => {
  it("is never said where pi-schema says no", () => {
    let accepted = 0;
    fc.assert(
      fc.property(schema.object, value.object, (parameters, args) => {
        const plain = plainCallCheck(parameters);
        expect(plain).toBeDefined();
        if (plain!(args)) {
          accepted++;
          expect(compile(parameters).check(args)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  it("is said for a valid call of the common tools", () => {
    const edit = {
      type: "object",
      properties: {
        path: { type: "string", description: "Path" },
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "edits"],
    };
    expect(plainCallCheck(edit)!({ path: "f", edits: [{ a: "x" }], note: 1 })).toBe(true);
    expect(plainCallCheck(edit)!({ path: "f", edits: [{ a: "x", b: 1 }] })).toBe(false);
    expect(plainCallCheck(edit)!({ edits: [], path: "f" })).toBe(true);
  });

  it.each([
    ["a bound", { type: "string", minLength: 1 }],
    ["a union", { anyOf: [{ type: "string" }] }],
    ["an enum", { type: "string", enum: ["a"] }],
    ["a reference", { $ref: "#/x" }],
    ["no type", {}],
    ["a type list", { type: ["string", "null"] }],
  ])("does not exist for a schema with %s", (_what, field) => {
    expect(plainCallCheck({ type: "object", properties: { field } })).toBeUndefined();
  });
});
