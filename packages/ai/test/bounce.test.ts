// What a model reads when its call bounces: where, what was expected, what type came, and one correct skeleton.
// Never a value that the model sent.

import {
  createBashToolDefinition,
  createEditToolDefinition,
  createFindToolDefinition,
  createGrepToolDefinition,
  createLsToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { describe, expect, test } from "vitest";
import { formatBounce } from "../src/utils/tool-repair/bounce.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";
import type { BounceFailure, RepairTool } from "../src/utils/tool-repair/types.ts";

const S = { type: "string" };
const I = { type: "integer" };
const toolOf = (properties: object, required: readonly string[] = [], more: object = {}): RepairTool => ({
  name: "probe",
  parameters: { type: "object", properties, required, ...more },
});

function bounceOf(tool: RepairTool, args: unknown): { failures: readonly BounceFailure[]; text: string } {
  const result = repairToolArguments(tool, args);
  if (result.outcome !== "bounced") throw new Error(`expected a bounce, got ${result.outcome}`);
  const text = formatBounce(result, tool);
  expect(formatBounce(result, tool)).toBe(text);
  return { failures: result.failures, text };
}

const skeletonOf = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

describe("a bounce", () => {
  test("says that nothing ran, where it failed, what was expected and what came", () => {
    const { text, failures } = bounceOf(toolOf({ limit: { ...I, minimum: 1 } }, ["limit"]), { limit: "many" });
    expect(failures).toEqual([
      { path: "/limit", keyword: "type", expected: '{"type":"integer","minimum":1}', got: "string", required: true },
    ]);
    expect(text).toContain("the call was not run");
    expect(text).toContain('limit: expected {"type":"integer","minimum":1}, got string');
  });

  test("names places in lists and objects as a reader writes them", () => {
    const edits = { type: "array", items: { type: "object", properties: { count: I }, required: ["count"] } };
    const { text, failures } = bounceOf(toolOf({ edits }), { edits: [{ count: 1 }, { count: "x" }] });
    expect(failures[0]?.path).toBe("/edits/1/count");
    expect(text).toContain("edits[1].count: ");
  });

  test("shows what a list's items refer to", () => {
    const $defs = { item: toolOf({ id: I, next: { $ref: "#/$defs/item" } }, ["id"]).parameters };
    const { failures } = bounceOf(
      toolOf({ items: { type: "array", items: { $ref: "#/$defs/item" } } }, ["items"], { $defs }),
      {},
    );
    expect(failures[0]?.expected).toContain('"items":{"type":"object","properties":{"id":{"type":"integer"},"next":{');
    expect(failures[0]?.expected.length).toBeLessThanOrEqual(320);
  });

  test("says that a required field is missing", () => {
    const { text, failures } = bounceOf(toolOf({ path: S, content: S }, ["path", "content"]), { path: "a" });
    expect(failures).toMatchObject([{ path: "/content", got: "missing", required: true }]);
    expect(text).toMatch(/content: .*missing.*required/);
  });

  test("names the failing keyword where the type is right", () => {
    const { text } = bounceOf(toolOf({ size: { ...I, maximum: 10 } }), { size: 11 });
    expect(text).toMatch(/size: .*"maximum":10.*got integer.*maximum/);
  });

  test("says why null is refused", () => {
    const { text, failures } = bounceOf(toolOf({ path: S }, ["path"]), { path: null });
    expect(failures).toMatchObject([{ path: "/path", got: "null", reason: "null is no value for a required field" }]);
    expect(text).toMatch(/path: .*got null.*null is no value for a required field/);
  });

  test("says that the whole arguments have the wrong type", () => {
    const { text } = bounceOf(toolOf({ a: S, b: S }, ["a", "b"]), 5);
    expect(text).toMatch(/arguments: expected .*"object".*got integer/);
  });

  test("names an undeclared key and the keys that are allowed", () => {
    const tool = toolOf({ path: S, limit: I }, ["path"], { additionalProperties: false });
    const { text, failures } = bounceOf(tool, { path: "a", unknown_key: "x" });
    expect(failures).toMatchObject([
      { path: "/unknown_key", keyword: "additionalProperties", allowedKeys: ["path", "limit"] },
    ]);
    expect(text).toMatch(/unknown_key: .*not allowed.*path, limit/);
  });

  test("names at most 20 allowed keys", () => {
    const names = Array.from({ length: 60 }, (_, i) => `field_${i}`);
    const tool = toolOf(Object.fromEntries(names.map((name) => [name, S])), [], { additionalProperties: false });
    const { text } = bounceOf(tool, { other: "x" });
    expect(names.filter((name) => new RegExp(`${name}\\b`).test(text.split("\n")[1]!))).toEqual(names.slice(0, 20));
  });

  test("lists at most eight places and counts the others", () => {
    const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
    const tool = toolOf(Object.fromEntries(names.map((name) => [name, I])));
    const { text, failures } = bounceOf(tool, Object.fromEntries(names.map((name) => [name, "x"])));
    expect(failures.length).toBe(12);
    expect(text.match(/got string/g)?.length).toBe(8);
    expect(text).toContain("and 4 more");
  });

  test("lists eight places without a count", () => {
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    const tool = toolOf(Object.fromEntries(names.map((name) => [name, I])));
    const { text } = bounceOf(tool, Object.fromEntries(names.map((name) => [name, "x"])));
    expect(text.match(/got string/g)?.length).toBe(8);
    expect(text).not.toContain("more");
  });

  test("lists only what could not be repaired", () => {
    const { failures } = bounceOf(toolOf({ a: I, b: I }), { a: "1", b: "x" });
    expect(failures.map((failure) => failure.path)).toEqual(["/b"]);
  });

  test("names each place once", () => {
    const tool = { ...toolOf({ path: S, limit: I }), hints: { aliases: { path: ["folder"] } } };
    for (const args of [
      { folder: "a", limit: "x" },
      { folder: "a", limit: "x", other: 1 },
      { path: null, limit: "x" },
    ]) {
      const { failures } = bounceOf(tool, args);
      expect(failures.map((failure) => failure.path)).toEqual(["/limit"]);
    }
  });

  test("has no text for a call that did not bounce", () => {
    const tool = toolOf({ a: I });
    expect(formatBounce(repairToolArguments(tool, { a: 1 }), tool)).toBe("");
    expect(formatBounce(repairToolArguments(tool, { a: "1" }), tool)).toBe("");
  });
});

describe("the expected fragment", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [`property_number_${i}`, { type: "string", description: "d".repeat(50) }]),
  );
  const deep = Array.from({ length: 12 }).reduce<object>(
    (inner) => ({ type: "object", properties: { a: inner, b: S }, required: ["a"] }),
    S,
  );
  const members = { enum: Array.from({ length: 500 }, (_, i) => `member-${i}`) };
  const shapes: readonly (readonly [string, object])[] = [
    ["a wide object", { type: "object", properties: wide, required: Object.keys(wide) }],
    ["a deep object", deep],
    ["many members", members],
    [
      "a union of many",
      {
        anyOf: Array.from({ length: 60 }, (_, i) => ({
          type: "object",
          properties: { kind: { const: `kind-${i}` } },
          required: ["kind"],
        })),
      },
    ],
    ["a long pattern", { type: "string", pattern: `^${"[a-z]".repeat(200)}$` }],
    ["a long constant", { const: "c".repeat(2_000) }],
    ["a list of wide objects", { type: "array", items: { type: "object", properties: wide } }],
  ];

  test.each(shapes)("of %s is at most 320 characters of JSON", (_, schema) => {
    const { failures, text } = bounceOf(toolOf({ field: schema }, ["field"]), { field: 5.5 });
    expect(failures.length).toBeGreaterThan(0);
    for (const { expected } of failures) {
      expect(expected.length).toBeLessThanOrEqual(320);
      if (expected !== "") expect(() => JSON.parse(expected) as unknown).not.toThrow();
    }
    expect(text.length).toBeLessThan(8 * 700 + 700);
  });

  test("keeps the words that say what is valid and drops the prose", () => {
    const field = {
      type: "string",
      description: "PROSE",
      title: "PROSE",
      default: "PROSE",
      examples: ["PROSE"],
      minLength: 2,
      pattern: "^a",
    };
    const { failures, text } = bounceOf(toolOf({ field }, ["field"]), { field: "b" });
    expect(JSON.parse(failures[0]!.expected)).toEqual({ type: "string", minLength: 2, pattern: "^a" });
    expect(text).not.toContain("PROSE");
  });
});

