// What later requests carry of a repaired call, read from the bodies that the real provider SDKs send over loopback HTTP:
// the repaired arguments, and the arguments as sent where a provider signed the block. The same for all six APIs.
import type { AgentMessage, AgentTool } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message } from "@earendil-works/pi-ai";
import { streamSimple as stockStream } from "@earendil-works/pi-ai/api/anthropic-messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderEncoder } from "../../ai/test/support/encoders/encoder.ts";
import { ENCODERS } from "../../ai/test/support/encoders/index.ts";
import { type Loopback, startLoopback } from "../../ai/test/support/loopback.ts";
import { reply, toolCall } from "../../ai/test/support/scripted-stream.ts";
import { testModel } from "../../ai/test/support/test-model.ts";
import { runAgentLoop, runAgentLoopContinue } from "../src/index.ts";
import { PROMPT } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

const SENT = { path: "a.ts", depth: "2" };
const RAN = { path: "a.ts", depth: 2 };
const SIGNATURE = Buffer.from("signed by the provider").toString("base64");

let server: Loopback;
beforeAll(async () => {
  server = await startLoopback({ contentType: "text/plain", pieces: [] });
});
afterAll(() => server.close());

/** Every arguments object in a body, whether it travels as JSON or as text. */
function argumentsIn(value: unknown): unknown[] {
  if (typeof value === "string") {
    if (!value.startsWith("{")) return [];
    try {
      return argumentsIn(JSON.parse(value));
    } catch {
      return [];
    }
  }
  if (typeof value !== "object" || value === null) return [];
  if ("path" in value && "depth" in value && typeof value.depth !== "object") return [value];
  return Object.values(value).flatMap(argumentsIn);
}

function loopOf(encoder: ProviderEncoder, tools: AgentTool[]) {
  const config = {
    model: testModel(encoder.api, server.url),
    convertToLlm: (list: AgentMessage[]) => list as Message[],
  };
  const end = encoder.encode([], { finish: "stop" });
  const streamFn = (_model: unknown, context: Parameters<ProviderEncoder["stream"]>[1]) =>
    encoder.stream(server.url, context);
  server.requests.length = 0;
  return {
    start(bytes: Uint8Array) {
      server.answer = { contentType: encoder.contentType, pieces: [bytes] };
      const answerEnd = (event: { type: string }) => {
        if (event.type === "tool_execution_start") server.answer = { contentType: encoder.contentType, pieces: [end] };
      };
      return runAgentLoop([PROMPT], { messages: [], tools }, config, answerEnd, undefined, streamFn);
    },
    resume(messages: readonly AgentMessage[]) {
      server.answer = { contentType: encoder.contentType, pieces: [end] };
      return runAgentLoopContinue({ messages: [...messages], tools }, config, () => {}, undefined, streamFn);
    },
  };
}

const replyOf = (encoder: ProviderEncoder) => {
  const calls = [{ id: "call_abc1", name: "look", rawArguments: JSON.stringify(SENT) }];
  return encoder.encode(calls, { finish: "toolUse" });
};

const firstCall = (messages: readonly AgentMessage[]) =>
  messages
    .find((one): one is AssistantMessage => one.role === "assistant")
    ?.content.find(({ type }) => type === "toolCall");

/** Up to the tool's result, as a session file gives it back, with the call signed. */
function signed(messages: readonly AgentMessage[]): AgentMessage[] {
  const stored: AgentMessage[] = JSON.parse(JSON.stringify(messages));
  Object.assign(firstCall(stored) ?? {}, { thoughtSignature: SIGNATURE });
  return stored.slice(0, stored.findIndex((message) => message.role === "toolResult") + 1);
}

