// What the host's tools, hooks and listeners return, throw or change around a repaired call: their words reach the model, and
// the step's own work is not lost.
import type { AfterToolCallContext, AgentTool } from "@earendil-works/pi-agent-core";
import { fauxAssistantMessage, fauxText } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { type CallOutcome, type LeakReport, type OutcomeEvent, runAgentLoop, runToolCall } from "../src/index.ts";
import { fauxRun, textOf, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const quoted = { path: "a", tags: '["x","y"]' };
const NOTE = /\[harness] jsonStringParse/;
type Execute = AgentTool["execute"];
const returning =
  (result: object): Execute =>
  async () =>
    result as Awaited<ReturnType<Execute>>;

describe("a result that is not as it should be", () => {
  it.each([
    ["a text", "plain", false],
    ["a text, failed", "plain", true],
    ["an object", { type: "text", text: "plain" }, true],
    ["a list with a hole", [null], true],
  ])("stays as the tool returned it: %s", async (_, content, isError) => {
    const contents: unknown[] = [];
    const tools = [recordingTool("look", { execute: returning({ content, details: {}, isError }) })];
    const outcomes: OutcomeEvent[] = [];
    const toolRepair = { onOutcome: (event: OutcomeEvent) => void outcomes.push(event) };
    await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"])],
      tools,
      config: { toolRepair },
      onEvent: (event) => {
        if (event.type !== "tool_execution_end") return;
        contents.push(event.result.content);
        event.result.content = [];
      },
    });
    if (Array.isArray(content)) expect(contents).toEqual([[...content, expect.anything()]]);
    else expect(contents).toEqual([content]);
    expect(outcomes).toMatchObject([{ outcome: "repaired", executed: isError ? "error" : "ok" }]);
  });

  it.each([
    ["hold themselves", (args: Record<string, unknown>) => args],
    ["hold what JSON does not", () => 1n],
  ])("keeps the tool's own words where it made arguments that %s", async (_, made) => {
    const execute: Execute = async (_id, params) => {
      const args = params as Record<string, unknown>;
      args["made"] = made(args);
      throw new Error("the tool's own words");
    };
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", { path: "a" }, "c1"]), turn(["look", quoted, "c2"])],
      tools: [recordingTool("look", { execute })],
    });
    expect(run.texts).toEqual([
      "the tool's own words",
      expect.stringMatching(/^the tool's own words\n\[harness] jsonS/),
    ]);
  });

  it("keeps its note for the next call where the caller's hook throws", async () => {
    const outcomes: CallOutcome[] = [];
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"]), turn(["look", quoted, "c2"])],
      tools: [recordingTool("look")],
      config: {
        toolRepair: { onOutcome: (event) => void outcomes.push(event as CallOutcome) },
        afterToolCall: async ({ toolCall }) => {
          if (toolCall.id === "c1") throw new Error("the hook broke");
          return undefined;
        },
      },
    });
    expect(run.texts).toEqual(["the hook broke", expect.stringMatching(NOTE)]);
    expect(outcomes.map(({ taught, executed }) => [taught, executed])).toEqual([
      ["none", "error"],
      ["note", "ok"],
    ]);
  });
});

