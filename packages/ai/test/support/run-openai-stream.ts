// Sends chat-completions chunks over a loopback HTTP server into the guarded stream. Used by tests and by the scripts
// that score reported streams; `node` runs it as it is.
import type { AssistantMessage, AssistantMessageEvent, Message, Tool } from "@earendil-works/pi-ai";
import { streamSimple as mistralStream } from "../../src/api/mistral-conversations.ts";
import { streamSimple } from "../../src/api/openai-completions.ts";
import { startLoopback } from "./loopback.ts";
import { PROMPT, testContext, testModel } from "./test-model.ts";

/** A tool as reports name it; a description is added. */
export interface ChunkTool {
  readonly name: string;
  readonly parameters: object;
  readonly description?: string;
}

export interface ChunkRun {
  readonly message: AssistantMessage;
  readonly events: readonly AssistantMessageEvent[];
  readonly request: unknown;
}

/** Runs chunks and gives back the final message, the events and the request body. `run` is the stream to feed. */
export async function runOpenAiStream(
  tools: readonly ChunkTool[],
  chunks: readonly unknown[],
  history: readonly Message[] = [PROMPT],
  run: typeof streamSimple = streamSimple,
): Promise<ChunkRun> {
  const lines = [...chunks.map((chunk) => `data: ${JSON.stringify(withHead(chunk))}\n\n`), "data: [DONE]\n\n"];
  const server = await startLoopback({ contentType: "text/event-stream", pieces: [Buffer.from(lines.join(""))] });
  try {
    const declared = tools.map((tool): Tool => ({ description: `The ${tool.name} tool.`, ...tool }));
    const model = testModel("openai-completions", `${server.url}/v1`);
    const stream = run(model, testContext(declared, history), { apiKey: "test", maxRetries: 0 });
    const events: AssistantMessageEvent[] = [];
    for await (const event of stream) events.push(event);
    return { message: await stream.result(), events, request: server.requests[0] };
  } finally {
    await server.close();
  }
}

/** Runs chunks and gives back the final message. */
export async function runOpenAiChunks(
  tools: readonly ChunkTool[],
  chunks: readonly unknown[],
): Promise<AssistantMessage> {
  return (await runOpenAiStream(tools, chunks)).message;
}

/** What every chunk of the wire format carries, where a reduced report left it out. */
function withHead(chunk: unknown): unknown {
  if (typeof chunk !== "object" || chunk === null) return chunk;
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "test-model", ...chunk };
}

/** The guarded stream of the other API that speaks these chunks: a `run` for the functions above. */
export const overMistral: typeof streamSimple = (model, context, options) =>
  mistralStream(
    { ...model, api: "mistral-conversations", baseUrl: model.baseUrl.replace(/\/v1$/, "") } as never,
    context,
    options,
  );
