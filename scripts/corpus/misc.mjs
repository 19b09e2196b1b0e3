// Scores the rows of misc.jsonl over a loopback server: a call's name, a schema on the way out, a stored call on the next
// turn. Rows that state no request or reply to compare are counted apart.

import { isDeepStrictEqual } from "node:util";
import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";
import { scoreCalls } from "./prepared-calls.mjs";
import { replayCalls, sendSchema, sentArguments } from "./replay.mjs";

/** @returns {Promise<{verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}>} */
export async function scoreMisc(row) {
  if (row.kind === "schema-send" && row.expect.schema !== undefined) return scoreSchema(row);
  if (row.kind === "history" && row.expect.args !== undefined) return scoreArguments(row);
  if (row.kind === "history" && Array.isArray(row.raw)) return scoreOrphan(row);
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
