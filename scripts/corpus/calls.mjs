// Scores one row of calls.jsonl: the arguments as sent through reader and repair, against the expected outcome.

import { isDeepStrictEqual } from "node:util";
import {
  readLenientJson,
  readRawArguments,
  repairToolArguments,
} from "../../packages/ai/dist/utils/tool-repair/index.js";
import { builtinToolHints } from "../../packages/coding-agent/src/core/tool-hints.ts";

/** @returns {{verdict: "right"|"wrong"|"needless", detail?: string}} */
export function scoreCall(row) {
  const got = outcomeOf(row);
  const accepted = [row.expect, ...(row.alsoOk ?? [])];
  const sent = "raw" in row ? row.raw : undefined;
  if (accepted.some((expected) => matches(expected, got, sent))) return { verdict: "right" };
  const verdict = got.outcome === "bounced" ? "needless" : "wrong";
  return { verdict, detail: got.outcome === "bounced" ? "" : `${got.outcome} ${JSON.stringify(got.args)}` };
}

function outcomeOf(row) {
  const hints = row.builtin ? builtinToolHints[row.tool.name] : undefined;
  const tool = { ...row.tool, hints };
  if (!("rawText" in row)) return repairToolArguments(tool, row.raw, { model: row.model });
  const read = readRawArguments(row.rawText, { toolName: row.tool.name });
  if (!read.ok) {
    // A list is no object, but may be one wrapped in a list; the repair table decides.
    const value = read.reason === "not-an-object" ? readLenientJson(row.rawText, { toolName: row.tool.name }) : read;
    return value.ok ? repairToolArguments(tool, value.value, { model: row.model }) : { outcome: "bounced" };
  }
  const result = repairToolArguments(tool, read.value, { model: row.model });
  return result.outcome === "clean" && read.forgiven.length > 0 ? { ...result, outcome: "repaired" } : result;
}

function matches(expected, got, sent) {
  if (expected.outcome !== got.outcome) return false;
  if (got.outcome === "bounced") return true;
  const args = expected.args ?? sent;
  return isDeepStrictEqual(got.args, args);
}
