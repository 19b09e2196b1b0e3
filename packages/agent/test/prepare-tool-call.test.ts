// The one step before a call runs: name, argument text, schema, and what the block looks like afterwards.
import type { ToolCall } from "@earendil-works/pi-ai";
import { parseToolCallArguments } from "@earendil-works/pi-ai/utils/json-parse";
import { describe, expect, it } from "vitest";
import { prepareToolCall, type ToolLookup } from "../src/prepare-tool-call.ts";

const show = {
  type: "object",
  properties: { path: { type: "string" }, limit: { type: "integer" } },
  required: ["path"],
};
const tag = {
  type: "object",
  properties: { card: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
  required: ["card", "labels"],
  additionalProperties: false,
};
const ping = { type: "object", properties: { loud: { type: "boolean" } }, additionalProperties: false };

const TOOLS: ToolLookup = new Map(
  Object.entries({ show, tag, ping }).map(([name, parameters]) => [name, { name, parameters }]),
);

function call(name: string, args: ToolCall["arguments"], more: Partial<ToolCall> = {}): ToolCall {
  return { type: "toolCall", id: "call_1", name, arguments: args, ...more };
}

/** A call as pi-ai leaves it when it was sent as this text. */
function sentAs(text: string, name = "show"): ToolCall {
  return { type: "toolCall", id: "call_1", name, ...parseToolCallArguments(text) };
}

function prepare(block: ToolCall) {
  return prepareToolCall(block, TOOLS, {});
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part);
  return value;
}

describe("a clean call", () => {
  it.each([
    ["with all fields", call("show", { path: "a.md", limit: 3 })],
    ["with the required ones", call("show", { path: "a.md" })],
    ["without arguments", call("ping", {})],
    ["with extra fields on the block", call("show", { path: "a.md" }, { thoughtSignature: "sig" })],
  ])("comes back as the same block: %s", (_kind, block) => {
    const result = prepare(frozen(block));
    expect(result.outcome).toBe("clean");
    expect(result.block).toBe(block);
  });
});

describe("a repaired call", () => {
  it("is a new block with the repaired arguments and the record of what was sent", () => {
    const block = frozen(call("tag", { card: "K", labels: '["a"]' }, { thoughtSignature: "sig" }));
    const result = prepare(block);
    if (result.outcome !== "repaired") throw new Error("must be repaired");
    expect(result.block).toEqual({
      type: "toolCall",
      id: "call_1",
      name: "tag",
      thoughtSignature: "sig",
      arguments: { card: "K", labels: ["a"] },
      repair: { names: ["jsonStringParse"], original: { card: "K", labels: '["a"]' } },
    });
    expect(result.repairs.map((repair) => repair.name)).toEqual(["jsonStringParse"]);
  });

  it("keeps the name that was sent when another one runs", () => {
    const result = prepare(frozen(call("Show", { path: "a.md" })));
    if (result.outcome !== "repaired") throw new Error("must be repaired");
    expect(result.block.name).toBe("show");
    expect(result.block.repair).toEqual({
      names: ["toolNameResolved"],
      original: { path: "a.md" },
      originalName: "Show",
    });
    expect(result.repairs[0].note).toContain("`show`");
  });

  it("lists name, reading and schema repairs in the order they were made", () => {
    const result = prepare(sentAs("{'path': 'a.md', 'limit': '3'}", "functions.show"));
    if (result.outcome !== "repaired") throw new Error("must be repaired");
    expect(result.block.arguments).toEqual({ path: "a.md", limit: 3 });
    expect(result.block.repair.names).toEqual(["toolNameResolved", "rawArgumentsRead", "numberFromString"]);
  });

  it.each([
    ["single quotes", "{'path': 'a.md'}", { path: "a.md" }],
    ["a code fence", '```json\n{"path":"a.md"}\n```', { path: "a.md" }],
    ["double encoding", JSON.stringify(JSON.stringify({ path: "a.md" })), { path: "a.md" }],
    [
      "the mark of the error inside the text",
      `{'path': '\n\nReceived arguments:\n{}'}`,
      { path: "\n\nReceived arguments:\n{}" },
    ],
  ])("may come from text that is no strict JSON object: %s", (_kind, text, args) => {
    const block = frozen(sentAs(text));
    expect(block.argumentsError).toBeDefined();
    const result = prepare(block);
    if (result.outcome !== "repaired") throw new Error(`must be repaired: ${JSON.stringify(result)}`);
    expect(result.block.arguments).toEqual(args);
    expect(result.block).not.toHaveProperty("argumentsError");
    expect(result.block.repair.original).toBe(text);
    expect(result.block.repair.names).toContain("rawArgumentsRead");
  });

  it("may come from a bare string, which needs no lenient reading", () => {
    const result = prepare(sentAs('"a.md"'));
    if (result.outcome !== "repaired") throw new Error("must be repaired");
    expect(result.block.arguments).toEqual({ path: "a.md" });
    expect(result.block.repair.names).not.toContain("rawArgumentsRead");
    expect(result.block.repair.original).toBe('"a.md"');
  });

  it("may come from a list of one object", () => {
    const result = prepare(sentAs('[{"path":"a.md"}]'));
    expect(result.outcome).toBe("repaired");
    expect(result.block.arguments).toEqual({ path: "a.md" });
  });

  it("keeps what an earlier step recorded", () => {
    const earlier = { names: ["rawArgumentsRead"], original: "{'path':" };
    const block = { ...call("show", { path: "a.md", limit: "3" }), repair: earlier };
    const result = prepare(frozen(block));
    if (result.outcome !== "repaired") throw new Error("must be repaired");
    expect(result.block.repair).toEqual({ names: ["rawArgumentsRead", "numberFromString"], original: "{'path':" });
  });

  it("passes as clean when it is prepared again", () => {
    const first = prepare(sentAs("{'path': 'a.md'}", "Show"));
    expect(prepare(first.block)).toEqual({ outcome: "clean", block: first.block });
  });
});

