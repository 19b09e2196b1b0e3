// Scores one row of streams.jsonl: reported chunks over a loopback server into the guarded chat-completions stream, then
// the step that every call of a finished message goes through.

import { isDeepStrictEqual } from "node:util";
import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";
import { scoreCalls } from "./prepared-calls.mjs";
import { replayCalls, sentArguments } from "./replay.mjs";

/** @returns {Promise<{verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}>} */
export async function scoreStream(row) {
  if (row.chunks.message !== undefined) return scoreHistory(row);
  if (row.chunks.native_id !== undefined) return scoreReplayedId(row);
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
  const sent = sentArguments(await replayCalls(toolCalls, stopReason));
  const isRight = sent.every((args) => isDeepStrictEqual(args, row.expect.args));
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(sent) };
}

/** A stored call is replayed to the row's model under an id of the form it was trained on, and so is its result. */
async function scoreReplayedId(row) {
  const name = row.tools[0].name;
  const calls = [{ id: row.chunks.native_id, name, arguments: {} }];
  const messages = await replayCalls(calls, "toolUse", { id: row.model });
  const ids = messages.flatMap((message) => [...(message.tool_calls ?? []).map(({ id }) => id), message.tool_call_id]);
  const isRight = isDeepStrictEqual(
    ids.filter((id) => id !== undefined),
    [`functions.${name}:0`, `functions.${name}:0`],
  );
  return isRight ? { verdict: "right" } : { verdict: "wrong", detail: JSON.stringify(ids) };
}
