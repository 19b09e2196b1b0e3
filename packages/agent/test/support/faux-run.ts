// Runs a scripted conversation through upstream's faux provider and a given loop, and hands back every event and hook call
// with the clock's numbers taken out, so that two loops can be compared. For tests only.
import type {
  AgentContext,
  AgentEvent,
  AgentMessage,
  AgentTool,
  StreamFn,
  AgentLoopConfig as UpstreamConfig,
} from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  createFauxCore,
  type FauxResponseStep,
  fauxAssistantMessage,
  fauxText,
  type Message,
  type ToolCall,
  type ToolResultMessage,
} from "@earendil-works/pi-ai";
import type { AgentLoopConfig } from "../../src/index.ts";

export type Runner = (
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
) => Promise<AgentMessage[]>;

export interface FauxRun {
  readonly events: readonly unknown[];
  readonly messages: readonly AgentMessage[];
  readonly results: readonly ToolResultMessage[];
  readonly texts: readonly string[];
  readonly calls: readonly ToolCall[];
  readonly models: readonly string[];
  readonly requests: readonly (readonly Message[])[];
}

export interface FauxOptions {
  readonly turns: readonly FauxResponseStep[];
  readonly tools: readonly AgentTool[];
  readonly config?: Partial<AgentLoopConfig>;
  readonly messages?: readonly AgentMessage[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: AgentEvent) => void;
  /** Further models of the provider, by id. */
  readonly models?: readonly string[];
}

export const PROMPT: AgentMessage = { role: "user", content: "go", timestamp: 1 };

/** A turn of calls `[name, arguments, id]`. */
export function turn(...calls: readonly (readonly [string, unknown, string?])[]): AssistantMessage {
  const blocks = calls.map(([name, args, id], index): ToolCall => {
    return { type: "toolCall", id: id ?? `call_${name}_${index}`, name, arguments: args as ToolCall["arguments"] };
  });
  return fauxAssistantMessage(blocks, { stopReason: "toolUse", timestamp: 1 });
}

export const DONE: AssistantMessage = fauxAssistantMessage([fauxText("done")], { timestamp: 1 });

/** A faux provider with fixed pieces, and the models `faux-1` and `faux-strong`. */
export function fauxOf(turns: readonly FauxResponseStep[]) {
  const core = createFauxCore({
    api: "faux",
    provider: "faux",
    tokenSize: { min: 4, max: 4 },
    models: [{ id: "faux-1" }, { id: "faux-strong" }],
  });
  core.setResponses([...turns]);
  return core;
}

export async function fauxRun(run: Runner, options: FauxOptions): Promise<FauxRun> {
  const core = fauxOf([...options.turns, DONE]);
  const events: unknown[] = [];
  const models: string[] = [];
  const requests: (readonly Message[])[] = [];
  const stream: StreamFn = (model, context, streamOptions) => {
    models.push(model.id);
    requests.push(structuredClone(context.messages) as Message[]);
    return core.streamSimple(model, context, streamOptions);
  };
  const messages = await run(
    [PROMPT],
    { messages: [...(options.messages ?? [])], tools: [...options.tools] },
    { model: core.getModel(), convertToLlm: (list) => list as Message[], ...options.config } as UpstreamConfig,
    (event) => {
      events.push(timeless(event));
      options.onEvent?.(event);
    },
    options.signal,
    stream,
  );
  const results = messages.filter((one): one is ToolResultMessage => one.role === "toolResult");
  const calls = messages
    .filter((one): one is AssistantMessage => one.role === "assistant")
    .flatMap((one) => one.content.filter((block) => block.type === "toolCall"));
  return { events, messages, results, texts: results.map(textOf), calls, models, requests };
}

export function textOf(result: {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}): string {
  return result.content.map((block) => block.text ?? "").join("\n");
}

/** A copy without the clock's numbers. */
export function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value === "function") return "function";
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "durationMs")
      .map(([key, item]) => [key, key === "timestamp" ? 0 : timeless(item)]),
  );
}