describe("a tool that calls another under its own call's id", () => {
  it.each([
    ["repaired", quoted, ["inner repaired ok", "outer repaired ok"]],
    ["clean", { path: "b" }, ["inner clean ok", "outer repaired ok"]],
    ["bounced", { path: null }, ["inner bounced not-run", "outer repaired ok"]],
  ])("has its own note and outcome: the inner one %s", async (_, args, expected) => {
    let seen: AfterToolCallContext | undefined;
    const inner = recordingTool("inner");
    const execute: Execute = async (id) => {
      const { assistantMessage, context } = seen as AfterToolCallContext;
      const call = { type: "toolCall" as const, id, name: "inner", arguments: args as never };
      const { result } = await runToolCall(call, { tools: [inner], assistantMessage, context });
      return { content: [{ type: "text", text: `inner: ${textOf(result as never).split("\n")[0]}` }], details: {} };
    };
    for (const counts of [true, false]) {
      const outcomes: string[] = [];
      const onOutcome = (event: OutcomeEvent) =>
        void outcomes.push(`${event.tool} ${event.outcome} ${(event as CallOutcome).executed}`);
      const run = await fauxRun(runAgentLoop, {
        turns: [turn(["outer", quoted, "c1"])],
        tools: [recordingTool("outer", { execute }), inner],
        config: {
          beforeToolCall: async (context) => {
            seen = context as unknown as AfterToolCallContext;
            return undefined;
          },
          toolRepair: counts ? { onOutcome } : {},
        },
      });
      expect(run.texts).toEqual([expect.stringMatching(/^inner: [^\n]+\n\[harness] jsonStringParse/)]);
      expect(outcomes).toEqual(counts ? expected : []);
    }
  });
});

describe("a call that a host makes by itself", () => {
  it.each([undefined, {}, { messages: [] }])("is repaired with the context %j", async (context) => {
    const inner = recordingTool("inner");
    const call = { type: "toolCall" as const, id: "c1", name: "inner", arguments: quoted };
    const options = { tools: [inner], assistantMessage: turn(), context: context as never };
    expect(await runToolCall(call, options)).toMatchObject({ isError: false });
    expect(inner.ran).toEqual([{ path: "a", tags: ["x", "y"] }]);
  });
});

describe("tools that a hook adds while a call to an unknown one is answered", () => {
  it.each([
    [
      "in a list of its own",
      (context: AfterToolCallContext["context"], tool: AgentTool) => {
        context.tools = [...(context.tools ?? []), tool];
      },
    ],
    [
      "to the list that is there",
      (context: AfterToolCallContext["context"], tool: AgentTool) => {
        context.tools?.push(tool);
      },
    ],
  ])("stay: %s", async (_, add) => {
    const extra = recordingTool("extra");
    const names: string[][] = [];
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", { path: "a" }, "c1"], ["nope", {}, "c2"]), turn(["extra", { path: "b" }, "c3"])],
      tools: [recordingTool("look")],
      config: {
        afterToolCall: async ({ context }) => {
          if (!context.tools?.includes(extra)) add(context, extra);
          return undefined;
        },
        finishTurn: async ({ context }) => {
          names.push((context.tools ?? []).map(({ name }) => name));
          return undefined;
        },
      },
    });
    expect(extra.ran).toEqual([{ path: "b" }]);
    expect(run.texts[1]).toMatch(/Valid tool names: look/);
    expect(names[0]).toEqual(["look", "extra"]);
  });
});

describe("listeners that fail", () => {
  const printed = fauxAssistantMessage([fauxText('<tool_call>{"name":"look","arguments":{"path":"a"}}</tool_call>')], {
    timestamp: 1,
  });

  it.each([
    [
      "at once",
      () => {
        throw new Error("the listener broke");
      },
    ],
    ["later", () => Promise.reject(new Error("the listener broke"))],
  ])("%s: the run, the process and the other counters go on", async (_, fail) => {
    const counted: string[] = [];
    const unhandled: unknown[] = [];
    const heard = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", heard);
    const metrics = { counter: (name: string) => ({ add: () => void counted.push(name) }) };
    const startSpan = async (_options: unknown, run: (span: object) => unknown) => run({ addEvent: () => {} });
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"]), printed],
      tools: [recordingTool("look")],
      config: {
        toolRepair: {
          onOutcome: fail as () => void,
          onLeak: fail as (leak: LeakReport) => void,
          telemetry: { metrics, startSpan } as never,
        },
      },
    });
    await new Promise((done) => setTimeout(done, 10));
    process.off("unhandledRejection", heard);
    expect(run.texts).toEqual([expect.stringMatching(NOTE)]);
    expect(counted).toEqual(["pi.mend.calls", "pi.mend.modes", "pi.mend.leaks"]);
    expect(unhandled).toEqual([]);
  });
});
