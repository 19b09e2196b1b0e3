// Outcome events: one per call with what became of it, and a shape without a value.
import { describe, expect, it } from "vitest";
import { callShape } from "../src/call-shape.ts";
import { type CallOutcome, type OutcomeEvent, runAgentLoop } from "../src/index.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

async function outcomesOf(
  turns: ReturnType<typeof turn>[],
  sink?: (event: OutcomeEvent) => void,
  tools = [recordingTool("look")],
) {
  const outcomes: CallOutcome[] = [];
  const onOutcome = (event: OutcomeEvent) => {
    outcomes.push(event as CallOutcome);
    sink?.(event);
  };
  const run = await fauxRun(runAgentLoop, {
    turns,
    tools,
    config: { toolRepair: { onOutcome } },
  });
  return { outcomes, ...run };
}

describe("an outcome event", () => {
  it("holds exactly who, what, how and the shape", async () => {
    const { outcomes } = await outcomesOf([turn(["look", { path: "a", depth: "2" }])]);
    expect(outcomes).toEqual([
      {
        model: "faux-1",
        provider: "faux",
        api: "faux",
        tool: "look",
        outcome: "repaired",
        modes: ["numberFromString"],
        forgiven: [],
        taught: "note",
        executed: "ok",
        shape: { sent: { path: "string", depth: "string" }, at: ["/depth"] },
      },
    ]);
  });

  it("comes once for every call, clean ones too", async () => {
    const { outcomes } = await outcomesOf([
      turn(["look", { path: "a" }, "c1"], ["look", { path: "b", depth: "1" }, "c2"], ["look", { path: null }, "c3"]),
      turn(["look", { path: "b", depth: "1" }, "c4"], ["fly", {}, "c5"]),
    ]);
    const brief = outcomes.map(({ outcome, taught, executed }) => `${outcome} ${taught} ${executed}`).sort();
    expect(brief).toEqual([
      "bounced none not-run",
      "clean none ok",
      "refused none not-run",
      "repaired none ok",
      "repaired note ok",
    ]);
  });

  it("tells what was overlooked in the text of the arguments, and that they were text", async () => {
    const message = turn(["look", {}]);
    const raw = "```json\n{'path': 'a', 'depth': '2'}\n```";
    Object.assign(message.content[0] as object, { argumentsError: `Unexpected token\n\nReceived arguments:\n${raw}` });
    const { outcomes, texts, calls } = await outcomesOf([message]);
    expect(calls[0]).toMatchObject({ arguments: { path: "a", depth: 2 }, repair: { original: raw } });
    expect(outcomes).toMatchObject([
      { outcome: "repaired", modes: ["rawArgumentsRead", "numberFromString"], executed: "ok", shape: { sent: "text" } },
    ]);
    expect(outcomes[0]?.forgiven).toEqual(expect.arrayContaining(["codeFence", "singleQuote"]));
    expect(texts[0]).toMatch(/\[harness] rawArgumentsRead: [^\n]+; numberFromString: /);
  });

  it("counts and teaches that a call was found in the text, before what was wrong in its arguments", async () => {
    const message = turn(["look", { path: "a", depth: "2" }]);
    const original = '<tool_call>{"name":"look"}</tool_call>';
    Object.assign(message.content[0] as object, { repair: { names: ["leakedCallRecovered"], original } });
    const { outcomes, texts, calls } = await outcomesOf([message]);
    const names = ["leakedCallRecovered", "numberFromString"];
    expect(calls[0]).toMatchObject({ arguments: { path: "a", depth: 2 }, repair: { names, original } });
    expect(outcomes).toMatchObject([{ outcome: "repaired", modes: names, taught: "note", executed: "ok" }]);
    expect(texts[0]).toMatch(/\[harness] leakedCallRecovered: [^\n]+; numberFromString: /);
  });

  it("tells a text without arguments from arguments that the schema refuses", async () => {
    const message = turn(["look", {}]);
    Object.assign(message.content[0] as object, { argumentsError: 'x\n\nReceived arguments:\n{"path":"secret' });
    const { outcomes } = await outcomesOf([message]);
    expect(outcomes).toMatchObject([{ outcome: "refused", executed: "not-run", shape: { sent: "text" } }]);
  });

  it("of a sink that throws changes nothing", async () => {
    const { texts, outcomes } = await outcomesOf([turn(["look", { path: "a" }])], () => {
      throw new Error("sink");
    });
    expect(texts).toEqual(["ran look"]);
    expect(outcomes).toHaveLength(1);
  });

  it("never holds a value, a path or a key that the schema does not declare", async () => {
    const canary = "CANARY-7f3a";
    const { outcomes } = await outcomesOf([
      turn(
        ["look", { path: canary, depth: canary, [canary]: { [canary]: [canary] } }, "c1"],
        ["look", { path: canary, tags: `["${canary}"]` }, "c2"],
        [canary, { path: canary }, "c3"],
        ["look", { path: canary, depth: "3" }, "c4"],
      ),
    ]);
    expect(outcomes).toHaveLength(4);
    expect(JSON.stringify(outcomes)).not.toContain("CANARY");
    expect(outcomes[0]?.shape.sent).toEqual({ path: "string", depth: "string", "*": { "*": ["string"] } });
  });

  it("never holds them where a key failed, was renamed, or fits a pattern only", async () => {
    const parameters = {
      type: "object",
      properties: { path: { type: "string" }, env: { patternProperties: { "^CANARY": { type: "integer" } } } },
      required: ["path"],
      additionalProperties: { type: "boolean" },
    };
    const canary = "CANARY-7f3a";
    const { outcomes } = await outcomesOf(
      [
        turn(
          ["look", { path: "a", [canary]: "no" }, "c1"],
          ["look", { path: "a", env: { [canary]: "3" } }, "c2"],
          ["look", { path: "a", env: { [canary]: "x" } }, "c3"],
          ["look", { PATH: canary, [canary]: true }, "c4"],
        ),
      ],
      undefined,
      [recordingTool("look", { parameters })],
    );
    expect(outcomes.map(({ outcome }) => outcome)).toHaveLength(4);
    expect(JSON.stringify(outcomes)).not.toContain("CANARY");
    expect(outcomes.filter(({ shape }) => "PATH" in (shape.sent as object))).toEqual([]);
  });
});

