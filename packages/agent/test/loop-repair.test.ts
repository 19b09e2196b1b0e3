// The decorated loop with upstream's faux provider: what runs, what hooks, events, transcript and history see, and that a
// call is repaired however it is executed.
import { type AgentEvent, type AgentTool, runToolCall as upstreamRunToolCall } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, fauxAssistantMessage, type ToolCall } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { Agent, type CallOutcome, type OutcomeEvent, RepairSession, runAgentLoop, runToolCall } from "../src/index.ts";
import { DONE, fauxOf, fauxRun, textOf, turn } from "./support/faux-run.ts";
import { LOOK, recordingTool } from "./support/tools.ts";

const quoted = { path: "a", tags: '["x","y"]' };
const mended = { path: "a", tags: ["x", "y"] };
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe("a repaired call", () => {
  it.each(["parallel", "sequential"] as const)("runs, and all see it repaired: %s execution", async (toolExecution) => {
    const look = recordingTool("look");
    const seen: Record<string, unknown> = {};
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"], ["look", { path: "b" }, "c2"], ["look", { path: "c", depth: "3" }, "c3"])],
      tools: [look],
      config: {
        toolExecution,
        beforeToolCall: async ({ args, toolCall, assistantMessage }) => {
          seen[`before ${toolCall.id}`] = args;
          expect(assistantMessage.content).toContain(toolCall);
          return undefined;
        },
        afterToolCall: async ({ args, toolCall }) => {
          seen[`after ${toolCall.id}`] = args;
          return undefined;
        },
      },
      onEvent: (event) => {
        if (event.type === "tool_execution_start") seen[`event ${event.toolCallId}`] = event.args;
      },
    });
    expect(look.ran).toEqual([mended, { path: "b" }, { path: "c", depth: 3 }]);
    for (const who of ["before", "after", "event"]) expect(seen[`${who} c1`]).toEqual(mended);
    expect(run.calls[0]).toMatchObject({ arguments: mended, repair: { names: ["jsonStringParse"], original: quoted } });
    expect(run.calls[1]).not.toHaveProperty("repair");
    expect(run.texts[0]).toMatch(
      /^ran look\n\[harness] jsonStringParse: [^\n]+ → [^\n]+; ran as \{"path":"a","tags":\["x","y"]}$/,
    );
    expect(run.texts[1]).toBe("ran look");
    const replayed = run.requests[1]?.find((message) => message.role === "assistant");
    expect(replayed).toMatchObject({ content: [{ arguments: mended }, {}, {}] });
  });

  it("gets its note behind what the caller's hook made of the result, and keeps the machine-readable part", async () => {
    const tool = recordingTool("look", {
      execute: async () => ({ content: [{ type: "text", text: "raw" }], details: {}, structuredContent: { ok: 1 } }),
    });
    let structured: unknown;
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"]), turn(["look", { path: "b", depth: "1" }, "c2"])],
      tools: [tool],
      config: {
        afterToolCall: async ({ toolCall }) =>
          toolCall.id === "c1" ? { content: [{ type: "text", text: "redacted" }], isError: true } : undefined,
      },
      onEvent: (event) => {
        if (event.type === "tool_execution_end" && event.toolCallId === "c2")
          structured = event.result.structuredContent;
      },
    });
    expect(run.texts[0]).toMatch(/^redacted\n\[harness] jsonStringParse/);
    expect(run.results[0]?.isError).toBe(true);
    expect(run.texts[1]).toMatch(/^raw\n\[harness] numberFromString/);
    expect(structured).toEqual({ ok: 1 });
  });

  it("has one note for several repairs, which names those that are due", async () => {
    const both = { path: "a", tags: '["x","y"]', depth: "3" };
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"]), turn(["look", both, "c2"]), turn(["look", both, "c3"])],
      tools: [recordingTool("look")],
    });
    const lines = run.texts.map((text) => text.split("\n").slice(1));
    expect(lines.map((noted) => noted.length)).toEqual([1, 1, 0]);
    expect(lines[1]?.[0]).toMatch(/^\[harness] numberFromString: [^;]+; ran as \{"path":"a",/);
    const fresh = await fauxRun(runAgentLoop, { turns: [turn(["look", both, "c1"])], tools: [recordingTool("look")] });
    expect(fresh.texts[0]?.match(/\[harness]/g)).toHaveLength(1);
    expect(fresh.texts[0]).toMatch(
      /jsonStringParse: [^;]+; numberFromString: |numberFromString: [^;]+; jsonStringParse: /,
    );
  });

  it("has its note on a failure, too", async () => {
    const tool = recordingTool("look", {
      execute: async () => {
        throw new Error("the tool broke");
      },
    });
    const run = await fauxRun(runAgentLoop, { turns: [turn(["look", quoted])], tools: [tool] });
    expect(run.texts[0]).toMatch(/^the tool broke\n\[harness] jsonStringParse/);
    expect(run.results[0]?.isError).toBe(true);
  });

  it("stays as it is in the transcript when the tool changes its arguments", async () => {
    const tool = recordingTool("look", {
      execute: async (_id, params) => {
        (params as { tags: string[] }).tags.push("mine");
        return { content: [], details: {} };
      },
    });
    const run = await fauxRun(runAgentLoop, { turns: [turn(["look", quoted])], tools: [tool] });
    expect(run.calls[0]).toMatchObject({ arguments: mended, repair: { original: quoted } });
    expect(run.texts[0]).toContain('ran as {"path":"a","tags":["x","y"]}');
  });

  it("does not run when the caller's hook blocks it, and is not said to have run", async () => {
    const look = recordingTool("look");
    const outcomes: OutcomeEvent[] = [];
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"]), turn(["look", quoted, "c2"])],
      tools: [look],
      config: {
        beforeToolCall: async ({ toolCall }) =>
          toolCall.id === "c1" ? { block: true, reason: "the gate is closed" } : undefined,
        toolRepair: { onOutcome: (event) => outcomes.push(event) },
      },
    });
    expect(run.texts[0]).toBe("the gate is closed");
    expect(run.texts[1]).toContain("[harness] jsonStringParse");
    expect(look.ran).toEqual([mended]);
    expect(outcomes).toMatchObject([
      { outcome: "repaired", executed: "not-run", taught: "none" },
      { outcome: "repaired", executed: "ok", taught: "note" },
    ]);
  });

  it("is prepared when the run is aborted in the middle, and every call is reported once", async () => {
    const controller = new AbortController();
    const outcomes: OutcomeEvent[] = [];
    const slow = recordingTool("look", {
      execute: async (_id, _params, signal) => {
        await wait(5);
        controller.abort();
        if (signal?.aborted) throw new Error("stopped");
        return { content: [], details: {} };
      },
    });
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", quoted, "c1"], ["look", { path: "b", depth: "2" }, "c2"])],
      tools: [slow],
      config: { toolExecution: "sequential", toolRepair: { onOutcome: (event) => outcomes.push(event) } },
      signal: controller.signal,
    });
    expect(slow.ran).toEqual([mended]);
    expect(run.calls.map((call) => call.arguments)).toEqual([mended, { path: "b", depth: 2 }]);
    expect(run.texts[0]).toContain("stopped");
    expect(run.texts[1]).toBe("Operation aborted");
    expect(outcomes).toMatchObject([
      { outcome: "repaired", modes: ["jsonStringParse"], executed: "error" },
      { outcome: "repaired", modes: ["numberFromString"], executed: "not-run" },
    ]);
  });

  it("is not prepared in a response that was aborted while it streamed", async () => {
    const controller = new AbortController();
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["look", { ...quoted, path: "x".repeat(200) }])],
      tools: [recordingTool("look")],
      signal: controller.signal,
      onEvent: (event: AgentEvent) => {
        if (event.type === "message_update") controller.abort();
      },
    });
    expect(run.results).toEqual([]);
    expect(run.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
    expect(run.calls.every((call) => !("repair" in call))).toBe(true);
  });
});

