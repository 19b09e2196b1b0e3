// A stream that a test writes by hand, in upstream's own class: for what no server can be made to do.
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type StopReason,
  type ToolCall,
} from "@earendil-works/pi-ai";

/** A reply as upstream holds it while it streams. */
export function reply(content: AssistantMessage["content"] = [], stopReason: StopReason = "pending"): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content,
    api: "test",
    provider: "test",
    model: "test",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason,
    timestamp: 0,
  };
}

export function toolCall(id: string, name: string, args: unknown = {}, argumentsError?: string): ToolCall {
  const call: ToolCall = { type: "toolCall", id, name, arguments: args as ToolCall["arguments"] };
  return argumentsError === undefined ? call : { ...call, argumentsError };
}

/** Upstream's form of a call whose text it could not parse. */
export function unparsedCall(id: string, name: string, text: string): ToolCall {
  return toolCall(id, name, {}, `Unexpected token in JSON\n\nReceived arguments:\n${text}`);
}

/** Pushes one call the way adapters do: start, deltas, end. */
export function pushCall(
  stream: AssistantMessageEventStream,
  partial: AssistantMessage,
  call: ToolCall,
  text: string,
  ended = true,
): void {
  partial.content.push(call);
  const contentIndex = partial.content.length - 1;
  stream.push({ type: "toolcall_start", contentIndex, partial });
  for (let at = 0; at < text.length; at += 5) {
    stream.push({ type: "toolcall_delta", contentIndex, delta: text.slice(at, at + 5), partial });
  }
  if (ended) stream.push({ type: "toolcall_end", contentIndex, toolCall: call, partial });
}

export function emptyStream(): AssistantMessageEventStream {
  return createAssistantMessageEventStream();
}
