// What pi-mend relies on in the installed pi-agent-core, driven over loopback HTTP: one test a fact. Each name opens with
// the fact's id and closes with what pi-mend may drop or must change on the day the test fails.

import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  type AgentLoopConfig,
  type AgentMessage,
  type AgentTool,
  runAgentLoop,
  runToolCall,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message, Model, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions";
import { afterEach, describe, expect, test } from "vitest";

/** One answer of the model: calls as raw argument text (none means the word "done"), and how it stops (null: it dies). */
type Answer = { readonly calls?: readonly string[]; readonly finish?: string | null };

let server: Server | undefined;
afterEach(async () => {
  await new Promise((done) => (server === undefined ? done(undefined) : server.close(done)));
  server = undefined;
});

function answerBytes({ calls, finish }: Answer): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = calls?.map((text, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name: "probe", arguments: text },
  }));
  const delta = tool_calls === undefined ? { content: "done" } : { tool_calls };
  if (finish === null) return chunk(delta, null);
  return `${chunk(delta, null)}${chunk({}, finish ?? (calls === undefined ? "stop" : "tool_calls"))}data: [DONE]\n\n`;
}

/** A loopback completions endpoint that gives these answers in turn, then "done" for ever. */
async function modelOf(answers: readonly Answer[]): Promise<Model<"openai-completions">> {
  const queue = [...answers];
  const started = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.end(answerBytes(queue.shift() ?? {}));
  });
  server = started;
  await new Promise<void>((ready) => started.listen(0, "127.0.0.1", ready));
  return {
    id: "m",
    name: "m",
    api: "openai-completions",
    provider: "loopback",
    baseUrl: `http://127.0.0.1:${(started.address() as AddressInfo).port}/v1`,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 8000,
    maxTokens: 1000,
  };
}

const wire: StreamFn = (model, context, options) =>
  streamSimple(model as Model<"openai-completions">, context, { ...options, apiKey: "k", maxRetries: 0 });

function probeTool(extra: Partial<AgentTool> = {}): AgentTool & { readonly ran: unknown[] } {
  const ran: unknown[] = [];
  return {
    name: "probe",
    label: "probe",
    description: "records what it gets",
    parameters: { type: "object", properties: { path: { type: "string" } } },
    async execute(_id, params) {
      ran.push(params);
      return { content: [{ type: "text", text: "ran" }], details: {} };
    },
    ...extra,
    ran,
  };
}

async function loop(
  answers: readonly Answer[],
  tool: AgentTool,
  config: Partial<AgentLoopConfig> = {},
  streamFn = wire,
  compat?: Model<"openai-completions">["compat"],
) {
  const model = { ...(await modelOf(answers)), ...(compat === undefined ? {} : { compat }) };
  const messages = await runAgentLoop(
    [{ role: "user", content: "go", timestamp: 1 }],
    { messages: [], tools: [tool] },
    { model, convertToLlm: (list) => list as Message[], ...config },
    () => {},
    undefined,
    streamFn,
  );
  return { messages, results: messages.filter((one): one is ToolResultMessage => one.role === "toolResult") };
}

