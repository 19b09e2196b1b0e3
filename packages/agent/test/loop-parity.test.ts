// Upstream's loop is upstream's: where no repair fires the decorated one emits the same events and calls the same hooks in
// the same order, and with `toolRepair: false` it does so whatever the model sends.

import * as upstreamPackage from "@earendil-works/pi-agent-core";
import {
  type AgentTool,
  Agent as UpstreamAgent,
  runAgentLoopContinue as upstreamContinue,
  runAgentLoop as upstreamLoop,
  agentLoop as upstreamStream,
  agentLoopContinue as upstreamStreamContinue,
} from "@earendil-works/pi-agent-core";
import { type FauxResponseStep, fauxAssistantMessage, fauxText, fauxThinking } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import * as ours from "../src/index.ts";
import {
  Agent,
  type AgentLoopConfig,
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
} from "../src/index.ts";
import { DONE, type FauxRun, fauxOf, fauxRun, PROMPT, type Runner, timeless, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const streamed =
  (loop: typeof upstreamStream | typeof agentLoop): Runner =>
  async (prompts, context, config, emit, signal, streamFn) => {
    const stream = (loop as typeof agentLoop)(prompts, context, config, signal, streamFn);
    for await (const event of stream) emit(event);
    return stream.result();
  };

const continued =
  (loop: typeof upstreamContinue | typeof runAgentLoopContinue): Runner =>
  (prompts, context, config, emit, signal, streamFn) =>
    loop({ ...context, messages: [...context.messages, ...prompts] }, config, emit, signal, streamFn);

const streamContinued =
  (loop: typeof upstreamStreamContinue | typeof agentLoopContinue): Runner =>
  async (prompts, context, config, emit, signal, streamFn) => {
    const from = { ...context, messages: [...context.messages, ...prompts] };
    const stream = (loop as typeof agentLoopContinue)(from, config, signal, streamFn);
    for await (const event of stream) emit(event);
    return stream.result();
  };

const agentRun =
  (Made: typeof UpstreamAgent | typeof Agent): Runner =>
  async (prompts, context, config, emit, signal, streamFn) => {
    const { model, ...rest } = config;
    const agent = new Made({ initialState: { model, ...context }, streamFn, ...rest } as unknown as ours.AgentOptions);
    agent.subscribe((event) => emit(event));
    signal?.addEventListener("abort", () => agent.abort());
    const before = agent.state.messages.length;
    await agent.prompt(prompts);
    return agent.state.messages.slice(before);
  };

const PAIRS: readonly [string, Runner, Runner][] = [
  ["runAgentLoop", upstreamLoop, runAgentLoop],
  ["runAgentLoopContinue", continued(upstreamContinue), continued(runAgentLoopContinue)],
  ["agentLoop", streamed(upstreamStream), streamed(agentLoop)],
  ["agentLoopContinue", streamContinued(upstreamStreamContinue), streamContinued(agentLoopContinue)],
  ["Agent", agentRun(UpstreamAgent), agentRun(Agent)],
];

interface Script {
  readonly turns: readonly FauxResponseStep[];
  readonly tools?: () => AgentTool[];
  readonly config?: Partial<AgentLoopConfig>;
  readonly abortAt?: string;
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
const failing = () =>
  recordingTool("fail", {
    execute: async () => {
      throw new Error("the tool broke");
    },
  });

const CLEAN: Readonly<Record<string, Script>> = {
  "text only": { turns: [] },
  "text, thinking and a call": {
    turns: [
      fauxAssistantMessage(
        [fauxThinking("hm"), fauxText("Looking."), ...turn(["look", { path: "a" }]).content] as never,
        { stopReason: "toolUse", timestamp: 1 },
      ),
    ],
  },
  "parallel calls": {
    turns: [turn(["look", { path: "a" }], ["list", { path: "b" }], ["look", { path: "c" }, "call_3"])],
  },
  "sequential calls": {
    turns: [turn(["look", { path: "a" }], ["list", { path: "b" }])],
    config: { toolExecution: "sequential" },
  },
  "parallel calls that end in another order": {
    turns: [turn(["look", { path: "a" }], ["list", { path: "b" }])],
    tools: () => [
      recordingTool("look", {
        execute: async (_id, _args, _signal, update) => {
          update?.({ content: [{ type: "text", text: "half" }], details: {} });
          await wait(20);
          return { content: [{ type: "text", text: "slow" }], details: {} };
        },
      }),
      recordingTool("list"),
    ],
  },
  "a tool that throws": {
    turns: [turn(["fail", { path: "a" }], ["look", { path: "b" }])],
    tools: () => [failing(), recordingTool("look")],
  },
  "several turns": {
    turns: [
      turn(["look", { path: "a" }, "c1"]),
      turn(["list", { path: "b" }, "c2"]),
      turn(["look", { path: "c" }, "c3"]),
    ],
  },
  "a failed response": {
    turns: [fauxAssistantMessage([fauxText("x")], { stopReason: "error", errorMessage: "down", timestamp: 1 })],
  },
  "a response cut by the token limit": {
    turns: [
      fauxAssistantMessage(turn(["look", { path: "a" }]).content as never, { stopReason: "length", timestamp: 1 }),
    ],
  },
  "a run that is aborted while a tool runs": {
    turns: [turn(["look", { path: "a" }], ["list", { path: "b" }])],
    abortAt: "tool_execution_start",
  },
  "a run that is aborted while the answer streams": {
    turns: [turn(["look", { path: "a" }])],
    abortAt: "message_update",
  },
};

async function play(run: Runner, script: Script, toolRepair: ours.ToolRepair | undefined, hooked: boolean) {
  const controller = new AbortController();
  const hooks: unknown[] = [];
  const saw = (name: string) => async (context: object) => {
    hooks.push([name, timeless(context)]);
    return undefined;
  };
  const watching = {
    beforeToolCall: saw("before"),
    afterToolCall: saw("after"),
    finishTurn: saw("finish") as never,
    prepareRequest: saw("request") as never,
  };
  const result = await fauxRun(run, {
    turns: script.turns,
    tools: script.tools?.() ?? [recordingTool("look"), recordingTool("list")],
    config: { ...script.config, ...(hooked ? watching : {}), ...(toolRepair === undefined ? {} : { toolRepair }) },
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === script.abortAt) controller.abort();
    },
  });
  return { ...comparable(result), hooks };
}

