// OpenAI chat completions: one chunk per delta, calls told apart by index.
import { streamSimple } from "../../../src/api/openai-completions.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder, sse } from "./encoder.ts";

const WORDS = { toolUse: "tool_calls", stop: "stop", length: "length" } as const;

export const openaiCompletionsEncoder: ProviderEncoder = {
  api: "openai-completions",
  contentType: "text/event-stream",
  argumentsAreJson: false,
  storedId: (id) => id,
  freeFinish: true,
  closesBlocks: false,
  encode(calls, { finish, word }) {
    const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "test-model" };
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason }],
    });
    const chunks: (object | string)[] = [];
    for (const [index, { id, name, rawArguments }] of calls.entries()) {
      chunks.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
      for (const text of deltasOf(rawArguments)) {
        chunks.push(chunk({ tool_calls: [{ index, function: { arguments: text } }] }));
      }
    }
    if (finish !== "none") chunks.push(chunk({}, word ?? WORDS[finish]));
    return sse([...chunks, "[DONE]"]);
  },
  say(text) {
    const chunk = (delta: object, finish_reason: string | null) => ({
      ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "test-model" },
      choices: [{ index: 0, delta, finish_reason }],
    });
    const pieces = deltasOf(text).map((content) => chunk({ content }, null));
    return sse([...pieces, chunk({}, WORDS.stop), "[DONE]"]);
  },
  stream: (baseUrl, context, overrides) =>
    streamSimple(testModel("openai-completions", `${baseUrl}/v1`, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};
