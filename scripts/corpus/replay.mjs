// What a backend gets on the next turn: a stored message, or a schema, over a loopback server through the guarded
// chat-completions stream. Runs for the rows that are about requests; never scores.

import { streamSimple } from "../../packages/ai/src/api/openai-completions.ts";
import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";

const PROMPT = { role: "user", content: "go on", timestamp: 0 };
const ANSWER = [{ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }];
const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: COST };
const SOURCE = { api: "openai-completions", provider: "test", model: "test" };

/** @returns {Promise<object[]>} the messages sent to a model after a stored message with these calls */
export async function replayCalls(toolCalls, stopReason = "toolUse", model = {}) {
  const content = toolCalls.map((call) => ({ type: "toolCall", ...call }));
  const tools = toolCalls.map(({ name }) => ({ name, parameters: { type: "object", properties: {} } }));
  const stored = { role: "assistant", content, stopReason, ...SOURCE, timestamp: 0, usage: USAGE };
  const { request } = await runOpenAiStream(tools, ANSWER, [PROMPT, stored, PROMPT], streamTo(model));
  return request.messages;
}

/** @returns {object[]} the arguments of every call in sent messages */
export function sentArguments(messages) {
  return messages.flatMap((message) => message.tool_calls ?? []).map((call) => JSON.parse(call.function.arguments));
}

/** @returns {Promise<object>} the schema as it is sent to one model of one provider */
export async function sendSchema(parameters, model) {
  const { request } = await runOpenAiStream([{ name: "probe", parameters }], ANSWER, [PROMPT], streamTo(model));
  return request.tools[0].function.parameters;
}

function streamTo(model) {
  return (plain, context, options) => streamSimple({ ...plain, ...model }, context, options);
}