function comparable({ events, messages, requests, models }: FauxRun) {
  return { events, messages: timeless(messages), requests: timeless(requests), models };
}

describe.each(PAIRS)("%s", (_name, upstream, decorated) => {
  describe.each(Object.entries(CLEAN))("with %s", (_kind, script) => {
    it("emits upstream's events and asks hooks as upstream does", async () => {
      const expected = await play(upstream, script, undefined, true);
      expect(await play(decorated, script, undefined, true)).toEqual(expected);
      expect(expected.hooks.length).toBeGreaterThan(0);
    });

    it("does so without hooks, too", async () => {
      expect(await play(decorated, script, undefined, false)).toEqual(await play(upstream, script, undefined, false));
    });
  });

  it("is upstream, mistakes included, when toolRepair is false", async () => {
    const turns = [
      turn(["look", { path: 7, tags: '["a"]' }], ["Look", { path: "a" }, ""], ["look", {}, ""], ["fail", null]),
      turn(["look", { path: "a", depth: "4.5" }]),
    ];
    const script = { turns, tools: () => [recordingTool("look"), failing()] };
    const expected = await play(upstream, script, undefined, true);
    expect(await play(decorated, script, false, true)).toEqual(expected);
    expect(await play(decorated, script, undefined, true)).not.toEqual(expected);
  });
});

describe("the options a stream function sees", () => {
  it.each([
    ["repaired", {}],
    ["off", false],
  ] as const)("hold the caller's hooks and nothing of ours: %s", async (_kind, toolRepair) => {
    const seen: (readonly string[])[] = [];
    const afterToolCall = async () => undefined;
    const core = fauxOf([DONE, DONE]);
    for (const run of [upstreamLoop, runAgentLoop]) {
      const config = { model: core.getModel(), convertToLlm: (list: unknown[]) => list as never, afterToolCall };
      const own = run === runAgentLoop ? { ...config, toolRepair } : config;
      await run(
        [PROMPT],
        { messages: [] },
        own,
        () => {},
        undefined,
        (model, context, options) => {
          const held = Object.entries(options ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [key]));
          seen.push(held.sort());
          expect((options as { afterToolCall?: unknown }).afterToolCall).toBe(afterToolCall);
          return core.streamSimple(model, context, options);
        },
      );
    }
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe("the package", () => {
  it("exports all that upstream exports, and replaces what it says", () => {
    const own = new Map<string, unknown>(Object.entries(ours));
    const replaced = Object.entries(upstreamPackage).flatMap(([name, value]) =>
      own.get(name) === value ? [] : [name],
    );
    expect(replaced.sort()).toEqual([
      "Agent",
      "agentLoop",
      "agentLoopContinue",
      "runAgentLoop",
      "runAgentLoopContinue",
      "runToolCall",
    ]);
  });

  it("has an Agent that is upstream's, whose fields hold what the caller put there", async () => {
    const core = fauxOf([turn(["look", { path: "a", depth: "2" }]), DONE]);
    const look = recordingTool("look");
    const agent = new Agent({ initialState: { model: core.getModel(), tools: [look] }, streamFn: core.streamSimple });
    expect(agent).toBeInstanceOf(UpstreamAgent);
    expect(agent.streamFunction).toBe(core.streamSimple);
    expect(agent.afterToolCall).toBeUndefined();
    const seen: unknown[] = [];
    agent.subscribe(() => void seen.push(agent.afterToolCall));
    agent.afterToolCall ??= async () => ({ content: [{ type: "text", text: "mine" }] });
    const own = agent.afterToolCall;
    await agent.prompt("go");
    expect(look.ran).toEqual([{ path: "a", depth: 2 }]);
    expect(agent.afterToolCall).toBe(own);
    expect(new Set(seen)).toEqual(new Set([own]));
    const result = agent.state.messages.find((message) => message.role === "toolResult");
    expect(result).toMatchObject({
      content: [{ text: "mine" }, { text: expect.stringContaining("numberFromString") }],
    });
  });

  it("uses the default stream function that a host installed", async () => {
    const core = fauxOf([turn(["look", { path: "a", depth: "2" }]), DONE]);
    ours.setDefaultStreamFn(core.streamSimple);
    try {
      const look = recordingTool("look");
      const config = { model: core.getModel(), convertToLlm: (list: unknown[]) => list as never };
      await runAgentLoop([PROMPT], { messages: [], tools: [look] }, config, () => {}, undefined, undefined as never);
      expect(look.ran).toEqual([{ path: "a", depth: 2 }]);
    } finally {
      ours.setDefaultStreamFn(undefined);
    }
    const config = { model: core.getModel(), convertToLlm: (list: unknown[]) => list as never };
    const run = runAgentLoop([PROMPT], { messages: [] }, config, () => {}, undefined, undefined as never);
    await expect(run).rejects.toThrow("No default stream function");
  });
});
