// A model that fails in the same way again: other advice after two, an escalation after three, and a stronger model's turn.
import { repairToolArguments } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { compactSchema } from "../src/compact-schema.ts";
import { exampleCall } from "../src/example-call.ts";
import {
  Agent,
  type AgentLoopConfig,
  type AgentMessage,
  type OutcomeEvent,
  runAgentLoop,
  type ToolRepairOptions,
} from "../src/index.ts";
import { fauxOf, fauxRun, turn } from "./support/faux-run.ts";
import { LOOK, recordingTool } from "./support/tools.ts";

const bad = (id: string) => turn(["look", { path: null }, id]);
const good = (id: string) => turn(["look", { path: "a" }, id]);

async function play(
  turns: ReturnType<typeof turn>[],
  toolRepair: ToolRepairOptions = {},
  config: Partial<AgentLoopConfig> = {},
  messages: readonly AgentMessage[] = [],
) {
  const events: OutcomeEvent[] = [];
  const tools = [recordingTool("look"), recordingTool("list")];
  const onOutcome = (event: OutcomeEvent) => void events.push(event);
  const run = await fauxRun(runAgentLoop, {
    turns,
    tools,
    messages,
    config: { ...config, toolRepair: { onOutcome, ...toolRepair } },
  });
  return { ...run, outcomes: events, escalations: events.filter((event) => event.outcome === "escalation") };
}

describe("the second identical failure", () => {
  it("is answered with the whole schema, a valid call, and that sending it again will fail again", async () => {
    const { texts } = await play([bad("c1"), bad("c2")]);
    expect(texts[0]).not.toContain("JSON Schema");
    expect(texts[1]).toMatch(/path: expected/);
    expect(texts[1]).toContain("failed 2 times in the same way: sending it again will fail again");
    expect(texts[1]).toContain(JSON.stringify(LOOK));
    expect(texts[1]).toContain('{"path":"<path>"}');
  });

  it("is another one when the places or keywords differ, or the tool does", async () => {
    const { texts } = await play([
      bad("c1"),
      turn(["look", { path: "a", depth: "x" }, "c2"]),
      turn(["list", { path: null }, "c3"]),
      bad("c4"),
    ]);
    expect(texts.filter((text) => text.includes("in the same way"))).toEqual([]);
  });

  it("counts over calls that other tools made meanwhile", async () => {
    const { texts } = await play([bad("c1"), turn(["list", { path: "a" }, "c2"]), bad("c3")]);
    expect(texts[2]).toContain("failed 2 times");
  });

  it("counts from one again after a call of that tool passed", async () => {
    const { texts, escalations } = await play([bad("c1"), bad("c2"), good("c3"), bad("c4"), bad("c5")]);
    expect(texts[3]).not.toContain("in the same way");
    expect(texts[4]).toContain("failed 2 times");
    expect(escalations).toEqual([]);
  });

  it("counts from one again after a repaired call of that tool, not after one that another tool's call bounced", async () => {
    const mended = turn(["look", { path: "a", depth: "2" }, "c2"]);
    expect((await play([bad("c1"), mended, bad("c3")])).texts[2]).not.toContain("in the same way");
    const other = turn(["list", { path: null }, "c2"]);
    expect((await play([bad("c1"), other, bad("c3")])).texts[2]).toContain("failed 2 times in the same way");
  });

  it("counts the calls of one message like those of several", async () => {
    const three = turn(["look", { path: null }, "c1"], ["look", { path: null }, "c2"], ["look", { path: null }, "c3"]);
    const { texts, escalations } = await play([three]);
    expect(texts[1]).toContain("failed 2 times");
    expect(texts[2]).toContain("failed 3 times");
    expect(escalations).toMatchObject([{ failures: 3 }]);
  });

  it("may be one of argument text", async () => {
    const text = { argumentsError: "The arguments were cut off after 12 characters." };
    const cut = (id: string) => {
      const message = turn(["look", {}, id]);
      Object.assign(message.content[0] as object, text);
      return message;
    };
    const { texts } = await play([cut("c1"), cut("c2")]);
    expect(texts[1]).toMatch(/cut off after 12/);
    expect(texts[1]).toContain("A valid call has these arguments");
  });
});

describe("the third identical failure", () => {
  it("emits an escalation, once, behind the outcome of the call", async () => {
    const { outcomes, escalations } = await play([bad("c1"), bad("c2"), bad("c3"), bad("c4")]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["bounced", "bounced", "bounced", "escalation", "bounced"]);
    expect(escalations).toEqual([
      {
        model: "faux-1",
        provider: "faux",
        api: "faux",
        tool: "look",
        outcome: "escalation",
        modes: ["type"],
        failures: 3,
        strongerModel: false,
        shape: { sent: { path: "null" }, at: ["/path"] },
      },
    ]);
  });

  it("gives one turn to the stronger model that the host configured, and the next one back", async () => {
    const strong = fauxOf([]).getModel("faux-strong");
    if (strong === undefined) throw new Error("no such model");
    const seen: (readonly [string, string])[] = [];
    const config: Partial<AgentLoopConfig> = {
      reasoning: "low",
      prepareRequest: (request) => void seen.push([request.model.id, request.thinkingLevel]),
    };
    const toolRepair = { strongerModel: { model: strong, thinkingLevel: "high" } } as const;
    const run = await play([bad("c1"), bad("c2"), bad("c3"), good("c4"), good("c5")], toolRepair, config);
    expect(run.models).toEqual(["faux-1", "faux-1", "faux-1", "faux-strong", "faux-1", "faux-1"]);
    expect(seen).toEqual(Array.from({ length: 6 }, () => ["faux-1", "low"]));
    expect(run.escalations).toMatchObject([{ strongerModel: true }]);
    const levels = run.messages.flatMap((message) => (message.role === "assistant" ? [message.thinkingLevel] : []));
    expect(levels).toEqual(["low", "low", "low", "high", "low", "low"]);
  });

  it("leaves a model in place that the caller's hook chooses", async () => {
    const core = fauxOf([]);
    const strong = core.getModel("faux-strong");
    if (strong === undefined) throw new Error("no such model");
    const other = { ...core.getModel(), id: "faux-other" };
    const config: Partial<AgentLoopConfig> = { prepareRequest: async () => ({ model: other }) };
    const run = await play([bad("c1"), bad("c2"), bad("c3"), good("c4")], { strongerModel: { model: strong } }, config);
    expect(run.models).toEqual(["faux-other", "faux-other", "faux-other", "faux-strong", "faux-other"]);
  });
});

