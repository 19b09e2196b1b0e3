// Size: huge texts, many keys, deep nesting, many faults, wide schemas. Each has a clear outcome, nothing throws, and
// four times the size costs about four times the time, measured in the same run.

import { describe, expect, test } from "vitest";
import { formatBounce } from "../src/utils/tool-repair/bounce.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";
import type { RepairResult, RepairTool, ToolHints } from "../src/utils/tool-repair/types.ts";

const S = { type: "string" };
const I = { type: "integer" };
const list = (items: object) => ({ type: "array", items });
const toolOf = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
  hints?: ToolHints,
): RepairTool => ({
  name: "probe",
  parameters: { type: "object", properties, required, ...more },
  hints,
});
const run = (tool: RepairTool, args: unknown): RepairResult => {
  const result = repairToolArguments(tool, args);
  if (result.outcome === "bounced") expect(formatBounce(result, tool).length).toBeLessThan(6_000);
  return result;
};
const outcome = (tool: RepairTool, args: unknown) => run(tool, args).outcome;
const argsOf = (result: RepairResult) => (result.outcome === "bounced" ? undefined : result.args);

const MB10 = 10 * 1024 * 1024;

describe("texts of 10 MB", () => {
  const text = "x".repeat(MB10);
  const lines = "a, b\n".repeat(MB10 / 5);

  test("where text is expected is clean", () => {
    expect(outcome(toolOf({ content: S }, ["content"]), { content: text })).toBe("clean");
  });

  test("beside a fault is the same string", () => {
    const result = run(toolOf({ content: S, limit: I }), { content: text, limit: "5" });
    expect(argsOf(result)).toEqual({ content: text, limit: 5 });
  });

  test.each<[string, object, string, string]>([
    ["for a number", I, text, "bounced"],
    ["of digits for a number", I, "9".repeat(MB10), "bounced"],
    ["of white space for a number", I, " ".repeat(MB10), "bounced"],
    ["for a boolean", { type: "boolean" }, text, "bounced"],
    ["for a member", { enum: ["low", "high"] }, text, "bounced"],
    ["for an object", { type: "object" }, text, "bounced"],
    ["of open braces for an object", { type: "object" }, "{".repeat(MB10), "bounced"],
    ["of open brackets for a list", list(S), "[".repeat(MB10), "bounced"],
    ["of commas in brackets for a list", list(S), `[${",".repeat(MB10)}]`, "bounced"],
    ["of lines for a list", list(S), lines, "bounced"],
    ["of tags for a list", list(S), "<item>".repeat(MB10 / 6), "bounced"],
    ["of dashes for a range", { ...list(I), minItems: 2, maxItems: 2 }, "1-".repeat(MB10 / 2), "bounced"],
    ["of leaked tags for a member", { enum: ["low"] }, "<arg_key>".repeat(MB10 / 9), "bounced"],
    ["for a text with a pattern", { type: "string", pattern: "^[a-z]$" }, `^${text}$`, "bounced"],
  ])("%s", (_, field, value, wanted) => {
    expect(outcome(toolOf({ field }, ["field"]), { field: value })).toBe(wanted);
  });

  test("of JSON for a list is the list", () => {
    const items = Array.from({ length: 100_000 }, (_, i) => ({ id: i, note: "n".repeat(60) }));
    const tool = toolOf({ rows: list({ type: "object", properties: { id: I, note: S }, required: ["id"] }) });
    const result = run(tool, { rows: JSON.stringify(items) });
    expect(result.outcome).toBe("repaired");
    expect((argsOf(result) as { rows: unknown[] }).rows.length).toBe(items.length);
  });

  test("of cut JSON for a list bounces", () => {
    const cut = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, note: "n".repeat(60) }))).slice(0, -1);
    expect(outcome(toolOf({ rows: list({ type: "object" }) }), { rows: cut })).toBe("bounced");
  });

  test("as a path keep their inner markup", () => {
    const tool = toolOf({ path: S }, ["path"], {}, { pathFields: ["path"] });
    expect(outcome(tool, { path: `${"[".repeat(MB10)})` })).toBe("clean");
    expect(outcome(tool, { path: `a${"\n".repeat(MB10)}` })).toBe("repaired");
  });

  test("as a key", () => {
    const tool = toolOf({ field: I }, ["field"], { additionalProperties: false });
    expect(outcome(tool, { [text]: 1 })).toBe("bounced");
    expect(outcome(tool, { [`field${".a".repeat(MB10 / 2)}`]: 1 })).toBe("bounced");
    expect(outcome(tool, { ["`".repeat(MB10)]: 1 })).toBe("bounced");
  });

  test("as the whole arguments", () => {
    expect(argsOf(run(toolOf({ content: S }, ["content"]), text))).toEqual({ content: text });
    expect(outcome(toolOf({ a: S, b: S }, ["a", "b"]), text)).toBe("bounced");
  });
});

