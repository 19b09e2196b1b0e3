// Scores one row of texts.jsonl or engine-texts.jsonl: the calls that a message's text holds, against the expected ones, and
// the text that remains where the row names it. Surrounding white space of the text does not count.

import { isDeepStrictEqual } from "node:util";
import { builtinToolHints } from "../../packages/coding-agent/src/core/tool-hints.ts";

/** The built module, or its source where nothing is built (a Node that strips types). */
async function load(module) {
  const source = `../../packages/ai/src/utils/tool-repair/${module}.ts`;
  try {
    return await import(`../../packages/ai/dist/utils/tool-repair/${module}.js`);
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return await import(source);
  }
}

const { readLeakedCalls } = await load("grammars/read-leaked-calls");
const { repairToolArguments } = await load("repairer");

/**
 * Right: the same calls in order (or one of `altCalls`) and, where given, the same text. Wrong: a call that is not
 * expected, or other arguments. Needless: an expected call is missing, or only the text differs.
 *
 * @returns {{verdict: "right"|"wrong"|"needless", detail?: string}}
 */
export function scoreText(row) {
  const tools = row.tools.map((tool) => ({ ...tool, hints: builtinToolHints[tool.name] }));
  const got = readLeakedCalls(row.text, tools, { model: row.model });
  const calls = got.calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const accepted = [row.expect.calls, ...(row.altCalls ?? [])];
  const isExpected = (list) =>
    [list, repaired(list, tools)].some((other) => isDeepStrictEqual(plain(other), plain(calls)));
  const expected = accepted.find(isExpected);
  if (expected === undefined) {
    const isPart = calls.every((call) =>
      accepted.some((list) => list.some((other) => isDeepStrictEqual(plain(other), plain(call)))),
    );
    const refused = got.refused.map(({ name, reason }) => `${name} ${reason}`).join(", ");
    return { verdict: isPart ? "needless" : "wrong", detail: `calls ${JSON.stringify(calls)}; refused ${refused}` };
  }
  // An alternative list of calls leaves another text than the one the row names.
  if (row.expect.text === undefined || expected !== row.expect.calls) return { verdict: "right" };
  if (got.text.trim() === row.expect.text.trim()) return { verdict: "right" };
  return { verdict: "needless", detail: `text ${JSON.stringify(got.text)}` };
}

/** A row says what the parser hands on; the repair of arguments comes after it (an empty optional number is left out). */
function repaired(calls, tools) {
  return calls.map(({ name, arguments: args }) => {
    const tool = tools.find((other) => other.name === name);
    const result = tool === undefined ? undefined : repairToolArguments(tool, args);
    return { name, arguments: result === undefined || result.outcome === "bounced" ? args : result.args };
  });
}

function plain(value) {
  return JSON.parse(JSON.stringify(value));
}
