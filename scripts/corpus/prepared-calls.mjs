// The calls of a finished message as they would run, against the calls a report expects.

import { isDeepStrictEqual } from "node:util";
import { prepareToolCall } from "../../packages/agent/dist/prepare-tool-call.js";

/** @returns {{verdict: "right"|"wrong"|"needless", detail?: string}} */
export function scoreCalls(row, message) {
  const tools = new Map(row.tools.map((tool) => [tool.name, tool]));
  const blocks = message.content.filter((block) => block.type === "toolCall");
  // pi runs none of the calls of a message that was cut off, failed or was stopped.
  const isExecuted = !["length", "error", "aborted"].includes(message.stopReason);
  const ran = blocks
    .map((block) => prepareToolCall(block, tools, { model: row.model }))
    .filter((call) => isExecuted && call.outcome !== "bounced")
    .map(({ block }) => ({ name: block.name, arguments: block.arguments }));
  const detail = JSON.stringify(ran);
  if (row.expect.action === "bounce") {
    // One refused call is enough: the whole ones beside it may run.
    return ran.length < blocks.length || !isExecuted ? { verdict: "right" } : { verdict: "wrong", detail };
  }
  const ids = new Set(blocks.map((block) => block.id));
  if (ids.size < blocks.length || ids.has("")) return { verdict: "wrong", detail: "ids" };
  if (isDeepStrictEqual(ran, row.expect.calls)) return { verdict: "right" };
  return { verdict: ran.length < row.expect.calls.length ? "needless" : "wrong", detail };
}
