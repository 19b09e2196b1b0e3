// Scores the rows of misc.jsonl that are about a call's name: the call over a loopback server, as a report has it. Rows
// about files, schemas on the way out and stored history need more than one call and are counted apart.

import { runOpenAiStream } from "../../packages/ai/test/support/run-openai-stream.ts";
import { scoreCalls } from "./prepared-calls.mjs";

/** @returns {Promise<{verdict: "right"|"wrong"|"needless"|"unscored", detail?: string}>} */
export async function scoreMisc(row) {
  if (row.kind !== "name") return { verdict: "unscored", detail: row.kind };
  const { tools } = row.tool;
  const call = { index: 0, id: "call_a", type: "function", function: row.raw };
  const choice = (delta, finish_reason) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const { message } = await runOpenAiStream(tools, [choice({ tool_calls: [call] }, null), choice({}, "tool_calls")]);
  return scoreCalls({ ...row, tools }, message);
}