describe("no received value is repeated", () => {
  const canary = "CANARY7f3a";
  const edit = {
    type: "object",
    properties: { oldText: S, newText: S },
    required: ["oldText", "newText"],
    additionalProperties: false,
  };
  const tool = toolOf(
    {
      path: S,
      level: { enum: ["low", "high"] },
      limit: { ...I, maximum: 5 },
      all: { type: "boolean" },
      id: { type: "string", pattern: "^[0-9]+$" },
      edits: { type: "array", items: edit },
      meta: edit,
    },
    ["path"],
    { additionalProperties: false },
  );

  test.each<[string, unknown]>([
    ["for a number", { path: "a", limit: canary }],
    ["for a boolean", { path: "a", all: canary }],
    ["for a member", { path: "a", level: canary }],
    ["for a pattern", { path: "a", id: canary }],
    ["in a list", { path: [canary, canary] }],
    ["in an object", { path: { inner: canary } }],
    ["as a quoted object", { path: "a", meta: `{"oldText":"${canary}"}` }],
    ["as cut JSON", { path: "a", edits: `[{"oldText":"${canary}` }],
    ["under an undeclared key", { path: "a", other: canary }],
    ["inside an item", { path: "a", edits: [{ oldText: "x", newText: "y", extra: canary }] }],
    ["as an item", { path: "a", edits: [canary] }],
    ["as the whole arguments, cut", `{"path":"${canary}`],
    ["as a list of arguments", [canary, canary]],
    ["in two wrappers", { arguments: { path: canary }, input: { path: canary } }],
    ["beside a fault", { path: canary, limit: 99 }],
  ])("%s", (_, args) => {
    const { text, failures } = bounceOf(tool, args);
    expect(text).not.toContain(canary);
    expect(JSON.stringify(failures)).not.toContain(canary);
  });
});

