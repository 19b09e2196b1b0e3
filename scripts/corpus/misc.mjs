// Scores the rows of misc.jsonl over a loopback server: a call's name, a schema on the way out, a stored call on the next
// turn, what a model reads after a call. Rows that state no request or reply to compare are counted apart.

import { isDeepStrictEqual } from "node:util";
import { anthropicEncoder } from "../../packages/ai/test/support/encoders/anthropic.ts";
import { startLoopback } from "../../packages/ai/test/support/loopback.ts";
import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";
import { runProviderStream } from "../../packages/ai/test/support/run-provider-stream.ts";
import { testContext } from "../../packages/ai/test/support/test-model.ts";
import { scoreErrorText, scoreNoRetry, scoreRecovered } from "./agent-turns.mjs";
import { scoreCalls } from "./prepared-calls.mjs";
import { replayCalls, sendSchema, sentArguments } from "./replay.mjs";

/** @returns {Promise<{verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}>} */
export async function scoreMisc(row) {
  if (row.kind === "schema-send" && row.expect.schema !== undefined) return scoreSchema(row);
  if (row.kind === "schema-send" && row.raw.$ref !== undefined) return scoreReference(row);
  if (row.kind === "schema-send" && row.raw.input_schema !== undefined) return scoreProxyFields(row);
  if (row.kind === "history" && row.expect.args !== undefined) return scoreArguments(row);
  if (row.kind === "history" && Array.isArray(row.raw)) return scoreOrphan(row);
  if (row.raw.recovered === true) return scoreRecovered();
  if (row.raw.error_text !== undefined) return scoreErrorText(row);
  if (row.expect.action === "no-retry") return scoreNoRetry(row);
  if (row.kind !== "name") return { verdict: "unscored", detail: row.kind };
  const { tools } = row.tool;
  const call = { index: 0, id: "call_a", type: "function", function: row.raw };
  const choice = (delta, finish_reason) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const { message } = await runOpenAiStream(tools, [choice({ tool_calls: [call] }, null), choice({}, "tool_calls")]);
  return scoreCalls({ ...row, tools }, message);
}

/** Ids of the models and providers that the rows name. */
const MODELS = {
  "Kimi API": { id: "kimi-k2", provider: "moonshotai" },
  Gemini: { id: "gemini-3-pro", provider: "openrouter" },
};

/** A field's schema is sent as a required field, so that "make it optional" shows. */
async function scoreSchema(row) {
  const isRoot = row.raw.properties !== undefined;
  const schema = isRoot ? row.raw : { type: "object", properties: { field: row.raw }, required: ["field"] };
  const expected = isRoot ? row.expect.schema : { type: "object", properties: { field: row.expect.schema } };
  const sent = await sendSchema(schema, MODELS[row.model]);
  return isDeepStrictEqual(sent, expected) ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(sent) };
}

/** A reference with keys beside it arrives as what it refers to, with those keys. */
async function scoreReference(row) {
  const { $ref, ...beside } = row.raw;
  const target = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const [, holder, name] = $ref.split("/");
  const schema = { type: "object", properties: { field: row.raw }, [holder]: { [name]: target } };
  const { field } = (await sendSchema(schema, MODELS[row.model])).properties;
  const isRight = isDeepStrictEqual(field, { ...target, ...beside });
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(field) };
}

/** The switch of a model's entry in pi's models.json takes the field that its proxy refuses out; without it the field is sent. */
async function scoreProxyFields(row) {
  const { name, input_schema: parameters, ...extra } = row.raw;
  const tools = [{ name, description: "The tool.", parameters }];
  const fieldsUnder = async (compat) => {
    const server = await startLoopback({ contentType: anthropicEncoder.contentType, pieces: [] });
    await runProviderStream(anthropicEncoder, server, [anthropicEncoder.say("ok")], testContext(tools), { compat });
    await server.close();
    return Object.keys(server.requests[0].tools[0]);
  };
  const usual = await fieldsUnder({});
  const switched = await fieldsUnder({ supportsEagerToolInputStreaming: false });
  const isRight = Object.keys(extra).every((key) => usual.includes(key) && !switched.includes(key));
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(switched) };
}

/** Arguments that were stored as the text that came: as parsed JSON where it is JSON. */
async function scoreArguments(row) {
  const calls = row.raw.tool_calls.map((call) => ({
    id: call.id ?? "call_a",
    name: call.function.name,
    arguments: parsedOr(call.function.arguments),
  }));
  const sent = sentArguments(await replayCalls(calls));
  const isRight = sent.length === calls.length && sent.every((args) => isDeepStrictEqual(args, row.expect.args));
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(sent) };
}

function parsedOr(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A call without a result must be followed by one. */
async function scoreOrphan(row) {
  const id = row.raw[0].toolCall;
  const messages = await replayCalls([{ id, name: "read", arguments: {} }]);
  const at = messages.findIndex((message) => message.tool_calls?.[0]?.id === id);
  const next = messages[at + 1];
  const isRight = at >= 0 && next?.role === "tool" && next.tool_call_id === id;
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(messages) };
}