describe("ids, names and argument text", () => {
  it("are settled before anything runs", async () => {
    const look = recordingTool("look");
    const run = await fauxRun(runAgentLoop, {
      turns: [
        turn(["functions.look", { path: "a" }, ""], ["look", { path: "b" }, ""]),
        turn(["look", { path: "c" }, ""]),
      ],
      tools: [look],
    });
    expect(look.ran).toEqual([{ path: "a" }, { path: "b" }, { path: "c" }]);
    const ids = run.calls.map((call) => call.id);
    expect(new Set(ids).size).toBe(3);
    expect(run.results.map((result) => result.toolCallId)).toEqual(ids);
  });

  it("that name no tool are answered with the valid names", async () => {
    const outcomes: OutcomeEvent[] = [];
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["fly", { to: "secret" }], ["look", { path: "a" }])],
      tools: [recordingTool("look")],
      config: { toolRepair: { onOutcome: (event) => outcomes.push(event) } },
    });
    expect(run.texts[0]).toContain("Valid tool names: look.");
    expect(run.texts[1]).toBe("ran look");
    expect(outcomes[0]).toMatchObject({
      tool: "(unknown)",
      outcome: "refused",
      modes: ["unknownTool"],
      executed: "not-run",
    });
    expect(JSON.stringify(outcomes)).not.toMatch(/fly|secret|"to"/);
    const declared = JSON.stringify(run.requests.map((messages) => messages.filter(({ role }) => role === "system")));
    expect(declared).not.toContain("fly");
  });

  it("leave the list of tools as it was, whoever looks", async () => {
    const tools = [recordingTool("look")];
    const seen: unknown[] = [];
    await fauxRun(runAgentLoop, {
      turns: [turn(["fly", {}]), turn(["fly", {}, "c2"])],
      tools,
      config: {
        finishTurn: async ({ context }) => {
          seen.push(context.tools);
          return undefined;
        },
      },
    });
    expect(seen).toEqual([tools, tools, tools]);
  });
});

