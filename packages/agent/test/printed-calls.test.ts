// Calls that a model printed as text, through the decorated loop and agent: what each profile makes of them.
import { type AssistantMessage, fauxAssistantMessage, fauxText, fauxThinking } from "@earendil-works/pi-ai";
import { InMemoryTelemetryContext } from "@earendil-works/pi-telemetry";
import { describe, expect, it } from "vitest";
import {
  Agent,
  type AgentLoopConfig,
  type LeakReport,
  type OutcomeEvent,
  runAgentLoop,
  type ToolRepairOptions,
} from "../src/index.ts";
import { DONE, fauxOf, fauxRun, textOf, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const CALL = '<tool_call>\n{"name": "look", "arguments": {"path": "a.txt", "depth": "2"}}\n</tool_call>';
const UNKNOWN = '<tool_call>\n{"name": "gone", "arguments": {"path": "a.txt"}}\n</tool_call>';

function said(text: string, stopReason: AssistantMessage["stopReason"] = "stop"): AssistantMessage {
  return fauxAssistantMessage([fauxText(text)], { stopReason, timestamp: 1 });
}

async function play(
  turns: AssistantMessage[],
  toolRepair: ToolRepairOptions = {},
  config: Partial<AgentLoopConfig> = {},
  messages: Parameters<typeof fauxRun>[1]["messages"] = [],
) {
  const leaks: LeakReport[] = [];
  const outcomes: OutcomeEvent[] = [];
  const look = recordingTool("look");
  const onLeak = (leak: LeakReport) => void leaks.push(leak);
  const onOutcome = (event: OutcomeEvent) => void outcomes.push(event);
  const run = await fauxRun(runAgentLoop, {
    turns,
    tools: [look],
    messages,
    config: { ...config, toolRepair: { onLeak, onOutcome, ...toolRepair } },
  });
  const replies = run.messages.filter((one): one is AssistantMessage => one.role === "assistant");
  const told = run.messages.flatMap((one) =>
    one.role === "user" && one.timestamp !== 1 ? [textOf(one as never)] : [],
  );
  return { ...run, look, leaks, outcomes, replies, told };
}

describe("profile adaptive, the default", () => {
  it("takes the call out, runs nothing, and tells the model once", async () => {
    const run = await play([said(`Looking.\n${CALL}`), turn(["look", { path: "a.txt" }, "c1"])]);
    expect(run.replies[0]?.content).toEqual([{ type: "text", text: "Looking.\n" }]);
    expect(run.told).toEqual([expect.stringMatching(/printed a tool call \(`look`\) as text.*did not run/)]);
    expect(run.requests[1]?.at(-1)).toMatchObject({ role: "user", content: [{ text: run.told[0] }] });
    expect(JSON.stringify(run.requests[1])).not.toContain("tool_call>");
    expect(run.look.ran).toEqual([{ path: "a.txt" }]);
    expect(run.leaks).toMatchObject([{ action: "stripped", families: ["hermes"] }]);
    expect(run.outcomes.map(({ outcome }) => outcome)).toEqual(["clean"]);
  });

  it("goes on twice in a row at most, and again after a reply without one", async () => {
    const run = await play([said(CALL), said(CALL), said(CALL), turn(["look", { path: "never" }])]);
    expect(run.told).toHaveLength(2);
    expect(run.models).toHaveLength(3);
    const again = await play([said(CALL), said(CALL), turn(["look", { path: "a" }]), said(CALL), said("So.")]);
    expect(again.told).toHaveLength(3);
  });

  it("does not go on when a native call carries the run on, or the caller ends it", async () => {
    const both = fauxAssistantMessage([fauxText(CALL), turn(["look", { path: "b" }, "c1"]).content[0] as never], {
      stopReason: "toolUse",
      timestamp: 1,
    });
    const run = await play([both]);
    expect(run.told).toEqual([]);
    expect(run.look.ran).toEqual([{ path: "b" }]);
    expect(run.replies[0]?.content.map(({ type }) => type)).toEqual(["toolCall"]);
    const ended = await play([said(CALL)], {}, { finishTurn: () => ({ action: "end" }) });
    expect(ended.told).toEqual([]);
    expect(ended.models).toHaveLength(1);
  });

  it("puts its line behind what the caller's own hook adds, and leaves the caller's decision alone otherwise", async () => {
    const seen: unknown[] = [];
    const own = { role: "user", content: "mine", timestamp: 1 } as const;
    const config: Partial<AgentLoopConfig> = {
      finishTurn: async () => void seen.push("turn"),
      prepareNextTurn: async () => ({ messages: [own] }),
    };
    const run = await play([said(CALL)], {}, config);
    expect(run.requests[1]?.slice(-2)).toMatchObject([{ content: "mine" }, { content: [{ type: "text" }] }]);
    expect(seen).toEqual(["turn", "turn"]);
  });

  it("leaves markup of tools that do not exist, code, and what others wrote", async () => {
    for (const text of [UNKNOWN, `\`\`\`xml\n${CALL}\n\`\`\``, "No call <here>."]) {
      const run = await play([said(text)]);
      expect(run.replies[0]?.content).toEqual([{ type: "text", text }]);
      expect(run.told).toEqual([]);
    }
    const quote = await play([said(CALL)], {}, {}, [{ role: "user", content: `What is ${CALL}?`, timestamp: 1 }]);
    expect(quote.replies[0]?.content).toEqual([{ type: "text", text: CALL }]);
    expect(quote.leaks).toMatchObject([{ action: "kept", families: ["hermes"] }]);
  });
});

describe("profile conservative", () => {
  it("counts the call and leaves the message as it is", async () => {
    const telemetry = new InMemoryTelemetryContext();
    const run = await play([said(CALL)], { profile: "conservative", telemetry });
    expect(run.replies[0]?.content).toEqual([{ type: "text", text: CALL }]);
    expect(run.told).toEqual([]);
    const origin = { model: "faux-1", provider: "faux" };
    expect(run.leaks).toEqual([{ ...origin, api: "faux", action: "observed", families: ["hermes"] }]);
    const attributes = { ...origin, action: "observed", family: "hermes" };
    expect(telemetry.getMetrics()).toMatchObject([{ name: "pi.mend.leaks", value: 1, attributes }]);
  });
});

describe("profile recover", () => {
  const recover = { profile: "recover" } as const;

  it("runs the call, repaired like any other, and every event and the history show it as a native one", async () => {
    const run = await play([said(`Looking.\n${CALL}`)], recover);
    expect(run.look.ran).toEqual([{ path: "a.txt", depth: 2 }]);
    expect(run.replies[0]).toMatchObject({
      stopReason: "toolUse",
      content: [
        { type: "text", text: "Looking.\n" },
        { type: "toolCall", name: "look", arguments: { path: "a.txt", depth: 2 } },
      ],
    });
    const id = run.calls[0]?.id;
    expect(id).toMatch(/^\w+$/);
    expect(run.results).toMatchObject([{ toolCallId: id, isError: false }]);
    expect(run.requests[1]?.at(-2)).toMatchObject({ role: "assistant", stopReason: "toolUse" });
    expect(run.leaks).toMatchObject([{ action: "recovered", families: ["hermes"] }]);
    const ended = run.events.filter((event) => (event as { type: string }).type === "message_end");
    expect(ended[2]).toMatchObject({ message: { content: [{ type: "text" }, { type: "toolCall", id }] } });
  });

  it.each([
    ["the reply was cut off", [said(CALL, "length")], []],
    ["text follows", [said(`${CALL}\nThat was it.`)], []],
    ["the tool does not exist", [said(UNKNOWN)], []],
    ["a tool's result holds it", [turn(["look", { path: "page" }, "c1"]), said(CALL)], [{ path: "page" }]],
  ] as const)("does not run where %s", async (_why, turns, ran) => {
    const page = `<p>${CALL.replaceAll("<", "&lt;")}</p>`;
    const look = recordingTool("look", {
      execute: async () => ({ content: [{ type: "text", text: page }], details: {} }),
    });
    const run = await fauxRun(runAgentLoop, { turns, tools: [look], config: { toolRepair: recover } });
    expect(look.ran).toEqual(ran);
    expect(run.results.filter(({ isError }) => isError)).toEqual([]);
  });

  it("gives a call an id that no other of the conversation has", async () => {
    const run = await play([said(CALL), said(CALL.replace("a.txt", "b.txt"))], recover);
    expect(run.look.ran).toHaveLength(2);
    expect(new Set(run.calls.map(({ id }) => id)).size).toBe(2);
  });

  it("passes hooks that block, like any call", async () => {
    const run = await play([said(CALL)], recover, { beforeToolCall: async () => ({ block: true, reason: "no" }) });
    expect(run.look.ran).toEqual([]);
    expect(run.texts).toEqual(["no"]);
  });

  it("reads a call in the reasoning where nothing else was said", async () => {
    const thought = fauxAssistantMessage([fauxThinking(`I look.\n${CALL}`)], { stopReason: "stop", timestamp: 1 });
    expect((await play([thought], recover)).look.ran).toEqual([{ path: "a.txt", depth: 2 }]);
  });
});

describe("Agent", () => {
  async function prompted(profile: ToolRepairOptions["profile"], turns: AssistantMessage[]) {
    const core = fauxOf([...turns, DONE]);
    const look = recordingTool("look");
    const toolRepair: ToolRepairOptions = profile === undefined ? {} : { profile };
    const agent = new Agent({ streamFn: core.streamSimple, initialState: { tools: [look] }, toolRepair });
    agent.state.model = core.getModel();
    return { agent, look, run: () => agent.prompt("go") };
  }

  it("tells the model and goes on, with the fields of the caller in place", async () => {
    const { agent, run } = await prompted(undefined, [said(CALL)]);
    const own = () => undefined;
    agent.prepareNextTurn = own;
    await run();
    expect(agent.state.messages.map(({ role }) => role)).toEqual(
      ["user", "assistant", "user", "assistant"].toSpliced(0, 0, "system"),
    );
    expect(agent.prepareNextTurn).toBe(own);
    expect(agent.prepareNextTurnWithContext).toBeUndefined();
  });

  it("runs the caller's hook for the next turn, whichever it is", async () => {
    for (const field of ["prepareNextTurn", "prepareNextTurnWithContext"] as const) {
      const { agent, run } = await prompted(undefined, [said(CALL), turn(["look", { path: "a" }])]);
      let asked = 0;
      agent[field] = () => void asked++ as undefined;
      await run();
      expect(asked).toBe(2);
      expect(agent.state.messages.filter(({ role }) => role === "user")).toHaveLength(2);
    }
  });

  it("recovers calls", async () => {
    const { look, run } = await prompted("recover", [said(CALL)]);
    await run();
    expect(look.ran).toEqual([{ path: "a.txt", depth: 2 }]);
  });
});