describe("a streak in a conversation that is opened again", () => {
  const stored = async (...turns: ReturnType<typeof turn>[]): Promise<AgentMessage[]> =>
    JSON.parse(JSON.stringify((await play(turns)).messages));

  it("goes on where it was: other advice, then an escalation", async () => {
    const one = await stored(bad("c1"));
    expect((await play([bad("c2")], {}, {}, one)).texts[0]).toContain("failed 2 times");
    const two = await stored(bad("c1"), turn(["list", { path: "a" }, "x"]), bad("c2"));
    const { escalations } = await play([bad("c3")], {}, {}, two);
    expect(escalations).toMatchObject([{ tool: "look", failures: 3 }]);
  });

  it("goes on in an agent that is given the messages", async () => {
    const core = fauxOf([bad("c3")]);
    const events: OutcomeEvent[] = [];
    const agent = new Agent({
      streamFn: core.streamSimple,
      initialState: { tools: [recordingTool("look")], messages: await stored(bad("c1"), bad("c2")) },
      toolRepair: { onOutcome: (event) => void events.push(event) },
    });
    agent.state.model = core.getModel();
    await agent.prompt("go");
    expect(events.map(({ outcome }) => outcome)).toEqual(["bounced", "escalation"]);
  });

  it("is over where a call of the tool passed, and none where other places failed or nothing was executed", async () => {
    const ended = await stored(bad("c1"), bad("c2"), good("c3"));
    const other = await stored(turn(["look", { path: "a", depth: "x" }, "c1"]));
    const failed = await stored(bad("c1"));
    for (const message of failed) if (message.role === "assistant") message.stopReason = "error";
    for (const messages of [ended, other, failed]) {
      expect((await play([bad("c9")], {}, {}, messages)).texts[0]).not.toContain("in the same way");
    }
  });

  it("is kept as places, without a value of the call", async () => {
    const calls = (await stored(turn(["look", { path: "CANARY", depth: "CANARY" }, "c1"]))).flatMap((message) =>
      message.role === "assistant" ? message.content : [],
    );
    expect(calls[0]).toMatchObject({ bounce: { places: ["/depth type"] } });
  });
});

describe("the schema and the example", () => {
  it("leave prose out and every constraint in, also for fields called like prose", () => {
    const schema = {
      title: "T",
      description: "long",
      type: "object",
      properties: { title: { type: "string", description: "d", minLength: 2 }, n: { type: "integer", default: 3 } },
      required: ["title"],
    };
    expect(JSON.parse(compactSchema(schema) ?? "")).toEqual({
      type: "object",
      properties: { title: { type: "string", minLength: 2 }, n: { type: "integer" } },
      required: ["title"],
    });
    expect(compactSchema({ type: "object", enum: ["x".repeat(5_000)] })).toBeUndefined();
    expect(compactSchema(undefined)).toBeUndefined();
  });

  it.each([
    ["plain fields", LOOK],
    ["a format", { type: "object", properties: { day: { type: "string", format: "date" } }, required: ["day"] }],
    [
      "a length",
      { type: "object", properties: { code: { type: "string", minLength: 9, maxLength: 9 } }, required: ["code"] },
    ],
    [
      "a list of objects",
      {
        type: "object",
        properties: {
          edits: {
            type: "array",
            minItems: 1,
            items: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          },
        },
        required: ["edits"],
      },
    ],
  ])("are valid: %s", (_kind, parameters) => {
    const example = JSON.parse(exampleCall({ name: "t", parameters }) ?? "null");
    expect(Object.keys(example)).toEqual(parameters.required);
    expect(repairToolArguments({ name: "t", parameters }, example).outcome).toBe("clean");
  });

  it("take the first of the schema's own examples that is valid", () => {
    const parameters = { ...LOOK, examples: [{ path: 1 }, { path: "src", depth: 2 }] };
    expect(exampleCall({ name: "t", parameters })).toBe('{"path":"src","depth":2}');
  });

  it("are left out where none can be made", () => {
    const parameters = {
      type: "object",
      properties: { id: { type: "string", pattern: "^Z{3}-[0-9]+$" } },
      required: ["id"],
    };
    expect(exampleCall({ name: "t", parameters })).toBeUndefined();
  });
});