describe("a call made by a tool", () => {
  const nesting = (inner: AgentTool, args: unknown, more: object = {}): AgentTool =>
    recordingTool("outer", {
      execute: async (id) => {
        const outcome = await runToolCall(
          { type: "toolCall", id: `${id}/1`, name: "look", arguments: args as ToolCall["arguments"] },
          { tools: [inner], assistantMessage: current as AssistantMessage, context: { messages: [] }, ...more },
        );
        return { content: [{ type: "text", text: textOf(outcome.result) }], details: outcome };
      },
    });
  let current: AssistantMessage | undefined;
  const watch = (event: AgentEvent) => {
    if (event.type === "message_end" && event.message.role === "assistant") current = event.message;
  };

  it("is repaired like one of the model's, with the hooks it was given, in the session of the run", async () => {
    const look = recordingTool("look");
    const seen: unknown[] = [];
    const outcomes: OutcomeEvent[] = [];
    const beforeToolCall = async ({ args }: { args: unknown }) => {
      seen.push(args);
      return undefined;
    };
    const outer = nesting(look, quoted, { beforeToolCall });
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["outer", { path: "o" }, "c1"]), turn(["outer", { path: "o" }, "c2"])],
      tools: [outer],
      config: { toolRepair: { onOutcome: (event) => outcomes.push(event) } },
      onEvent: watch,
    });
    expect(look.ran).toEqual([mended, mended]);
    expect(seen).toEqual([mended, mended]);
    expect(run.texts[0]).toContain("[harness] jsonStringParse");
    expect(run.texts[1]).toBe("ran look");
    expect(outcomes.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      "look repaired",
      "outer clean",
      "look repaired",
      "outer clean",
    ]);
  });

  it("bounces with the text that teaches, and never rejects", async () => {
    const look = recordingTool("look");
    const run = await fauxRun(runAgentLoop, {
      turns: [turn(["outer", { path: "o" }])],
      tools: [nesting(look, { path: null })],
      onEvent: watch,
    });
    expect(run.texts[0]).toMatch(/path: expected/);
    expect(look.ran).toEqual([]);
  });

  it("is upstream's with toolRepair false, and works on its own", async () => {
    const message = turn(["look", quoted]);
    const call = { type: "toolCall" as const, id: "n", name: "look", arguments: { path: "a", depth: "4.5" } };
    const options = { tools: [recordingTool("look")], assistantMessage: message, context: { messages: [] } };
    const expected = await upstreamRunToolCall(call, options);
    const off = await runToolCall(call, { ...options, toolRepair: false });
    expect({ ...off, durationMs: 0 }).toEqual({ ...expected, durationMs: 0 });
    const own = await runToolCall({ ...call, arguments: quoted }, options);
    expect(own).toMatchObject({ isError: false, toolCall: { arguments: mended } });
  });

  it("goes to the run that executes its message, among hundreds that ended", async () => {
    const call = turn(["look", { path: "a" }, "c"]);
    for (let run = 0; run < 200; run++) await fauxRun(runAgentLoop, { turns: [call], tools: [recordingTool("look")] });
    const look = recordingTool("look");
    const outcomes: string[] = [];
    const onOutcome = ({ tool, outcome }: OutcomeEvent) => void outcomes.push(`${tool} ${outcome}`);
    await fauxRun(runAgentLoop, {
      turns: [turn(["outer", { path: "o" }, "c1"])],
      tools: [nesting(look, quoted)],
      config: { toolRepair: { onOutcome } },
      onEvent: watch,
    });
    expect(look.ran).toEqual([mended]);
    expect(outcomes).toEqual(["look repaired", "outer clean"]);
    // The message is no longer executed: a call that names it late is one of its own.
    const late = { type: "toolCall" as const, id: "late", name: "look", arguments: quoted };
    await runToolCall(late, {
      tools: [look],
      assistantMessage: current as AssistantMessage,
      context: { messages: [] },
    });
    expect(look.ran).toEqual([mended, mended]);
    expect(outcomes).toHaveLength(2);
  });
});

