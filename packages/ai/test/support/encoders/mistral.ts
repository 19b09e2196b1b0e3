// Mistral chat completions: like OpenAI's, with calls keyed by index and ids of nine characters.
import { streamSimple } from "../../../src/api/mistral-conversations.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder, sse } from "./encoder.ts";

const WORDS = { toolUse: "tool_calls", stop: "stop", length: "length" } as const;

export const mistralEncoder: ProviderEncoder = {
  api: "mistral-conversations",
  contentType: "text/event-stream",
  argumentsAreJson: false,
  storedId: (id) => id,
  freeFinish: true,
  closesBlocks: false,
  encode(calls, { finish, word }) {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: "cmpl-1",
      model: "test-model",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const chunks: (object | string)[] = [];
    for (const [index, { id, name, rawArguments }] of calls.entries()) {
      chunks.push(chunk({ tool_calls: [{ index, id, function: { name, arguments: "" } }] }));
      for (const text of deltasOf(rawArguments)) {
        chunks.push(chunk({ tool_calls: [{ index, id, function: { name, arguments: text } }] }));
      }
    }
    if (finish !== "none") chunks.push(chunk({ content: "" }, word ?? WORDS[finish]));
    return sse([...chunks, "[DONE]"]);
  },
  say(text) {
    const chunk = (content: string, finish_reason: string | null) => ({
      id: "cmpl-1",
      model: "test-model",
      choices: [{ index: 0, delta: { content }, finish_reason }],
    });
    return sse([...deltasOf(text).map((piece) => chunk(piece, null)), chunk("", WORDS.stop), "[DONE]"]);
  },
  stream: (baseUrl, context, overrides) =>
    streamSimple(testModel("mistral-conversations", baseUrl, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};
