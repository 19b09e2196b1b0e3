// The drop-in `validateToolArguments` and `validateToolCall`: upstream's signatures, beside upstream's own functions.

import {
  type Tool,
  type ToolCall,
  validateToolArguments as upstreamArguments,
  validateToolCall as upstreamCall,
} from "@earendil-works/pi-ai";
import { arr, int, obj, opt, str } from "@earendil-works/pi-schema";
import { describe, expect, test } from "vitest";
import * as pai from "../src/index.ts";
import {
  type HintedTool,
  ToolArgumentsError,
  validateToolArguments,
  validateToolCall,
} from "../src/utils/validation.ts";

const tool: HintedTool = {
  name: "tag_file",
  description: "",
  parameters: obj({ path: str(), tags: opt(arr(str())), limit: opt(int()) }),
};

const callOf = (args: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  type: "toolCall",
  id: "call_1",
  name: "tag_file",
  arguments: args as ToolCall["arguments"],
  ...more,
});

const thrown = (run: () => unknown): Error => {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected a throw");
};

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

describe("validateToolArguments", () => {
  test("hands back the same reference for valid arguments", () => {
    const args = { path: "a", tags: ["x"] };
    expect(validateToolArguments(tool, callOf(args))).toBe(args);
  });

  test("hands back a repaired value and leaves the call as it was", () => {
    const call = deepFreeze(callOf({ path: "a", tags: '["x","y"]', limit: null }));
    const before = JSON.stringify(call);
    expect(validateToolArguments(tool, call)).toEqual({ path: "a", tags: ["x", "y"] });
    expect(JSON.stringify(call)).toBe(before);
  });

  test.each<[string, unknown, unknown]>([
    ["a quoted list, which upstream runs as one item", { path: "a", tags: '["x"]' }, { path: "a", tags: ["x"] }],
    ["a null optional", { path: "a", limit: null }, { path: "a" }],
    ["a number for a text", { path: 5 }, { path: "5" }],
    ["one item for a list", { path: "a", tags: "x" }, { path: "a", tags: ["x"] }],
  ])("repairs %s", (_, args, wanted) => {
    expect(validateToolArguments(tool, callOf(args))).toEqual(wanted);
  });

  test.each<[string, unknown]>([
    ["a required null, which upstream runs as a text", { path: null }],
    ["a fraction for an integer, which upstream cuts", { path: "a", limit: "4.5" }],
    ["an integer beyond 2^53, which upstream rounds", { path: "a", limit: "9007199254740993" }],
  ])("bounces %s", (_, args) => {
    expect(() => upstreamArguments(tool, callOf(args))).not.toThrow();
    expect(() => validateToolArguments(tool, callOf(args))).toThrow(ToolArgumentsError);
  });

  test("throws a ToolArgumentsError with the failures and the text a model reads", () => {
    const error = thrown(() => validateToolArguments(tool, callOf({ limit: "many" })));
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("ToolArgumentsError");
    const { failures, message } = error as ToolArgumentsError;
    expect(failures.map(({ path, got }) => [path, got]).toSorted()).toEqual([
      ["/limit", "string"],
      ["/path", "missing"],
    ]);
    expect(message).toMatch(/^Invalid arguments for tool "tag_file": the call was not run\./);
    for (const place of ["limit: expected", "path: expected"]) expect(message).toContain(place);
    expect(message).not.toContain("many");
  });

  test.each([undefined, {}, { path: "a" }])(
    "forwards argumentsError as upstream says it, with arguments %j",
    (args) => {
      const call = callOf(args, { argumentsError: "Unexpected end of JSON input" });
      const upstream = thrown(() => upstreamArguments(tool, call));
      const ours = thrown(() => validateToolArguments(tool, call));
      expect(ours.message).toBe(upstream.message);
      expect(ours.message).toContain("Unexpected end of JSON input");
    },
  );

  test("applies a tool's hints", () => {
    const hinted: HintedTool = { ...tool, hints: { aliases: { path: ["where"] } } };
    expect(validateToolArguments(hinted, callOf({ where: "a" }))).toEqual({ path: "a" });
    expect(() => validateToolArguments(tool, callOf({ where: "a" }))).toThrow(ToolArgumentsError);
  });

  test.each<[string, unknown]>([
    ["a pattern that does not compile", { type: "object", properties: { path: { type: "string", pattern: "(" } } }],
    ["a property that is no schema", { type: "object", properties: { path: 5 } }],
  ])("treats %s as upstream does", (_, parameters) => {
    const broken = { name: "tag_file", description: "", parameters } as unknown as Tool;
    const call = callOf({ path: "a" });
    const upstream = thrown(() => upstreamArguments(broken, call));
    const ours = thrown(() => validateToolArguments(broken, call));
    expect([ours.constructor, ours.message]).toEqual([upstream.constructor, upstream.message]);
    expect(ours).not.toBeInstanceOf(ToolArgumentsError);
  });

  test.each([undefined, null, true, false, {}])("treats parameters %j as upstream does", (parameters) => {
    const bare = { name: "tag_file", description: "", parameters } as unknown as Tool;
    const outcome = (run: typeof upstreamArguments): unknown => {
      try {
        return { value: run(bare, callOf({ anything: 1 })) as unknown };
      } catch (error) {
        return { message: (error as Error).message };
      }
    };
    expect(outcome(validateToolArguments)).toEqual(outcome(upstreamArguments));
  });

  test("a dangling $ref refuses only the value at its place, as upstream does", () => {
    const parameters = { type: "object", properties: { a: { $ref: "#/$defs/none" }, n: { type: "integer" } } };
    const dangling = { name: "tag_file", description: "", parameters } as unknown as Tool;
    expect(validateToolArguments(dangling, callOf({ n: "1" }))).toEqual({ n: 1 });
    expect(upstreamArguments(dangling, callOf({ n: "1" }))).toEqual({ n: 1 });
    expect(() => upstreamArguments(dangling, callOf({ a: 1 }))).toThrow();
    expect(() => validateToolArguments(dangling, callOf({ a: 1 }))).toThrow(ToolArgumentsError);
  });
});

