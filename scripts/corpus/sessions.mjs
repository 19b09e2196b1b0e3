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
import { PiSessionReader } from "../../packages/coding-agent/src/replay/formats/pi-session.ts";
import { judgeCall } from "../../packages/coding-agent/src/replay/judge-call.ts";

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

/** @returns two verdicts a tool call, in the session's order: with pi's schemas of today, and what replay says of it */
export function scoreSession(rows) {
  const turns = [];
  const odd = () => {
    throw new Error("a session that is kept has only whole lines");
  };
  const reader = new PiSessionReader({ turn: (turn) => turns.push(turn), failure: odd, damaged: odd, oversized: odd });
  for (const row of rows) reader.line(Buffer.from(JSON.stringify(row)));
  reader.end();
  return turns.flatMap((turn) =>
    turn.calls.flatMap((call) => {
      const about = { id: call.block.id, uncertain: false };
      return [
        { ...about, ...scoreBlock(call.block, turn.model) },
        { ...about, ...scoreReplay(judgeCall(call, turn).verdict) },
      ];
    }),
  );
}

/** The tools of their time took every call that ran. */
function scoreReplay(verdict) {
  const isRight = verdict === "clean" || verdict === "notRun";
  return { verdict: isRight ? "right" : "wrong", outcome: `replay ${verdict}` };
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
