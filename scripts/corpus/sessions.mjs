// Scores a recorded pi session: every call of its tools against pi's own schemas of today. The sessions we keep are of
// strong models from a time when `edit` took one flat pair: their other calls must come back untouched, their edits as
// exactly the edit they meant, and an edit without its new text must bounce.

import { isDeepStrictEqual } from "node:util";
import {
  createBashToolDefinition,
  createEditToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { repairToolArguments } from "../../packages/ai/dist/utils/tool-repair/index.js";
import { builtinToolHints } from "../../packages/coding-agent/src/core/tool-hints.ts";

const TOOLS = new Map(
  [createBashToolDefinition, createEditToolDefinition, createReadToolDefinition, createWriteToolDefinition].map(
    (create) => {
      const { name, parameters } = create(process.cwd());
      return [name, { name, parameters, hints: builtinToolHints[name] }];
    },
  ),
);

/** Whether the rows are a session file's. */
export function isSession(rows) {
  return rows[0]?.type === "session";
}

/** @returns one verdict a tool call, in the session's order */
export function scoreSession(rows) {
  const calls = rows
    .filter((row) => row.type === "message" && row.message.role === "assistant")
    .flatMap((row) =>
      row.message.content.filter((block) => block.type === "toolCall").map((block) => ({ block, row })),
    );
  return calls.map(({ block, row }) => ({ id: block.id, uncertain: false, ...scoreBlock(block, row.message.model) }));
}

function scoreBlock({ name, arguments: args }, model) {
  const tool = TOOLS.get(name);
  const result = repairToolArguments(tool, args, { model });
  const expected = expectedOf(name, args);
  const isRight =
    expected === undefined
      ? result.outcome === "bounced"
      : expected === args
        ? result.outcome === "clean" && result.args === args
        : result.outcome === "repaired" && isDeepStrictEqual(result.args, expected);
  if (isRight) return { verdict: "right", outcome: `${name} ${result.outcome}` };
  return { verdict: result.outcome === "bounced" ? "needless" : "wrong", outcome: `${name} ${result.outcome}` };
}

/** The arguments that must run: the same object for a valid call, undefined for one that must bounce. */
function expectedOf(name, args) {
  if (name !== "edit" || "edits" in args) return args;
  const { path, oldText, newText } = args;
  return typeof newText === "string" ? { path, edits: [{ oldText, newText }] } : undefined;
}