describe("validateToolCall", () => {
  const other: HintedTool = { name: "other", description: "", parameters: obj({ n: int() }) };

  test("validates against the tool that the call names", () => {
    const args = { path: "a" };
    expect(validateToolCall([other, tool], callOf(args))).toBe(args);
    expect(validateToolCall([tool, other], callOf({ n: "5" }, { name: "other" }))).toEqual({ n: 5 });
    expect(() => validateToolCall([other, tool], callOf({ n: 5 }))).toThrow(ToolArgumentsError);
  });

  test.each(["Tag_File", "", "constructor"])("refuses the unknown tool %j as upstream does", (name) => {
    const call = callOf({ path: "a" }, { name });
    const upstream = thrown(() => upstreamCall([other, tool], call));
    const ours = thrown(() => validateToolCall([other, tool], call));
    expect(ours.message).toBe(upstream.message);
    expect(ours).not.toBeInstanceOf(ToolArgumentsError);
    expect(thrown(() => validateToolCall([], call)).message).toBe(upstream.message);
  });

  test("forwards argumentsError as upstream says it", () => {
    const call = callOf({}, { argumentsError: "bad JSON" });
    expect(thrown(() => validateToolCall([tool], call)).message).toBe(thrown(() => upstreamCall([tool], call)).message);
  });
});

describe("the package", () => {
  test("exports these functions in the place of upstream's, and everything else of upstream", async () => {
    const upstream = await import("@earendil-works/pi-ai");
    expect(pai.validateToolArguments).toBe(validateToolArguments);
    expect(pai.validateToolCall).toBe(validateToolCall);
    expect(pai.ToolArgumentsError).toBe(ToolArgumentsError);
    const replaced = new Set(["validateToolArguments", "validateToolCall"]);
    for (const [name, value] of Object.entries(upstream)) {
      expect(pai).toHaveProperty(name);
      if (!replaced.has(name)) expect([name, (pai as Record<string, unknown>)[name] === value]).toEqual([name, true]);
    }
  });
});
