// Mends finished messages before pi executes, stores and replays them. Runs on `message_end`.
// Never touches a message without tool calls, nor a result that a tool gave.
import type { AssistantMessage, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import { type PreparedToolCall, prepareMessage, prepareToolCall } from "@pi-mend/agent/prepare-tool-call";
import { hostWouldRun } from "./host-validation.ts";
import type { LiveTools } from "./live-tools.ts";
import type { SessionRepairs } from "./session-repairs.ts";

/**
 * Gives every call an id of its own, takes it through the repair step and remembers what its result will need.
 *
 * @param liveTools asked at most once, and only when a call is going to be executed
 * @returns the message to use instead, or `undefined` when nothing changed
 */
export function mendAssistant(
  message: AssistantMessage,
  session: SessionRepairs,
  liveTools: () => LiveTools,
): AssistantMessage | undefined {
  if (!message.content.some((block) => block.type === "toolCall")) return undefined;
  let tools: LiveTools | undefined;
  const prepared = prepareMessage(message, session.seenIds, (block) => {
    try {
      tools ??= liveTools();
      const call = prepareToolCall(block, tools.lookup, { model: message.model });
      return remembered(block, call, tools, session);
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
  return { ...result, content: [{ type: "text", text: refusal }] };
}

function remembered(
  sent: ToolCall,
  call: PreparedToolCall,
  tools: LiveTools,
  session: SessionRepairs,
): PreparedToolCall {
  const { id, name, arguments: args } = call.block;
  if (call.outcome === "repaired") session.awaited.set(id, { tool: name, args, repairs: call.repairs });
  if (call.outcome !== "bounced") return call;
  // pi looks a tool up before it looks at `argumentsError`, and a call without a tool passes no other hook.
  if (call.unknownTool) session.refusals.set(id, call.message);
  if (sent.argumentsError !== undefined || !tools.foreign.has(name)) return call;
  // Another extension may prepare old shapes itself, after this hook. When pi's validation would refuse the call as it
  // is, the tool gets that chance, and the refusal waits for the result.
  if (hostWouldRun(tools.lookup.get(name)?.parameters, args)) return call;
  session.refusals.set(id, `Invalid arguments for tool "${name}": ${call.message}`);
  return { ...call, block: name === sent.name ? sent : { ...sent, name } };
}