const textOf = (result: ToolResultMessage | undefined): string =>
  (result?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

const firstCall = (messages: readonly AgentMessage[]): ToolCall | undefined =>
  messages
    .filter((one): one is AssistantMessage => one.role === "assistant")
    .flatMap((one) => one.content.filter((block) => block.type === "toolCall"))[0];

describe("agent loop", () => {
  test("F4b: prepareArguments of a malformed call gets {} and the call fails whatever it returns; else: envelope repair may move from the final message to prepareArguments", async () => {
    const seen: unknown[] = [];
    const tool = probeTool({
      prepareArguments: (args) => {
        seen.push(args);
        return { path: "from prepareArguments" };
      },
    });
    const { results } = await loop([{ calls: ['"a.txt"', '[{"path":"a.txt"}]', '{"path":"a'] }], tool);
    expect(seen).toEqual([{}, {}, {}]);
    expect(tool.ran).toEqual([]);
    expect(results.map((result) => result.isError)).toEqual([true, true, true]);
  });

  test("F6: finish_reason length fails every call of the message, complete ones too; else: the guard must bounce the cut calls of a length stop itself", async () => {
    const tool = probeTool();
    const { results } = await loop([{ calls: ['{"path":"a"}', '{"path":"b'], finish: "length" }], tool);
    expect(tool.ran).toEqual([]);
    expect(results).toHaveLength(2);
    for (const result of results) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("output token limit");
    }
  });

  test("F6: half an object labelled tool_calls is refused only for its argumentsError, its complete neighbour runs; else: the truncation guard may be dropped", async () => {
    const tool = probeTool();
    const { results } = await loop([{ calls: ['{"path":"a"}', '{"path":"b'] }], tool);
    expect(tool.ran).toEqual([{ path: "a" }]);
    expect(results.map((result) => result.isError)).toEqual([false, true]);
    expect(textOf(results[1])).toContain('Received arguments:\n{"path":"b');

    const stripped: StreamFn = async (model, context, options) => {
      const events = await wire(model, context, options);
      const message = await events.result();
      for (const block of message.content) if (block.type === "toolCall") delete block.argumentsError;
      return events;
    };
    await new Promise((done) => server?.close(done));
    const again = probeTool();
    await loop([{ calls: ['{"path":"b'] }], again, {}, stripped);
    expect(again.ran).toEqual([{}]);
  });

  test("F6: a stream that dies runs nothing, and reads toolUse where the backend sends no finish_reason; else: the guard must treat dead streams itself", async () => {
    const strict = probeTool();
    const dead = await loop([{ calls: ['{"path":"a"}'], finish: null }], strict);
    expect(dead.messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "error" });
    await new Promise((done) => server?.close(done));

    const lax = probeTool();
    const answers = [{ calls: ['{"path":"a'], finish: null }];
    const { messages, results } = await loop(answers, lax, {}, wire, { supportsFinishReason: false });
    expect(messages.find((one) => one.role === "assistant")).toMatchObject({ stopReason: "toolUse" });
    expect(textOf(results[0])).toContain("Received arguments:");
    expect([...strict.ran, ...lax.ran]).toEqual([]);
  });

  test("F9: the loop and runToolCall share one call site of validateToolArguments; else: packages/agent must decorate each new one", async () => {
    const folder = fileURLToPath(new URL(".", import.meta.resolve("@earendil-works/pi-agent-core")));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
    const sites = files.flatMap((name) =>
      [...readFileSync(`${folder}${name}`, "utf8").matchAll(/\bvalidateToolArguments\(/g)].map(() => name),
    );
    expect(sites).toEqual(["agent-loop.js"]);

    const tool = probeTool({
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    });
    const { messages, results } = await loop([{ calls: ["{}"] }], tool);
    const nested = await runToolCall(firstCall(messages) as ToolCall, {
      tools: [tool],
      assistantMessage: messages.find((one): one is AssistantMessage => one.role === "assistant") as AssistantMessage,
      context: { messages: [], tools: [tool] },
    });
    expect(textOf(results[0])).toContain("path: missing");
    expect(nested.isError).toBe(true);
    expect(nested.result.content).toEqual(results[0]?.content);
  });

  test("F9: beforeToolCall sees validated arguments and blocks, afterToolCall replaces content; else: teach notes and outcome events need another hook", async () => {
    const seen: unknown[] = [];
    const tool = probeTool();
    const { results } = await loop([{ calls: ['{"path":1}', '{"path":"no"}'] }], tool, {
      beforeToolCall: async ({ args }) => {
        seen.push(args);
        return (args as { path: string }).path === "no" ? { block: true, reason: "blocked here" } : undefined;
      },
      afterToolCall: async ({ result }) => ({ content: [...result.content, { type: "text", text: " + note" }] }),
    });
    expect(seen).toEqual([{ path: "1" }, { path: "no" }]);
    expect(tool.ran).toEqual([{ path: "1" }]);
    expect(results.map(textOf)).toEqual(["ran + note", "blocked here"]);
  });

  test("F9: neither hook runs for a call that fails validation; else: bounces may be counted and taught in afterToolCall", async () => {
    let hooks = 0;
    const count = async () => {
      hooks++;
      return undefined;
    };
    const { results } = await loop([{ calls: ['{"path":{}}'] }], probeTool(), {
      beforeToolCall: count,
      afterToolCall: count,
    });
    expect(results[0]?.isError).toBe(true);
    expect(hooks).toBe(0);
  });

  test("F9: an injected streamFn's final message is the one executed; else: the agent-loop door cannot ride on streamFn", async () => {
    const patched: StreamFn = async (model, context, options) => {
      const events = await wire(model, context, options);
      const message = await events.result();
      for (const block of message.content) if (block.type === "toolCall") block.arguments = { path: "injected" };
      return events;
    };
    const tool = probeTool();
    const { messages } = await loop([{ calls: ['{"path":"wire"}'] }], tool, {}, patched);
    expect(tool.ran).toEqual([{ path: "injected" }]);
    expect(firstCall(messages)?.arguments).toEqual({ path: "injected" });
  });

  test("F9: a tool gets a deep copy of the arguments; else: the doors must clone before a repaired value reaches a tool", async () => {
    const tool = probeTool({
      parameters: { type: "object", properties: { deep: { type: "object" } } },
      async execute(_id, params) {
        (params as { deep: { touched?: boolean } }).deep.touched = true;
        return { content: [], details: {} };
      },
    });
    const { messages, results } = await loop([{ calls: ['{"deep":{}}'] }], tool);
    expect(results[0]?.isError).toBe(false);
    expect(firstCall(messages)?.arguments).toEqual({ deep: {} });
  });
});
