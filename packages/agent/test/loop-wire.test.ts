// The decorated loop over loopback HTTP, with upstream's own provider stream and SDK behind it: what a server can get wrong
// is settled by the loop's guard, then prepared, then executed by upstream.
import type { AgentEvent, AgentTool, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message, Model, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions";
import { streamSimple as guardedStreamSimple } from "@pi-mend/ai/api/openai-completions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireCall, WireEnding } from "../../ai/test/support/encoders/encoder.ts";
import { openaiCompletionsEncoder as encoder } from "../../ai/test/support/encoders/openai-completions.ts";
import { type Loopback, startLoopback } from "../../ai/test/support/loopback.ts";
import { testModel } from "../../ai/test/support/test-model.ts";
import { type AgentLoopConfig, type OutcomeEvent, runAgentLoop } from "../src/index.ts";
import { PROMPT, textOf } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

let server: Loopback;
beforeAll(async () => {
  server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
});
afterAll(() => server.close());

interface WireOptions {
  readonly calls: readonly (Partial<WireCall> & { readonly rawArguments: string })[];
  readonly ending?: WireEnding;
  readonly tools?: AgentTool[];
  readonly config?: Partial<AgentLoopConfig>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
  /** The provider's stream function; upstream's by default. */
  readonly stream?: typeof streamSimple;
  /** One chunk a piece, so that the answer takes its time. */
  readonly slow?: boolean;
}

async function overWire(options: WireOptions) {
  const calls = options.calls.map((call, index) => ({ id: `call_${index}`, name: "look", ...call }));
  const bytes = Buffer.from(encoder.encode(calls, options.ending ?? { finish: "toolUse" }));
  const pieces = options.slow
    ? bytes
        .toString("utf8")
        .split(/(?<=\n\n)/)
        .map((text) => Buffer.from(text))
    : [bytes];
  const end = encoder.encode([], { finish: "stop" });
  server.answer = { contentType: encoder.contentType, pieces };
  server.requests.length = 0;
  const streamFn: StreamFn = (model, context, streamOptions) =>
    (options.stream ?? streamSimple)(model as Model<"openai-completions">, context, {
      ...streamOptions,
      apiKey: "test",
      maxRetries: 0,
    });
  const messages = await runAgentLoop(
    [PROMPT],
    { messages: [], tools: options.tools ?? [recordingTool("look")] },
    {
      model: testModel("openai-completions", `${server.url}/v1`),
      convertToLlm: (list) => list as Message[],
      ...options.config,
    },
    (event) => {
      options.onEvent?.(event);
      if (event.type === "turn_end") server.answer = { contentType: encoder.contentType, pieces: [end] };
    },
    options.signal,
    streamFn,
  );
  const made = messages.filter((one): one is AssistantMessage => one.role === "assistant");
  return {
    made,
    calls: made.flatMap(({ content }) => content.filter((block): block is ToolCall => block.type === "toolCall")),
    texts: messages.filter((one): one is ToolResultMessage => one.role === "toolResult").map(textOf),
  };
}

const quoted = { rawArguments: '{"path": "a", "tags": "[\\"x\\"]"}' };
const mended = { path: "a", tags: ["x"] };

describe("over loopback HTTP", () => {
  it("takes the guarded stream of the provider, too", async () => {
    const look = recordingTool("look");
    const calls = [
      { id: "", ...quoted },
      { id: "", name: "Look", rawArguments: "{'path': 'b'}" },
    ];
    const outcomes: OutcomeEvent[] = [];
    const toolRepair = { onOutcome: (event: OutcomeEvent) => void outcomes.push(event) };
    const run = await overWire({ calls, tools: [look], stream: guardedStreamSimple, config: { toolRepair } });
    expect(look.ran).toEqual([mended, { path: "b" }]);
    expect(new Set(run.calls.map(({ id }) => id)).size).toBe(2);
    expect(run.made.map(({ stopReason }) => stopReason)).toEqual(["toolUse", "stop"]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["repaired", "repaired"]);
    expect(run.texts[0]).toMatch(/\[harness] jsonStringParse/);
  });

  it.each(["parallel", "sequential"] as const)(
    "calls without ids run repaired and get their results: %s",
    async (toolExecution) => {
      const look = recordingTool("look");
      const order: string[] = [];
      const { calls, texts } = await overWire({
        calls: [{ ...quoted, id: "" }, { rawArguments: "{'path': 'b'}", id: "" }, { rawArguments: '{"path":"c"}' }],
        tools: [look],
        config: { toolExecution },
        onEvent: (event) => {
          if (event.type.startsWith("tool_execution")) order.push(event.type.slice("tool_execution_".length));
        },
      });
      expect(look.ran).toEqual([mended, { path: "b" }, { path: "c" }]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
      expect(order).toEqual(
        toolExecution === "parallel"
          ? ["start", "start", "start", "end", "end", "end"]
          : ["start", "end", "start", "end", "start", "end"],
      );
      expect(texts[0]).toContain("[harness] jsonStringParse");
      expect(texts[1]).toContain("[harness] rawArgumentsRead");
      const results = (server.requests[1] as { messages: { role: string; tool_call_id?: string }[] }).messages.filter(
        ({ role }) => role === "tool",
      );
      expect(results.map((result) => result.tool_call_id)).toEqual(calls.map(({ id }) => id));
    },
  );

  it("a call that was cut off does not run, whatever the finish reason says, and its neighbour does", async () => {
    const look = recordingTool("look");
    const outcomes: OutcomeEvent[] = [];
    const { texts } = await overWire({
      calls: [{ rawArguments: '{"path":"b"}' }, { rawArguments: '{"path":"secret-ha' }],
      tools: [look],
      config: { toolRepair: { onOutcome: (event) => outcomes.push(event) } },
    });
    expect(look.ran).toEqual([{ path: "b" }]);
    expect(texts[1]).toMatch(/cut off/);
    expect(texts[1]).not.toContain("secret");
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["clean", "refused"]);
  });

  it("an abort while the answer streams runs nothing", async () => {
    const controller = new AbortController();
    const look = recordingTool("look");
    const { made } = await overWire({
      calls: [{ rawArguments: `{"path":"${"x".repeat(2_000)}","depth":"2"}` }],
      tools: [look],
      slow: true,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "message_update" && event.assistantMessageEvent.type === "toolcall_delta")
          controller.abort();
      },
    });
    expect(made.map(({ stopReason }) => stopReason)).toEqual(["aborted"]);
    expect(look.ran).toEqual([]);
  });

  it("an abort between two calls leaves the second with a result and not run", async () => {
    const controller = new AbortController();
    const look = recordingTool("look", {
      execute: async () => {
        controller.abort();
        return { content: [{ type: "text", text: "first" }], details: {} };
      },
    });
    const { texts, calls } = await overWire({
      calls: [quoted, { rawArguments: '{"path":"b","depth":"2"}' }],
      tools: [look],
      config: { toolExecution: "sequential" },
      signal: controller.signal,
    });
    expect(look.ran).toEqual([mended]);
    expect(texts[0]).toMatch(/^first\n\[harness]/);
    expect(texts[1]).toBe("Operation aborted");
    expect(calls[1]).toMatchObject({ arguments: { path: "b", depth: 2 } });
  });

  it("a hook that blocks sees the repaired call and has the last word", async () => {
    const seen: unknown[] = [];
    const look = recordingTool("look");
    const { texts } = await overWire({
      calls: [quoted],
      tools: [look],
      config: {
        beforeToolCall: async ({ args }) => {
          seen.push(args);
          return { block: true, reason: "not allowed" };
        },
      },
    });
    expect(seen).toEqual([mended]);
    expect(texts).toEqual(["not allowed"]);
    expect(look.ran).toEqual([]);
  });

  it("a tool that changes its arguments changes neither transcript nor history", async () => {
    const look = recordingTool("look", {
      execute: async (_id, params) => {
        const { tags } = params as { tags: string[] };
        tags.length = 0;
        return { content: [], details: {} };
      },
    });
    const { calls } = await overWire({ calls: [quoted], tools: [look] });
    expect(calls[0]?.arguments).toEqual(mended);
    const sent = JSON.stringify(server.requests[1]);
    expect(sent).toContain(JSON.stringify(JSON.stringify(mended)).slice(1, -1));
  });
});