describe("100,000 keys", () => {
  const many = (value: unknown) => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key_${i}`, value]));

  test("in an open object are kept beside a repair", () => {
    const result = run(toolOf({ limit: I }), { ...many("x"), limit: "5" });
    expect(argsOf(result)).toEqual({ ...many("x"), limit: 5 });
  });

  test("beside a misspelled required field are kept", () => {
    const result = run(toolOf({ file_name: S }, ["file_name"]), { ...many(1), fileName: "a" });
    expect(argsOf(result)).toEqual({ ...many(1), file_name: "a" });
  });

  test("that nobody declared are clean in an open object, whatever spellings the hints name", () => {
    const tool = toolOf({ path: S, limit: I }, [], {}, { aliases: { path: ["file"], limit: ["count"] } });
    for (const n of [1, 31, 32, 33, 100, 9_000]) {
      const args = Object.fromEntries(Array.from({ length: n }, (_, i) => [`key_${i}`, "x"]));
      expect([n, repairToolArguments(tool, args)]).toEqual([n, { outcome: "clean", args }]);
    }
    const args = many("x");
    expect(repairToolArguments(tool, args).outcome).toBe("clean");
  });

  test("in a closed object bounce", () => {
    expect(outcome(toolOf({ limit: I }, [], { additionalProperties: false }), many("x"))).toBe("bounced");
  });

  test("of an index map are read", () => {
    const map = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [String(i), i]));
    const result = run(toolOf({ ids: list(I) }), { ids: map });
    expect(argsOf(result)).toEqual({ ids: Object.values(map) });
  });
});

describe("nesting of 10,000 levels", () => {
  const nested = (leaf: unknown, wrap: (inner: unknown) => unknown, depth = 10_000) => {
    let value = leaf;
    for (let i = 0; i < depth; i++) value = wrap(value);
    return value;
  };
  const lists = nested(1, (inner) => [inner]);
  const objects = nested(1, (inner) => ({ a: inner }));
  const tree = {
    type: "object",
    properties: { size: I, child: { $ref: "#" } },
    additionalProperties: false,
  };

  test("where anything is allowed is kept beside a repair", () => {
    const tool = toolOf({ limit: I, free: {} });
    for (const free of [lists, objects]) {
      const result = run(tool, { limit: "5", free });
      expect(result.outcome).toBe("repaired");
      expect((argsOf(result) as { free: unknown }).free).toBe(free);
    }
  });

  test("where a scalar is expected bounces", () => {
    for (const field of [lists, objects]) expect(outcome(toolOf({ field: I }), { field })).toBe("bounced");
  });

  test("a fault at the bottom of a recursive schema bounces", () => {
    const deep = nested({ size: "1" }, (child) => ({ child }));
    expect(outcome({ name: "probe", parameters: tree }, deep)).toBe("bounced");
  });

  test("a fault above the depth limit of a recursive schema is repaired", () => {
    const shallow = nested({ size: "1" }, (child) => ({ child }), 100);
    expect(outcome({ name: "probe", parameters: tree }, shallow)).toBe("repaired");
  });

  test("inside a string", () => {
    const text = "[".repeat(10_000) + "]".repeat(10_000);
    expect(["repaired", "bounced"]).toContain(outcome(toolOf({ field: { type: "array" } }), { field: text }));
    expect(outcome(toolOf({ field: list(I) }), { field: text })).toBe("bounced");
    expect(outcome(toolOf({ field: { type: "object" } }), { field: '{"a":'.repeat(10_000) })).toBe("bounced");
  });

  test("of wrappers around the arguments", () => {
    const wrapped = nested({ path: "a" }, (inner) => ({ arguments: inner }));
    expect(outcome(toolOf({ path: S }, ["path"]), wrapped)).toBe("bounced");
    expect(
      outcome(
        toolOf({ path: S }, ["path"]),
        nested({ path: "a" }, (inner) => [inner]),
      ),
    ).toBe("bounced");
  });

  test("of the schema itself never throws", () => {
    const schema = nested({ type: "integer" }, (inner) => ({
      type: "object",
      properties: { a: inner },
      required: ["a"],
    }));
    expect(() => repairToolArguments({ name: "probe", parameters: schema }, objects)).not.toThrow();
    expect(() => repairToolArguments({ name: "probe", parameters: schema }, { a: "1" })).not.toThrow();
    const unions = nested({ type: "integer" }, (inner) => ({ anyOf: [inner, { type: "null" }] }), 2_000);
    expect(() => repairToolArguments(toolOf({ field: unions as object }), { field: "1" })).not.toThrow();
  });
});

describe("10,000 faults", () => {
  const quoted = (n: number) => Array.from({ length: n }, (_, i) => String(i));

  test("in a list are all repaired, with one note", () => {
    const result = run(toolOf({ ids: list(I) }), { ids: quoted(10_000) });
    expect(argsOf(result)).toEqual({ ids: quoted(10_000).map(Number) });
    expect(result.outcome === "repaired" && result.repairs.length).toBe(1);
  });

  test("in the items of a list are all repaired, with one note a field", () => {
    const rows = quoted(5_000).map((id) => ({ id, note: null }));
    const tool = toolOf({ rows: list({ type: "object", properties: { id: I, note: S }, required: ["id"] }) });
    const result = run(tool, { rows });
    expect(argsOf(result)).toEqual({ rows: rows.map(({ id }) => ({ id: Number(id) })) });
    expect(result.outcome === "repaired" && result.repairs.length).toBe(2);
  });

  test("and one more bounce as a whole, never in part", () => {
    const result = run(toolOf({ ids: list(I) }), { ids: quoted(10_001) });
    expect(result).toMatchObject({ outcome: "bounced", failures: [{ keyword: "maxErrors" }] });
  });

  test("one that cannot be repaired bounces all", () => {
    expect(outcome(toolOf({ ids: list(I) }), { ids: [...quoted(5_000), "x", ...quoted(4_000)] })).toBe("bounced");
  });
});

describe("schemas of 5,000 properties", () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `field_${i}`);
  const wide = (required: readonly string[], more: object = {}) =>
    toolOf(Object.fromEntries(names.map((name) => [name, I])), required, more);

  test("every field quoted is repaired", () => {
    const result = run(wide(names), Object.fromEntries(names.map((name, i) => [name, String(i)])));
    expect(argsOf(result)).toEqual(Object.fromEntries(names.map((name, i) => [name, i])));
  });

  test("every key misspelled is renamed", () => {
    const tool = wide(names, { additionalProperties: false });
    const result = run(tool, Object.fromEntries(names.map((name, i) => [name.replace("_", "-"), i])));
    expect(argsOf(result)).toEqual(Object.fromEntries(names.map((name, i) => [name, i])));
  });

  test("nothing sent bounces", () => {
    expect(outcome(wide(names), {})).toBe("bounced");
  });

  test("a union of 1,000 constants", () => {
    const anyOf = Array.from({ length: 1_000 }, (_, i) => ({ const: `word-${i}` }));
    expect(outcome(toolOf({ field: { enum: anyOf.map((one) => one.const) } }), { field: "WORD_999" })).toBe("repaired");
    expect(() => outcome(toolOf({ field: { anyOf } }), { field: "WORD_999" })).not.toThrow();
  });
});

const CLOSED = { additionalProperties: false };

describe("cost grows with size, not faster", () => {
  /** How much longer four times the size takes: the best of several interleaved runs of each, after a warm-up. */
  type Made = { tool: RepairTool; args: unknown; wanted: string };

  /** @param isNew every run has a tool of its own, whose schema no run before has looked at */
  function growth(make: (n: number) => Made, n: number, isNew = false): number {
    const made = new Map([n, 4 * n].map((size) => [size, make(size)]));
    const time = (size: number) => {
      const { tool, args, wanted } = isNew ? make(size) : made.get(size)!;
      const start = performance.now();
      const { outcome } = repairToolArguments(tool, args);
      const took = performance.now() - start;
      expect(outcome).toBe(wanted);
      return took;
    };
    let [shortest, longest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    time(n);
    for (let i = 0; i < 8; i++) {
      shortest = Math.min(shortest, time(n));
      longest = Math.min(longest, time(4 * n));
    }
    return longest / shortest;
  }

  const numbered = (name: string, n: number, schema: object) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`${name}${i}`, schema]));

  const field = (schema: object, value: unknown, wanted: string) => ({
    tool: toolOf({ field: schema }, ["field"]),
    args: { field: value },
    wanted,
  });

  test.each<[string, number, (n: number) => Made]>([
    [
      "quoted numbers in a list",
      2_000,
      (n) =>
        field(
          list(I),
          Array.from({ length: n }, (_, i) => String(i)),
          "repaired",
        ),
    ],
    [
      "quoted numbers in the fields of one branch of two",
      400,
      (n) => {
        const branch = (name: string) => ({ type: "object", properties: numbered(name, n, I), required: [`${name}0`] });
        const value = Object.fromEntries(Array.from({ length: n }, (_, i) => [`a${i}`, String(i)]));
        return field({ anyOf: [branch("a"), branch("b")] }, value, "repaired");
      },
    ],
    [
      "quoted numbers in fields",
      1_000,
      (n) => ({
        tool: toolOf(Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, I]))),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, "1"])),
        wanted: "repaired",
      }),
    ],
    [
      "keys that nobody declared, beside as many declared fields",
      500,
      (n) => ({
        tool: toolOf(Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, I])), [], CLOSED),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`other${i}`, i])),
        wanted: "bounced",
      }),
    ],
    [
      "keys that nobody declared with the texts of the declared fields",
      500,
      (n) => ({
        tool: toolOf(Object.fromEntries(Array.from({ length: n }, (_, i) => [`field${i}`, S])), [], CLOSED),
        args: Object.fromEntries(
          Array.from({ length: n }, (_, i) => [`field${i}`, "x"]).concat(
            Array.from({ length: n }, (_, i) => [`my_field${i}`, "x"]),
          ),
        ),
        wanted: "bounced",
      }),
    ],
    [
      "nulls in the objects of a list",
      1_000,
      (n) =>
        field(
          list({ type: "object", properties: { note: S } }),
          Array.from({ length: n }, () => ({ note: null })),
          "repaired",
        ),
    ],
    [
      "objects quoted in a list",
      1_000,
      (n) =>
        field(
          list({ type: "object", properties: { a: I }, required: ["a"] }),
          Array.from({ length: n }, () => '{"a":1}'),
          "repaired",
        ),
    ],
    [
      "misspelled keys in the objects of a list",
      1_000,
      (n) =>
        field(
          list({ type: "object", properties: { file_name: S }, required: ["file_name"] }),
          Array.from({ length: n }, () => ({ fileName: "a" })),
          "repaired",
        ),
    ],
    [
      "misspelled keys of one object",
      500,
      (n) => ({
        tool: toolOf(
          Object.fromEntries(Array.from({ length: n }, (_, i) => [`f_${i}`, I])),
          Array.from({ length: n }, (_, i) => `f_${i}`),
        ),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`F-${i}`, 1])),
        wanted: "repaired",
      }),
    ],
    [
      "empty undeclared keys",
      1_000,
      (n) => ({
        tool: toolOf({}, [], { additionalProperties: false }),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, ""])),
        wanted: "repaired",
      }),
    ],
    [
      "undeclared keys with text",
      500,
      (n) => ({
        tool: toolOf({}, [], { additionalProperties: false }),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, `v${i}`])),
        wanted: "bounced",
      }),
    ],
    [
      "flattened keys",
      500,
      (n) => ({
        tool: toolOf({ rows: list({ type: "object", properties: { a: I } }) }, ["rows"]),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`rows[${i}].a`, i])),
        wanted: "repaired",
      }),
    ],
    [
      "missing fields with long texts",
      250,
      (n) => ({
        tool: toolOf(
          Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, S])),
          Array.from({ length: n }, (_, i) => `f${i}`),
        ),
        args: { g: "<parameter ".repeat(40) },
        wanted: "bounced",
      }),
    ],
    [
      "a JSON list in a string",
      20_000,
      (n) => field(list(I), JSON.stringify(Array.from({ length: n }, (_, i) => i)), "repaired"),
    ],
    [
      "a leniently read list in a string",
      10_000,
      (n) => field(list(S), `[${Array.from({ length: n }, () => "'a'").join(", ")}]`, "repaired"),
    ],
    ["tags in a string", 20_000, (n) => field(list(S), "<item>a</item>".repeat(n), "repaired")],
    [
      "members in a comma list",
      20_000,
      (n) => field(list({ enum: ["a", "b"] }), Array.from({ length: n }, () => "a").join(","), "repaired"),
    ],
    ["leaked tags in a string", 20_000, (n) => field({ enum: ["a"] }, "a</arg_value><arg_key>".repeat(n), "bounced")],
    [
      "words of a command",
      20_000,
      (n) => ({
        tool: toolOf({ command: S }, ["command"]),
        args: { command: Array.from({ length: n }, () => "it's") },
        wanted: "repaired",
      }),
    ],
    [
      "missing fields beside texts that hold a parameter",
      500,
      (n) => ({
        tool: toolOf(
          Object.fromEntries(Array.from({ length: 2 * n }, (_, i) => [`f${i}`, S])),
          Array.from({ length: 2 * n }, (_, i) => `f${i}`),
        ),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, '<parameter name="other">'])),
        wanted: "bounced",
      }),
    ],
    [
      "missing lists beside undeclared keys",
      300,
      (n) => ({
        tool: toolOf(
          Object.fromEntries(
            Array.from({ length: n }, (_, i) => [
              `f${i}`,
              list({ type: "object", properties: { a: S }, required: ["a"] }),
            ]),
          ),
          Array.from({ length: n }, (_, i) => `f${i}`),
        ),
        args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, "x"])),
        wanted: "bounced",
      }),
    ],
    [
      // pi-schema's own check of a word walks the members, so their number stays the same.
      "words for a hundred members",
      400,
      (n) =>
        field(
          list({ enum: Array.from({ length: 100 }, (_, i) => `word-${i}`) }),
          Array.from({ length: n }, (_, i) => `WORD_${i % 100}`),
          "repaired",
        ),
    ],
    [
      "words for a thousand members",
      200,
      (n) =>
        field(
          list({ enum: Array.from({ length: 1_000 }, (_, i) => `word-${i}`) }),
          Array.from({ length: n }, (_, i) => `WORD_${i}`),
          "repaired",
        ),
    ],
    [
      "items of a tagged union",
      1_000,
      (n) =>
        field(
          list({
            anyOf: ["a", "b"].map((kind) => ({
              type: "object",
              properties: { kind: { const: kind }, n: I },
              required: ["kind", "n"],
            })),
          }),
          Array.from({ length: n }, (_, i) => ({ kind: i % 2 ? "a" : "b", n: "1" })),
          "repaired",
        ),
    ],
  ])("%s", (_, n, make) => isLinear(make, n));

  test("quoted numbers in fields that refer to definitions of a schema that is new", () => {
    const quoted = (n: number) => ({
      tool: toolOf(
        Object.fromEntries(
          Array.from({ length: n }, (_, i) => [`f${i}`, { $ref: `#/$defs/d${i}`, title: "A number" }]),
        ),
        [],
        { $defs: numbered("d", n, I) },
      ),
      args: Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, String(i)])),
      wanted: "repaired",
    });
    isLinear(quoted, 400, true);
  });

  function isLinear(make: (n: number) => Made, n: number, isNew = false): void {
    // Load on the machine can spoil one try, never three of linear work.
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && least >= 11; attempt++) least = Math.min(least, growth(make, n, isNew));
    expect(least).toBeLessThan(11);
  }
});