describe.each(ENCODERS.map((encoder) => [encoder.api, encoder] as const))("%s", (_api, encoder) => {
  it("replays the repaired arguments and keeps the original in the transcript", async () => {
    const look = recordingTool("look");
    const messages = await loopOf(encoder, [look]).start(replyOf(encoder));
    expect(look.ran).toEqual([RAN]);
    expect(firstCall(messages)).toMatchObject({
      arguments: RAN,
      repair: { names: ["numberFromString"], original: SENT },
    });
    expect(server.requests).toHaveLength(2);
    expect(argumentsIn(server.requests[0])).toEqual([]);
    expect(argumentsIn(server.requests[1])).toEqual([RAN]);
    expect(JSON.stringify(server.requests[1])).not.toMatch(/"repair\\*"|"original\\*"/);
  });

  it("replays the arguments as sent on a block that a provider signed, and leaves the transcript as it is", async () => {
    const messages = signed(await loopOf(encoder, [recordingTool("look")]).start(replyOf(encoder)));
    await loopOf(encoder, [recordingTool("look")]).resume(messages);
    expect(server.requests).toHaveLength(1);
    expect(argumentsIn(server.requests[0])).toEqual([SENT]);
    expect(firstCall(messages)).toMatchObject({ arguments: RAN });
  });

  it("shows the model the whole text of a bounce in the next request", async () => {
    const calls = [{ id: "call_abc1", name: "look", rawArguments: JSON.stringify({ path: null, depth: 1 }) }];
    await loopOf(encoder, [recordingTool("look")]).start(encoder.encode(calls, { finish: "toolUse" }));
    const body = JSON.stringify(server.requests[1]);
    expect(body).toContain("the call was not run");
    expect(body).toContain("path: expected");
    expect(body).toContain("<path>");
  });
});

it("google-generative-ai: a signature on the wire comes back with the arguments it was given for", async () => {
  const encoder = ENCODERS.find(({ api }) => api === "google-generative-ai") as ProviderEncoder;
  const text = Buffer.from(replyOf(encoder)).toString("utf8");
  const bytes = Buffer.from(text.replace('{"functionCall"', `{"thoughtSignature":"${SIGNATURE}","functionCall"`));
  const look = recordingTool("look");
  const messages = await loopOf(encoder, [look]).start(bytes);
  expect(look.ran).toEqual([RAN]);
  expect(firstCall(messages)).toMatchObject({ arguments: RAN, thoughtSignature: SIGNATURE });
  expect(argumentsIn(server.requests[1])).toEqual([SENT]);
  expect(JSON.stringify(server.requests[1])).toContain(SIGNATURE);
});

it("stored ids that a stock adapter would make one are sent apart, each with its result", async () => {
  const encoder = ENCODERS.find(({ api }) => api === "anthropic-messages") as ProviderEncoder;
  server.answer = { contentType: encoder.contentType, pieces: [encoder.encode([], { finish: "stop" })] };
  server.requests.length = 0;
  const model = testModel("anthropic-messages", server.url);
  const foreign = { api: "openai-completions", provider: "elsewhere", model: "other" };
  const history = ["a:b", "a_b"].flatMap((id): AgentMessage[] => [
    { ...reply([toolCall(id, "look", RAN)], "toolUse"), ...foreign } as AssistantMessage,
    { role: "toolResult", toolCallId: id, toolName: "look", content: [], isError: false, timestamp: 0 },
  ]);
  const config = { model, convertToLlm: (list: AgentMessage[]) => list as Message[], apiKey: "test", maxRetries: 0 };
  const messages = [PROMPT, ...history];
  await runAgentLoopContinue(
    { messages, tools: [recordingTool("look")] },
    config,
    () => {},
    undefined,
    (_, context, options) => stockStream(model, context, options),
  );
  const body = JSON.stringify(server.requests[0]);
  const ids = [...body.matchAll(/"(?:tool_use_id|type":"tool_use","id)":"([^"]*)"/g)].map(([, id]) => id as string);
  expect(ids).toEqual(["a_b", "a_b", expect.stringMatching(/^m\w{8}$/), ids[2]]);
});