describe("callShape", () => {
  const schema = {
    $defs: { pair: { type: "object", properties: { a: { type: "string" }, b: {} } } },
    type: "object",
    properties: {
      list: { type: "array", items: { $ref: "#/$defs/pair" } },
      any: { anyOf: [{ type: "string" }, { type: "object", properties: { in: {} } }] },
      tuple: { prefixItems: [{ properties: { first: {} } }], items: { properties: { rest: {} } } },
      loop: { $ref: "#" },
    },
    additionalProperties: { properties: { known: {} } },
  };

  it.each([
    ["types", { list: null, any: 1.5, tuple: true }, { list: "null", any: "number", tuple: "boolean" }],
    [
      "distinct items once",
      { list: [{ a: "x" }, { a: "y" }, { b: 1 }] },
      { list: [{ a: "string" }, { b: "integer" }] },
    ],
    ["branches of unions", { any: { in: 1, out: 2 } }, { any: { in: "integer", "*": "integer" } }],
    [
      "places in a tuple",
      { tuple: [{ first: 1 }, { rest: 1, first: 1 }] },
      { tuple: [{ first: "integer" }, { rest: "integer", "*": "integer" }] },
    ],
    ["schemas that refer to themselves", { loop: { loop: { list: [] } } }, { loop: { loop: { list: [] } } }],
    ["undeclared keys as stars", { x: { known: 1 }, y: "s" }, { "*": { known: "integer" }, "*2": "string" }],
    ["a root that is no object", ["x"], ["string"]],
  ])("shows %s", (_kind, sent, shape) => {
    expect(callShape(schema, sent, []).sent).toEqual(shape);
  });

  it.each([
    ["", ""],
    ["/list/3/a", "/list/#/a"],
    ["/list/3/secret", "/list/#/*"],
    ["/secret/known", "/*/known"],
    ["/any/in", "/any/in"],
    ["/tuple/0/first", "/tuple/#/first"],
  ])("turns %s into the position %s", (pointer, position) => {
    expect(callShape(schema, {}, [pointer]).at).toEqual([position]);
  });

  it("is bounded, whatever is sent", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
    const deep = JSON.parse(`${'{"loop":'.repeat(3_000)}1${"}".repeat(3_000)}`);
    const long = { list: Array.from({ length: 100_000 }, (_, index) => ({ a: "x", [`k${index}`]: 1 })) };
    for (const sent of [wide, deep, long])
      expect(JSON.stringify(callShape(schema, sent, [])).length).toBeLessThan(4_000);
  });

  it("knows nothing of keys without a schema", () => {
    expect(callShape(undefined, { secret: 1 }, ["/secret"])).toEqual({ sent: { "*": "integer" }, at: ["/*"] });
  });
});
