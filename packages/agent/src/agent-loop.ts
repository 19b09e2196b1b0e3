// OVERRIDE of @earendil-works/pi-agent-core/src/agent-loop.ts
// Replaces: agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue, runToolCall, with upstream's own behind the
//   repair door: guarded stream, prepared calls, notes on results.
// Why: upstream validates after coercion and bounces what could run; permission hooks, events and history then show what
//   the model sent instead of what ran.
// Forwarded: the loop itself, and every other name.
// Drop when: upstream repairs tool calls before it validates them.
import * as upstream from "@earendil-works/pi-agent-core";
import { isUnknown, RepairDoor } from "./repair-door.ts";
import { standInTool } from "./stand-in-tools.ts";
import type { AgentLoopConfig, ToolRepair } from "./tool-repair-options.ts";

type Loop = Parameters<typeof upstream.runAgentLoop>;
type Continue = Parameters<typeof upstream.runAgentLoopContinue>;
type LoopContext = upstream.AgentContext;

export interface RunToolCallOptions extends upstream.RunToolCallOptions {
  /** Default: what the run that issued the message has, else every default. A run with `false` is not known: pass it here, too. */
  toolRepair?: ToolRepair | undefined;
}

/** Upstream's `agentLoop`, with `config.toolRepair`. */
export function agentLoop(
  prompts: Loop[0],
  context: LoopContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: upstream.StreamFn,
): ReturnType<typeof upstream.agentLoop> {
  const run = decorated(context, config, streamFn);
  return upstream.agentLoop(prompts, context, run.config, signal, run.streamFn);
}

/** Upstream's `agentLoopContinue`, with `config.toolRepair`. */
export function agentLoopContinue(
  context: LoopContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: upstream.StreamFn,
): ReturnType<typeof upstream.agentLoopContinue> {
  const run = decorated(context, config, streamFn);
  return upstream.agentLoopContinue(context, run.config, signal, run.streamFn);
}

/** Upstream's `runAgentLoop`, with `config.toolRepair`. */
export function runAgentLoop(
  prompts: Loop[0],
  context: LoopContext,
  config: AgentLoopConfig,
  emit: Loop[3],
  signal: AbortSignal | undefined,
  streamFn: upstream.StreamFn,
): ReturnType<typeof upstream.runAgentLoop> {
  const run = decorated(context, config, streamFn);
  return upstream.runAgentLoop(prompts, context, run.config, emit, signal, run.streamFn);
}

/** Upstream's `runAgentLoopContinue`, with `config.toolRepair`. */
export function runAgentLoopContinue(
  context: LoopContext,
  config: AgentLoopConfig,
  emit: Continue[2],
  signal: AbortSignal | undefined,
  streamFn: upstream.StreamFn,
): ReturnType<typeof upstream.runAgentLoopContinue> {
  const run = decorated(context, config, streamFn);
  return upstream.runAgentLoopContinue(context, run.config, emit, signal, run.streamFn);
}

/**
 * Upstream's `runToolCall` for a call that went through the same step as a model's. The outcome carries the call that
 * ran.
 */
export async function runToolCall(
  toolCall: upstream.AgentToolCall,
  options: RunToolCallOptions,
): Promise<upstream.AgentToolCallOutcome> {
  const { toolRepair, ...own } = options;
  if (toolRepair === false) return upstream.runToolCall(toolCall, own);
  const { assistantMessage: message, context, tools } = own;
  // Callers without types may leave the context out: upstream only hands it on.
  const messages = context?.messages ?? [];
  const door = toolRepair ? new RepairDoor(toolRepair, messages, undefined) : RepairDoor.of(message);
  const runner = door ?? new RepairDoor({}, messages, undefined);
  const journal = runner.journal.nested();
  const origin = { model: message.model, provider: message.provider, api: message.api };
  const call = runner.prepareCall(toolCall, tools, origin, undefined, journal);
  const { block } = call;
  const outcome = await upstream.runToolCall(block, {
    ...own,
    tools: isUnknown(call) ? [...tools, standInTool(block.name)] : tools,
    afterToolCall: runner.afterToolCall(own.afterToolCall, journal),
  });
  journal.dismiss(block.id);
  return outcome;
}

function decorated(context: LoopContext, config: AgentLoopConfig, streamFn: upstream.StreamFn) {
  const { toolRepair, ...own } = config;
  if (toolRepair === false) return { config: own, streamFn };
  const stream = streamFn ?? defaultStreamFn();
  if (stream === undefined) return { config: own, streamFn };
  const door = new RepairDoor(toolRepair ?? {}, context.messages, own.telemetry);
  return { config: { ...own, ...door.hooks(own) }, streamFn: door.streamFn(stream, own) };
}

/** The function that a host installed as the default, or `undefined`: upstream then reports that it is missing. */
function defaultStreamFn(): upstream.StreamFn | undefined {
  try {
    return new upstream.Agent({} as upstream.AgentOptions).streamFunction;
  } catch {
    return undefined;
  }
}
