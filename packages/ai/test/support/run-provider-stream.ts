// Runs one encoder's bytes through a loopback server, the provider's real SDK, upstream's adapter and the guard.
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  ToolCall,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import type { ProviderEncoder } from "./encoders/encoder.ts";
import type { Loopback } from "./loopback.ts";

/** A call as an event showed it at that moment. */
export interface SeenCall {
  readonly type: AssistantMessageEvent["type"];
  readonly contentIndex: number;
  readonly id: string;
  readonly name: string;
}

export interface ProviderRun {
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCall[];
  readonly seen: readonly SeenCall[];
}

/** @param pieces the wire bytes in the pieces they are written in */
export async function runProviderStream(
  encoder: ProviderEncoder,
  server: Loopback,
  pieces: readonly Uint8Array[],
  context: TranscriptContext,
  overrides?: Partial<Model<string>>,
): Promise<ProviderRun> {
  server.answer = { contentType: encoder.contentType, pieces };
  const seen: SeenCall[] = [];
  const stream = encoder.stream(server.url, context, overrides);
  for await (const event of stream) {
    if (event.type !== "toolcall_start" && event.type !== "toolcall_delta" && event.type !== "toolcall_end") continue;
    const shown = event.partial.content[event.contentIndex];
    const blocks = shown?.type === "toolCall" ? [shown] : [];
    if (event.type === "toolcall_end") blocks.push(event.toolCall);
    for (const { id, name } of blocks) seen.push({ type: event.type, contentIndex: event.contentIndex, id, name });
  }
  const message = await stream.result();
  const calls = message.content.filter((block): block is ToolCall => block.type === "toolCall");
  return { message, calls, seen };
}
