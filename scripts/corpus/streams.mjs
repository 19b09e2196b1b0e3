// Scores one row of streams.jsonl: reported chunks over a loopback server into the guarded chat-completions stream, then
// the step that every call of a finished message goes through.

import { isDeepStrictEqual } from "node:util";
import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";
import { scoreCalls } from "./prepared-calls.mjs";

/** @returns {Promise<{verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}>} */
export async function scoreStream(row) {
  if (row.chunks.message !== undefined) return scoreHistory(row);
  if (!Array.isArray(row.chunks)) return { verdict: "unscored", detail: "no chunks to send" };
  const { message } = await runOpenAiStream(row.tools, row.chunks);
  if (row.expect.action === "keep-text") {
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const isKept = text === row.expect.text && message.content.every((block) => block.type === "text");
    return isKept ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(message.content) };
  }
  return scoreCalls(row, message);
}

/** A stored call whose arguments are no object must not reach the next request as they are. */
async function scoreHistory(row) {
  const { toolCalls, stopReason } = row.chunks.message;
  const content = toolCalls.map((call) => ({ type: "toolCall", ...call }));
  const tools = toolCalls.map(({ name }) => ({ name, parameters: { type: "object", properties: {} } }));
  const head = { role: "user", content: "go on", timestamp: 0 };
  const stored = {
    role: "assistant",
    content,
    stopReason,
    api: "openai-completions",
    provider: "test",
    model: "test",
    timestamp: 0,
  };
  const usage = {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const chunks = [{ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }];
  const { request } = await runOpenAiStream(tools, chunks, [head, { ...stored, usage }, head]);
  const sent = request.messages
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => JSON.parse(call.function.arguments));
  const isRight = sent.every((args) => isDeepStrictEqual(args, row.expect.args));
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(sent) };
}
