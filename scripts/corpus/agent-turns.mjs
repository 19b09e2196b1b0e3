// Scores the rows of misc.jsonl that are about what a model reads after a call: replies over a loopback server through the
// decorated agent loop, and the bodies of the requests that followed.

import { isRetryableAssistantError } from "@earendil-works/pi-ai";
import { runAgentLoop } from "../../packages/agent/dist/index.js";
import { openaiCompletionsEncoder as encoder } from "../../packages/ai/test/support/encoders/openai-completions.ts";
import { startLoopback } from "../../packages/ai/test/support/loopback.ts";
import { testModel } from "../../packages/ai/test/support/test-model.ts";

const TEXT = { type: "string" };
const LEAKED = '<tool_call>{"name":"write","arguments":{"path":"a","content":"b"}}</tool_call>';

/** A call that was made from text is a call like any other: an id, its result behind it, and the text gone. */
export async function scoreRecovered() {
  const { requests, ran } = await runTurns([encoder.say(`Now.\n${LEAKED}`)], { profile: "recover" });
  const messages = requests[1]?.messages ?? [];
  const at = messages.findIndex((message) => message.tool_calls?.length === 1);
  const id = messages[at]?.tool_calls[0].id;
  const isPaired = Boolean(id) && messages[at + 1]?.role === "tool" && messages[at + 1].tool_call_id === id;
  return verdict(ran.length === 1 && isPaired && !JSON.stringify(messages).includes("<tool_call>"), messages);
}

/** A bounce names the place and shows a correct call; it does not show what was sent. */
export async function scoreErrorText(row) {
  const sample = row.raw.error_text.split("Received arguments: ")[1];
  const { requests, ran } = await runTurns([write(sample)]);
  const text = bounceIn(requests);
  const isShown = ["content: expected", "string", '{"path":"<path>","content":"<content>"}'].every((part) =>
    text?.includes(part),
  );
  return verdict(ran.length === 0 && isShown && !text.includes(sample), text);
}

/** What a refused call holds is no error of the provider: it is answered once, and nothing is tried again. */
export async function scoreNoRetry(row) {
  const { requests, replies } = await runTurns([write(JSON.stringify({ path: null, content: row.raw.error }))]);
  const isRetried = requests.length !== 2 || replies.some(isRetryableAssistantError);
  const text = bounceIn(requests);
  return verdict(!isRetried && text !== undefined && !/\d{3}/.test(text), text);
}

function verdict(isRight, seen) {
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(seen) };
}

function bounceIn(requests) {
  return requests[1]?.messages.find((message) => message.role === "tool")?.content;
}

function write(rawArguments) {
  return encoder.encode([{ id: "call_a", name: "write", rawArguments }], { finish: "toolUse" });
}

/** Runs replies and then "done" through the loop, with a tool that takes a path and a content. */
async function runTurns(bytes, toolRepair = {}) {
  const server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  const queue = [...bytes];
  const answer = () => ({ contentType: encoder.contentType, pieces: [queue.shift() ?? encoder.say("done")] });
  Object.defineProperty(server, "answer", { get: answer });
  const ran = [];
  const execute = async (_id, args) => {
    ran.push(args);
    return { content: [{ type: "text", text: "ok" }], details: {} };
  };
  const parameters = { type: "object", properties: { path: TEXT, content: TEXT }, required: ["path", "content"] };
  const tool = { name: "write", label: "write", description: "Writes.", parameters, execute };
  const config = { model: testModel(encoder.api, server.url), convertToLlm: (list) => list, toolRepair };
  const prompt = { role: "user", content: "go", timestamp: 0 };
  try {
    const stream = (_model, context) => encoder.stream(server.url, context);
    const messages = await runAgentLoop([prompt], { messages: [], tools: [tool] }, config, () => {}, undefined, stream);
    return { requests: server.requests, ran, replies: messages.filter(({ role }) => role === "assistant") };
  } finally {
    await server.close();
  }
}
