// The verdict on one recorded call: what became of it then, as the transcript tells, and what the repair step makes of it
// now. Where the transcript does not tell, pi's own validation says what would have become of it.
import { isDeepStrictEqual } from "node:util";
import type { Tool, ToolCall } from "@earendil-works/pi-ai";
import { validateToolArguments } from "@earendil-works/pi-ai/utils/validation";
import {
  type BouncedToolCall,
  modesOf,
  type PreparedToolCall,
  prepareToolCall,
  type RepairRecord,
} from "@pi-mend/agent/door";
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import type { ReplayCall, ReplayTurn } from "./turn.ts";

/**
 * `clean`: ran, and passes as it is. `alike`: ran, and runs with the same arguments. `wouldRun`: bounced then, would run now.
 * `ranWrong`: pi's coercion or validation let it run with other arguments than it means, or with ones nobody can tell the
 * meaning of. `stillBounces`: bounced then and now. `mended`: this package repaired it then. `unjudged`: nobody knows the
 * tool's schema. `notRun`: its turn failed or was stopped.
 */
export type Verdict = (typeof VERDICTS)[number];

export const VERDICTS = [
  "clean",
  "alike",
  "wouldRun",
  "ranWrong",
  "stillBounces",
  "mended",
  "unjudged",
  "notRun",
] as const;

export interface Judgement {
  readonly verdict: Verdict;
  /** What the model did, by the names that health counts under. */
  readonly modes: readonly string[];
  readonly wasBounced: boolean;
  readonly prepared?: PreparedToolCall;
  readonly tool?: RepairTool;
}

/** How pi, now and in earlier releases, and this package begin a refusal. */
const REFUSED =
  /^(?:Validation failed for tool "|Invalid arguments for tool "|Tool call "[^"]{0,256}" was not executed|InputValidationError)/;
const NO_TOOL =
  /^(?:Tool \S{1,256} not found|Tool name missing|Tool "[^\n]{0,256}" (?:not found|could mean)|Error: No such tool)/;

export function judgeCall({ block: recorded, result }: ReplayCall, turn: ReplayTurn): Judgement {
  const block = asSent(recorded);
  const { tools, stop, model } = turn;
  const isKnown = tools.lookup.has(block.name);
  const isRefused =
    stop === "cut" || (result !== undefined && result.isError !== false && isRefusal(result.text, isKnown));
  const then = isRefused ? "bounced" : result?.isError === undefined ? undefined : "ran";
  const isStopped = result?.isError === true && result.text.startsWith("Operation aborted");
  const { repair } = block as { repair?: Partial<RepairRecord> };
  if (Array.isArray(repair?.names) && then !== "bounced") return said("mended", repair.names, false);
  if (stop === "failed" || isStopped) return said("notRun", [], false);
  if (stop === "cut") return said("stillBounces", ["truncated"], true);
  if (!isKnown && (then === "ran" || (!tools.isDeclared && !NO_TOOL.test(result?.text ?? "")))) {
    return said("unjudged", [], isRefused);
  }
  const prepared = prepareToolCall(block, tools.lookup, { model });
  const tool = tools.lookup.get(prepared.block.name);
  const about = { prepared, ...(tool && { tool }) };
  if (prepared.outcome === "clean") {
    return { ...said(isRefused ? "wouldRun" : "clean", [], isRefused), ...about };
  }
  if (then === "ran" && tools.others.some((lookup) => isCleanFor(block, lookup, model)))
    return said("clean", [], false);
  const modes = modesOf(prepared);
  // What a tool's own preparation made of a call before pi looked at it is not in the transcript.
  const stock = then === "bounced" ? undefined : stockRun(tool, block);
  const isBounced = then === "bounced" || (then === undefined && stock === undefined);
  if (isBounced) {
    return { ...said(prepared.outcome === "repaired" ? "wouldRun" : "stillBounces", modes, true), ...about };
  }
  if (stock === undefined) return { ...said("alike", modes, false), ...about };
  const isSame = prepared.outcome === "repaired" && isDeepStrictEqual(stock.args, prepared.block.arguments);
  return { ...said(isSame ? "alike" : "ranWrong", modes, false), ...about };
}

function isRefusal(text: string, isKnown: boolean): boolean {
  return REFUSED.test(text) || (!isKnown && NO_TOOL.test(text));
}

/** A place inside an object of arguments, as a bounce records it; not one that stands for arguments that were none. */
const IN_OBJECT = /^(?:\/.* | (?!type$))[$a-zA-Z]+$/s;

/** A call that this package bounced keeps its arguments: what it would be told today does not hang on what it was told then. */
function asSent(block: ToolCall): ToolCall {
  const places: unknown = (block as Partial<BouncedToolCall>).bounce?.places;
  if (!Array.isArray(places) || !places.every((place) => typeof place === "string" && IN_OBJECT.test(place)))
    return block;
  const { argumentsError: _ours, ...sent } = block;
  return sent;
}

function said(verdict: Verdict, modes: readonly string[], wasBounced: boolean): Judgement {
  return { verdict, modes, wasBounced };
}

function isCleanFor(block: ToolCall, lookup: ReadonlyMap<string, RepairTool>, model: string): boolean {
  return prepareToolCall(block, lookup, { model }).outcome === "clean";
}

/** The arguments that pi would run the call with; `undefined` where it would not. */
function stockRun(tool: RepairTool | undefined, block: ToolCall): { readonly args: unknown } | undefined {
  if (tool === undefined || tool.name !== block.name) return undefined;
  try {
    return { args: validateToolArguments(tool as Tool, block) };
  } catch {
    return undefined;
  }
}
