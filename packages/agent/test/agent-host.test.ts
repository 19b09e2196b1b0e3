// What hosts do with an agent between and around its runs: transcripts that are replaced, cut or compacted, subclasses, proxies,
// options from code without types.
import { Agent as UpstreamAgent } from "@earendil-works/pi-agent-core";
import { type FauxResponseStep, fauxAssistantMessage, type Model } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { Agent, type AgentOptions, type ToolRepairOptions } from "../src/index.ts";
import { DONE, fauxOf, textOf, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const quoted = { path: "a", tags: '["x","y"]' };
const mended = { path: "a", tags: ["x", "y"] };
const NOTE = /\[harness] jsonStringParse/;

function hostOf(turns: readonly FauxResponseStep[], options: Partial<AgentOptions> = {}, Made = Agent) {
  const core = fauxOf(turns);
  const look = recordingTool("look");
  const initialState = { model: core.getModel() as Model<string>, tools: [look] };
  const agent = new Made({ streamFn: core.streamSimple as AgentOptions["streamFn"], initialState, ...options });
  return { agent, look };
}

function resultsOf({ state }: Agent): readonly string[] {
  return state.messages.flatMap((message) => (message.role === "toolResult" ? [textOf(message)] : []));
}

function idsOf({ state }: Agent): readonly string[] {
  return state.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
      : [],
  );
}

const TWICE = [turn(["look", quoted, "c1"]), DONE, turn(["look", quoted, "c1"]), DONE];

describe("a transcript that the host changes", () => {
  it("goes on with the notes that it shows", async () => {
    const { agent } = hostOf(TWICE);
    await agent.prompt("one");
    agent.state.messages.push({ role: "user", content: "by the way", timestamp: 1 });
    await agent.prompt("two");
    expect(resultsOf(agent).map((text) => NOTE.test(text))).toEqual([true, false]);
  });

  it("is taught again what a compaction took out of it, and no id is given twice", async () => {
    const { agent } = hostOf(TWICE);
    await agent.prompt("one");
    const first = idsOf(agent);
    agent.state.messages = [{ role: "user", content: "summary", timestamp: 1 }, ...agent.state.messages.slice(-1)];
    await agent.prompt("two");
    expect(resultsOf(agent)).toEqual([expect.stringMatching(NOTE)]);
    expect(idsOf(agent)).not.toEqual(first);
  });

  it("is another one when a listener replaced it while the run ended", async () => {
    const { agent } = hostOf(TWICE);
    const stop = agent.subscribe((event) => {
      if (event.type === "agent_end") agent.state.messages = [{ role: "user", content: "elsewhere", timestamp: 1 }];
    });
    await agent.prompt("one");
    stop();
    await agent.prompt("two");
    expect(resultsOf(agent)).toEqual([expect.stringMatching(NOTE)]);
  });

  it("goes on behind a failed reply that the host took out", async () => {
    const failed = fauxAssistantMessage([], { stopReason: "error", errorMessage: "down", timestamp: 1 });
    const { agent } = hostOf([turn(["look", quoted, "c1"]), failed, turn(["look", quoted, "c2"]), DONE]);
    await agent.prompt("one");
    agent.state.messages = agent.state.messages.slice(0, -1);
    await agent.continue();
    expect(resultsOf(agent).map((text) => NOTE.test(text))).toEqual([true, false]);
  });

  it.each([
    [{ type: "toolCall", name: "look", arguments: {} }, []],
    [{ type: "toolCall", id: 5, name: "look", arguments: {} }, []],
    [{ type: "toolCall", id: "a", name: "look", arguments: null, repair: { names: "x" } }, [{ type: "text", text: 5 }]],
    [null, [null]],
  ])("is gone on with whatever a file held: %j", async (block, content) => {
    const { agent, look } = hostOf([turn(["look", quoted, "c1"]), DONE]);
    agent.state.messages = [
      { role: "user", content: "x", timestamp: 1 },
      { ...DONE, content: [block as never] },
      { role: "toolResult", toolCallId: "a", toolName: "look", content: content as never, isError: true, timestamp: 1 },
    ];
    agent.transformContext = async (messages) => messages.filter((message) => message.role === "user");
    await agent.prompt("go");
    expect(look.ran).toEqual([mended]);
  });
});

describe("an agent of the host's own making", () => {
  it("may be a subclass with fields over the agent's", async () => {
    const core = fauxOf([turn(["look", quoted, "c1"]), DONE]);
    class Own extends Agent {
      override streamFunction = core.streamSimple as Agent["streamFunction"];
      override afterToolCall: NonNullable<Agent["afterToolCall"]> = async () => ({
        content: [{ type: "text", text: "own" }],
      });
    }
    const { agent, look } = hostOf([], {}, Own);
    await agent.prompt("go");
    expect(look.ran).toEqual([mended]);
    expect(resultsOf(agent)).toEqual([expect.stringMatching(/^own\n\[harness]/)]);
    expect(agent.streamFunction).toBe(core.streamSimple);
  });

  it("may stand behind a proxy", async () => {
    const { agent, look } = hostOf([turn(["look", quoted, "c1"]), DONE, DONE]);
    const proxy = new Proxy(agent, {});
    await proxy.prompt("go");
    proxy.steer({ role: "user", content: "more", timestamp: 1 });
    await proxy.continue();
    expect(look.ran).toEqual([mended]);
    expect(resultsOf(agent)).toEqual([expect.stringMatching(NOTE)]);
  });

  it("refuses a second prompt no later than upstream's", async () => {
    const order = async (Made: typeof Agent) => {
      const { agent } = hostOf([DONE], {}, Made);
      const seen: string[] = [];
      agent.subscribe((event) => void seen.push(event.type));
      const running = agent.prompt("one");
      await Promise.all(
        [agent.prompt("two"), agent.continue()].map((run) => run.catch((error) => seen.push(String(error)))),
      );
      await running;
      return seen;
    };
    expect(await order(Agent)).toEqual(await order(UpstreamAgent as typeof Agent));
  });
});

describe("options from code without types", () => {
  it.each([
    null,
    true,
    { teach: null },
    { profile: "toString" },
    { hints: null },
    { hints: { look: { aliases: { tags: "t" } } } },
    { hints: { other: { aliases: { a: ["b"] } } } },
    { modelGates: 4 },
    { onOutcome: 5, onLeak: 5 },
    { telemetry: {} },
    { strongerModel: null },
    { strongerModel: {} },
  ])("%j: calls are repaired, and a run that fails three times goes on", async (toolRepair) => {
    const bad = { path: 5, tags: { a: 1 } };
    const turns = [turn(["look", quoted]), turn(["look", bad]), turn(["look", bad]), turn(["look", bad]), DONE];
    const { agent, look } = hostOf(turns, { toolRepair: toolRepair as never });
    await agent.prompt("go");
    expect(agent.state.errorMessage).toBeUndefined();
    expect(look.ran).toEqual([mended]);
    expect(resultsOf(agent)).toHaveLength(4);
    expect(agent.state.messages.at(-1)).toMatchObject({ content: [{ text: "done" }] });
  });

  it("may leave any of them undefined under exact optional types", async () => {
    const none: ToolRepairOptions = {
      profile: undefined,
      teach: undefined,
      hints: undefined,
      modelGates: undefined,
      onOutcome: undefined,
      onLeak: undefined,
      telemetry: undefined,
      session: undefined,
      strongerModel: undefined,
    };
    const { agent, look } = hostOf([turn(["look", quoted]), DONE], { toolRepair: none });
    await agent.prompt("go");
    expect(look.ran).toEqual([mended]);
  });
});
