// Mends finished messages before pi executes, stores and replays them. Runs on `message_end`.
// Never touches a message without tool calls, nor a result that a tool gave.
import type { AssistantMessage, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import {
  type BouncedToolCall,
  type BounceRecord,
  type CallOrigin,
  type PreparedToolCall,
  prepareMessage,
  prepareToolCall,
} from "@pi-mend/agent/door";
import { hostWouldRun } from "./host-validation.ts";
import type { LiveTools } from "./live-tools.ts";
import type { SessionRepairs } from "./session-repairs.ts";

/**
 * Gives every call an id of its own, takes it through the repair step and remembers what its result will need.
 *
 * @param passthrough leaves a call that bounces to pi's own validation, as it was sent
 * @param liveTools asked once, and only for a message that holds calls
 * @returns the message to use instead, or `undefined` when nothing changed
 */
export function mendAssistant(
  message: AssistantMessage,
  session: SessionRepairs,
  liveTools: () => LiveTools,
  passthrough: boolean,
): AssistantMessage | undefined {
  if (!message.content.some((block) => block.type === "toolCall")) return undefined;
  const origin: CallOrigin = { model: message.model, provider: message.provider, api: message.api };
  const tools = liveTools();
  const names = new Set(tools.lookup.keys());
  const prepared = prepareMessage(message, session.seenIds, names, (block) => {
    try {
      const call = prepareToolCall(block, tools.lookup, { model: message.model });
      const kept = remembered(block, call, tools, session, origin);
      return passthrough && kept.outcome === "bounced" && isObject(block.arguments)
        ? { outcome: "clean", block }
        : kept;
    } catch {
      // One call that cannot be looked at runs as it would without pi-mend, and the others are still mended.
      return { outcome: "clean", block };
    }
  });
  return prepared.message === message ? undefined : prepared.message;
}

/**
 * Puts a kept refusal in place of pi's own words for a call that did not run.
 *
 * @returns the result to use instead, or `undefined` when none is kept for it
 */
export function deliverRefusal(result: ToolResultMessage, session: SessionRepairs): ToolResultMessage | undefined {
  const refusal = session.refusals.get(result.toolCallId);
  session.settle(result.toolCallId);
  if (refusal === undefined || !result.isError) return undefined;
  const { text, bounce } = refusal.deliver();
  // Extra fields of a message survive in the session file and go to no provider.
  return { ...result, content: [{ type: "text", text }], ...(bounce === undefined ? {} : { bounce }) };
}

/** A call that passed validation: what stops it now has words of its own. */
export function dropRefusal(callId: string, session: SessionRepairs): void {
  const refusal = session.refusals.get(callId);
  session.refusals.delete(callId);
  refusal?.passed();
}

function remembered(
  sent: ToolCall,
  call: PreparedToolCall,
  tools: LiveTools,
  session: SessionRepairs,
  origin: CallOrigin,
): PreparedToolCall {
  const { id, name, arguments: args } = call.block;
  const tool = tools.lookup.get(name);
  const record = (made: PreparedToolCall) => session.journal.record(sent, made, tool, origin);
  if (call.outcome !== "bounced") return record(call);
  // pi looks a tool up before it looks at `argumentsError`, and a call without a tool passes no other hook.
  if (call.unknownTool) session.refusals.set(id, { deliver: () => ({ text: call.message }), passed: () => {} });
  // Arguments that are no object come from a text that pi refused: no tool gets that to prepare.
  const isPis = sent.argumentsError === undefined && isObject(sent.arguments);
  if (!isPis || !tools.foreign.has(name)) return record(call);
  // Another extension may prepare old shapes itself, after this hook. When pi's validation would refuse the call as it
  // is, the tool gets that chance, and the refusal waits for the result.
  if (hostWouldRun(tool?.parameters, args)) return record(call);
  const block = name === sent.name ? sent : { ...sent, name };
  session.refusals.set(id, {
    deliver: () => {
      const made = record(call);
      return { text: `Invalid arguments for tool "${name}": ${messageOf(made)}`, bounce: bounceOf(made) };
    },
    passed: () => void record({ outcome: "clean", block }),
  });
  return { ...call, block };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function messageOf(call: PreparedToolCall): string {
  return call.outcome === "bounced" ? call.message : "";
}

function bounceOf({ block }: PreparedToolCall): BounceRecord | undefined {
  return (block as Partial<BouncedToolCall>).bounce;
}
