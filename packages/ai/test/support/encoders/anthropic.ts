// Anthropic messages: server-sent events with one block per call.
import { streamSimple } from "../../../src/api/anthropic-messages.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder, sse } from "./encoder.ts";

const WORDS = { toolUse: "tool_use", stop: "end_turn", length: "max_tokens" } as const;

export const anthropicEncoder: ProviderEncoder = {
  api: "anthropic-messages",
  contentType: "text/event-stream",
  argumentsAreJson: false,
  storedId: (id) => id,
  freeFinish: true,
  closesBlocks: true,
  encode(calls, { finish, word, unclosed }) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test-model", content: [], usage };
    const events: object[] = [{ type: "message_start", message }];
    for (const [index, { id, name, rawArguments }] of calls.entries()) {
      events.push({ type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } });
      for (const partial_json of deltasOf(rawArguments)) {
        events.push({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } });
      }
      if (!unclosed || index < calls.length - 1) events.push({ type: "content_block_stop", index });
    }
    if (finish !== "none") {
      const stop_reason = word ?? WORDS[finish];
      events.push({ type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 9 } });
      events.push({ type: "message_stop" });
    }
    return sse(events, true);
  },
  say(text) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test-model", content: [], usage };
    const events: object[] = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      ...deltasOf(text).map((piece) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: piece },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: WORDS.stop }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ];
    return sse(events, true);
  },
  stream: (baseUrl, context, overrides) =>
    streamSimple(testModel("anthropic-messages", baseUrl, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};