describe("key names that a model made up", () => {
  const closed = toolOf({ path: S }, [], { additionalProperties: false });

  test.each<[string, string]>([
    ["an escape sequence", "\u001b[2J\u001b]0;title\u0007"],
    ["a carriage return", "a\rb"],
    ["line breaks", "a\nb\n  - path: fine"],
    ["a C1 control", "a\u009b31m"],
    ["a right-to-left override", "a\u202etxt.exe"],
    ["a line separator", "a\u2028b"],
    ["DEL", "a\u007fb"],
  ])("%s cannot drive a terminal or start a line", (_, key) => {
    const { text } = bounceOf(closed, { [key]: "x" });
    const [head, failure, ...rest] = text.split("\n");
    expect(head).toBe("the call was not run.");
    expect(failure).toMatch(/^ {2}- .*not allowed/);
    expect(rest.filter((line) => line.startsWith("  - "))).toEqual([]);
    expect(text).not.toMatch(/[\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  test("a long key is cut", () => {
    const { text } = bounceOf(closed, { ["k".repeat(5_000)]: "x" });
    expect(text.length).toBeLessThan(600);
  });

  test("a key with slashes and tildes keeps its name", () => {
    const { text } = bounceOf(closed, { "src/a~b": "x" });
    expect(text).toContain("src/a~b");
  });

  test("the names of a schema with control characters are neutralised too", () => {
    const tool = toolOf({ "a\u001b[31m": S }, [], { additionalProperties: false });
    expect(bounceOf(tool, { other: "x" }).text).not.toContain("\u001b");
  });
});

describe("the skeleton", () => {
  const folder = import.meta.dirname;
  const definitions = [
    createReadToolDefinition(folder),
    createWriteToolDefinition(folder),
    createEditToolDefinition(folder),
    createBashToolDefinition(folder),
    createGrepToolDefinition(folder),
    createFindToolDefinition(folder),
    createLsToolDefinition(folder),
  ].map(({ name, parameters }) => ({ name, parameters: parameters as object }));

  test.each(definitions)("of pi's $name passes the tool's own schema", (tool) => {
    const skeleton = skeletonOf(bounceOf(tool, [1, 2, 3]).text);
    expect(skeleton.length).toBeLessThanOrEqual(600);
    const value: unknown = JSON.parse(skeleton);
    expect(compile(tool.parameters).check(value)).toBe(true);
    expect(repairToolArguments(tool, value)).toEqual({ outcome: "clean", args: value });
    for (const key of (tool.parameters as { required?: string[] }).required ?? []) expect(value).toHaveProperty(key);
    expect(Object.keys(value as object).length).toBeGreaterThan(0);
  });

  const nest = (depth: number): object =>
    depth === 0 ? S : { type: "object", properties: { inner: nest(depth - 1), more: I }, required: ["inner", "more"] };
  test.each<[string, RepairTool]>([
    ["members", toolOf({ level: { enum: ["low", "high"] }, kind: { const: "file" } }, ["level", "kind"])],
    [
      "lists",
      toolOf(
        {
          some: { type: "array", items: S, minItems: 2 },
          pair: { type: "array", prefixItems: [S, I], items: false, minItems: 2 },
        },
        ["some", "pair"],
      ),
    ],
    [
      "a nullable field",
      toolOf({ note: { anyOf: [{ type: "null" }, I] }, other: { type: ["null", "boolean"] } }, ["note", "other"]),
    ],
    [
      "a $ref",
      toolOf({ item: { $ref: "#/$defs/item" } }, ["item"], {
        $defs: { item: { type: "object", properties: { id: I }, required: ["id"], additionalProperties: false } },
      }),
    ],
    [
      "allOf",
      toolOf(
        {
          item: {
            allOf: [
              { type: "object", properties: { a: I }, required: ["a"] },
              { properties: { b: S }, required: ["b"] },
            ],
          },
        },
        ["item"],
      ),
    ],
    [
      "a tagged union",
      toolOf(
        {
          item: {
            oneOf: [
              { type: "object", properties: { kind: { const: "a" }, n: I }, required: ["kind", "n"] },
              { type: "object", properties: { kind: { const: "b" } }, required: ["kind"] },
            ],
          },
        },
        ["item"],
      ),
    ],
  ])("for %s passes the schema", (_, tool) => {
    const skeleton = skeletonOf(bounceOf(tool, [1, 2, 3]).text);
    expect(skeleton.length).toBeLessThanOrEqual(600);
    expect(compile(tool.parameters as object).errors(JSON.parse(skeleton))).toEqual([]);
  });

  test.each<[string, RepairTool]>([
    [
      "bounded numbers",
      toolOf(
        {
          a: { ...I, minimum: 5 },
          b: { ...I, maximum: -3 },
          c: { type: "number", exclusiveMinimum: 7 },
          d: { ...I, multipleOf: 4 },
        },
        ["a", "b", "c", "d"],
      ),
    ],
    ["bounded texts", toolOf({ short: { ...S, maxLength: 3 }, long: { ...S, minLength: 20 } }, ["short", "long"])],
    ["six levels", { name: "probe", parameters: nest(6) }],
    ["a pattern", toolOf({ id: { ...S, pattern: "^[0-9]{4}$" } }, ["id"])],
    ["a format", toolOf({ at: { ...S, format: "date-time" } }, ["at"])],
    ["unique items", toolOf({ tags: { type: "array", items: S, minItems: 2, uniqueItems: true } }, ["tags"])],
    ["a list of five", toolOf({ tags: { type: "array", items: I, minItems: 5 } }, ["tags"])],
    ["contains", toolOf({ tags: { type: "array", items: I, contains: { const: 7 } } }, ["tags"])],
    ["a least number of keys", toolOf({ map: { type: "object", additionalProperties: I, minProperties: 2 } }, ["map"])],
    ["not", toolOf({ mode: { ...S, not: { const: "<mode>" } } }, ["mode"])],
    [
      "a condition",
      toolOf({ kind: S }, ["kind"], { else: { required: ["size"] }, if: { properties: { kind: { const: "x" } } } }),
    ],
    ["a dependent field", toolOf({ a: I, b: I }, ["a"], { dependentRequired: { a: ["b"] } })],
  ])("for %s passes the schema or is left out", (_, tool) => {
    const skeleton = skeletonOf(bounceOf(tool, [1, 2, 3]).text);
    if (!skeleton.startsWith("{")) return;
    expect(skeleton.length).toBeLessThanOrEqual(600);
    expect(compile(tool.parameters as object, { formats }).errors(JSON.parse(skeleton))).toEqual([]);
  });

  test("of a schema that needs more than 600 characters is left out or short", () => {
    const names = Array.from({ length: 100 }, (_, i) => `required_property_${i}`);
    const { text } = bounceOf(toolOf(Object.fromEntries(names.map((name) => [name, S])), names), {});
    for (const line of text.split("\n")) if (line.startsWith("{")) expect(line.length).toBeLessThanOrEqual(600);
  });

  test("of a schema without end is short", () => {
    const node = { type: "object", properties: { child: { $ref: "#/$defs/node" } }, required: ["child"] };
    const { text } = bounceOf(toolOf({ node: { $ref: "#/$defs/node" } }, ["node"], { $defs: { node } }), {});
    expect(text.length).toBeLessThan(1_500);
  });
});