describe("hints and gates", () => {
  const hinted = { aliases: { path: ["file"] } };
  const aliased = turn(["look", { file: "a" }]);

  it.each([
    ["of the options", {}, { hints: { look: hinted } }],
    ["on the tool", { hints: hinted }, {}],
  ])("are used: %s", async (_where, extra, toolRepair) => {
    const look = Object.assign(recordingTool("look"), extra);
    await fauxRun(runAgentLoop, { turns: [aliased], tools: [look], config: { toolRepair } });
    expect(look.ran).toEqual([{ path: "a" }]);
  });

  it("open for the models that the options name, and for no other", async () => {
    const run = async (families: string[]) => {
      const look = recordingTool("look");
      const toolRepair = { hints: { look: { pathFields: ["path"] } }, modelGates: { anchorBleed: families } };
      await fauxRun(runAgentLoop, {
        turns: [turn(["look", { path: "^a.ts$" }])],
        tools: [look],
        config: { toolRepair },
      });
      return look.ran;
    };
    expect(await run(["faux"])).toEqual([{ path: "a.ts" }]);
    expect(await run(["other"])).toEqual([{ path: "^a.ts$" }]);
  });

  it("leave calls that came through the tool interface alike in every profile", async () => {
    for (const profile of ["conservative", "adaptive", "recover"] as const) {
      const look = recordingTool("look");
      await fauxRun(runAgentLoop, {
        turns: [turn(["look", quoted])],
        tools: [look],
        config: { toolRepair: { profile } },
      });
      expect(look.ran).toEqual([mended]);
    }
  });
});

describe("a tool that prepares its arguments itself", () => {
  const owned = (): ReturnType<typeof recordingTool> =>
    recordingTool("look", {
      prepareArguments: (args) => {
        const { where, ...rest } = args as { where?: string };
        return (where === undefined ? rest : { ...rest, path: where }) as never;
      },
    });

  it("still takes the shapes that its schema does not show, as they were sent", async () => {
    const look = owned();
    const run = await fauxRun(runAgentLoop, { turns: [turn(["look", { where: "w" }])], tools: [look] });
    expect(look.ran).toEqual([{ path: "w" }]);
    expect(run.calls[0]).not.toHaveProperty("repair");
  });

  it("gets repaired arguments where it does not help", async () => {
    const look = owned();
    await fauxRun(runAgentLoop, { turns: [turn(["look", quoted])], tools: [look] });
    expect(look.ran).toEqual([mended]);
  });
});