describe("a bounced call", () => {
  it("keeps its arguments, carries the message as its error, and has no repair record", () => {
    const args = { card: "K", labels: null };
    const result = prepare(frozen(call("tag", args)));
    if (result.outcome !== "bounced") throw new Error("must bounce");
    expect(result.block).toEqual({
      type: "toolCall",
      id: "call_1",
      name: "tag",
      arguments: args,
      argumentsError: result.message,
    });
    expect(result.message).toContain("labels");
    expect(result.failures?.[0]).toMatchObject({ path: "/labels", got: "null", required: true });
    expect(result).not.toHaveProperty("unknownTool");
  });

  it.each(["tag", "no_such_tool"])(
    "has an object for arguments whatever came, so that it can be replayed: %s",
    (name) => {
      for (const args of ["text", 5, null, [1], [["a"]]]) {
        const result = prepare(frozen(call(name, args as never)));
        expect(result.outcome).toBe("bounced");
        expect(result.block.arguments).toEqual({});
      }
    },
  );

  it("stands under the tool's name, so that a host finds the tool and reports the message", () => {
    const result = prepare(frozen(call("Tag", { card: "K" })));
    expect(result.outcome).toBe("bounced");
    expect(result.block.name).toBe("tag");
  });

  it.each([
    ["cut off", '{"path":"secret-half', /cut off/],
    ["cut off after a value", '{"path":"secret","limit":3', /cut off/],
    ["broken inside a string", '{"path":"secret "inner" more"}', /not valid JSON|more than one/],
    ["two different objects", '{"path":"secret-a"}{"path":"secret-b"}', /more than one/],
    ["plain text", "please show secret", /not valid JSON|not a JSON object/],
  ])("says what is wrong with the text and never echoes it: %s", (_kind, text, message) => {
    const result = prepare(sentAs(text));
    if (result.outcome !== "bounced") throw new Error("must bounce");
    expect(result.message).toMatch(message);
    expect(result.message).toContain('"path"');
    expect(result.message).not.toContain("secret");
    expect(result.block.argumentsError).toBe(result.message);
    expect(result.block.arguments).toEqual({});
  });

  it("keeps an error that an earlier step wrote for the model", () => {
    const block = frozen(call("show", {}, { argumentsError: "The arguments were cut off after 12 characters." }));
    const result = prepare(block);
    expect(result).toEqual({ outcome: "bounced", block, message: block.argumentsError });
    expect(result.block).toBe(block);
  });

  it("knows why the guard found no arguments in a text", () => {
    const argumentsError =
      "The arguments were cut off before the JSON ended (cut off after 12 characters). Nothing was run. Send it again.";
    expect(prepare(call("show", {}, { argumentsError }))).toMatchObject({
      outcome: "bounced",
      unreadable: "truncated",
    });
  });

  it("bounces the same way when it is prepared again", () => {
    const first = prepare(call("tag", { card: "K", labels: null }));
    if (first.outcome !== "bounced") throw new Error("must bounce");
    const second = prepare(first.block);
    expect(second).toMatchObject({ outcome: "bounced", message: first.message });
    expect(second.block).toBe(first.block);
  });

  it("of an unknown tool lists the valid names and says that there is no tool", () => {
    const result = prepare(frozen(call("Glob", { pattern: "*" })));
    expect(result).toEqual({
      outcome: "bounced",
      message: 'Tool "Glob" not found. Valid tool names: show, tag, ping.',
      block: call(
        "Glob",
        { pattern: "*" },
        { argumentsError: 'Tool "Glob" not found. Valid tool names: show, tag, ping.' },
      ),
      unknownTool: true,
    });
  });

  it.each([
    ["empty", ""],
    ["with spaces", "show the file"],
    ["markup", "<invoke name=x>"],
    ["very long", "x".repeat(500)],
  ])("of an unknown tool is replayed under a name that servers take: %s", (_kind, name) => {
    const result = prepare(call(name, {}));
    expect(result.outcome).toBe("bounced");
    expect(result.block.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

describe("whatever arrives", () => {
  it.each([
    ["no arguments", { type: "toolCall", id: "x", name: "show" }],
    ["null arguments", { type: "toolCall", id: "x", name: "show", arguments: null }],
    ["a list", { type: "toolCall", id: "x", name: "show", arguments: [1] }],
    ["no name", { type: "toolCall", id: "x", arguments: {} }],
    ["a number as name", { type: "toolCall", id: "x", name: 7, arguments: {} }],
    ["an empty error", { type: "toolCall", id: "x", name: "show", arguments: {}, argumentsError: "" }],
    ["__proto__ as data", { type: "toolCall", id: "x", name: "tag", arguments: JSON.parse('{"__proto__":{"a":1}}') }],
  ])("does not throw: %s", (_kind, block) => {
    const result = prepare(block as unknown as ToolCall);
    expect(["clean", "repaired", "bounced"]).toContain(result.outcome);
    if (result.outcome === "bounced") expect(result.message).not.toBe("");
  });
});