describe("session state", () => {
  const repeatedly = (count: number) =>
    Array.from({ length: count }, (_, index) => turn(["look", quoted, `c${index}`]));
  const noted = (texts: readonly string[]) =>
    texts.flatMap((text, index) => (text.includes("[harness]") ? [index + 1] : []));

  it("notes the first firing, then every fifth, or as the option says", async () => {
    const run = (teach: boolean | { repeatEvery: number }) =>
      fauxRun(runAgentLoop, {
        turns: repeatedly(10),
        tools: [recordingTool("look")],
        config: { toolRepair: { teach } },
      });
    expect(noted((await run(true)).texts)).toEqual([1, 5, 10]);
    expect(noted((await run({ repeatEvery: 3 })).texts)).toEqual([1, 3, 6, 9]);
    expect(noted((await run(false)).texts)).toEqual([]);
  });

  it("lives over prompts and survives resume, from the transcript's repair records", async () => {
    const tools = [recordingTool("look")];
    const first = await fauxRun(runAgentLoop, { turns: repeatedly(2), tools });
    expect(noted(first.texts)).toEqual([1]);
    const stored = JSON.parse(JSON.stringify(first.messages));
    const second = await fauxRun(runAgentLoop, { turns: repeatedly(3), tools, messages: stored });
    expect(noted(second.texts)).toEqual([3]);
  });

  it("is the caller's own where one is given, shared over runs that know nothing of each other", async () => {
    const session = new RepairSession();
    const run = () =>
      fauxRun(runAgentLoop, {
        turns: repeatedly(1),
        tools: [recordingTool("look")],
        config: { toolRepair: { session } },
      });
    expect(noted((await run()).texts)).toEqual([1]);
    expect(noted((await run()).texts)).toEqual([]);
  });

  it("belongs to an Agent's conversation: it goes on over prompts, and starts anew with another transcript", async () => {
    const core = fauxOf([...repeatedly(1), DONE, ...repeatedly(1), DONE, ...repeatedly(1), DONE]);
    const agent = new Agent({
      initialState: { model: core.getModel(), tools: [recordingTool("look")] },
      streamFn: core.streamSimple,
    });
    const last = () => textOf(agent.state.messages.findLast((message) => message.role === "toolResult") as never);
    await agent.prompt("one");
    expect(last()).toContain("[harness]");
    await agent.prompt("two");
    expect(last()).not.toContain("[harness]");
    agent.reset();
    await agent.prompt("three");
    expect(last()).toContain("[harness]");
  });

  it("counts a mode with a standing rule as taught by it, when no note is due", async () => {
    const session = new RepairSession();
    session.rules.add("jsonStringParse");
    const outcomes: CallOutcome[] = [];
    const toolRepair = { session, onOutcome: (event: OutcomeEvent) => void outcomes.push(event as CallOutcome) };
    await fauxRun(runAgentLoop, { turns: repeatedly(2), tools: [recordingTool("look")], config: { toolRepair } });
    expect(outcomes.map(({ taught }) => taught)).toEqual(["note", "rule"]);
  });
});

describe("a response that the token limit cut", () => {
  it("runs nothing, and each of its calls is reported as refused", async () => {
    const outcomes: OutcomeEvent[] = [];
    const cut = fauxAssistantMessage(turn(["look", quoted]).content as never, { stopReason: "length", timestamp: 1 });
    const run = await fauxRun(runAgentLoop, {
      turns: [cut],
      tools: [recordingTool("look", { parameters: LOOK })],
      config: { toolRepair: { onOutcome: (event) => outcomes.push(event) } },
    });
    expect(run.texts[0]).toContain("output token limit");
    expect(outcomes).toMatchObject([{ tool: "look", outcome: "refused", modes: ["truncated"], executed: "not-run" }]);
  });
});
