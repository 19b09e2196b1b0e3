// Google generative AI: a call is one part of one chunk, its arguments a JSON value inside the chunk. Vertex sends the same.
import { streamSimple } from "../../../src/api/google-generative-ai.ts";
import { streamSimple as vertexStream } from "../../../src/api/google-vertex.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder, sse } from "./encoder.ts";

const WORDS = { toolUse: "STOP", stop: "STOP", length: "MAX_TOKENS" } as const;

export const googleEncoder: ProviderEncoder = {
  api: "google-generative-ai",
  contentType: "text/event-stream",
  argumentsAreJson: true,
  storedId: (id) => id,
  freeFinish: true,
  closesBlocks: false,
  encode(calls, { finish, word }) {
    const chunks = calls.map(({ id, name, rawArguments }) => {
      const fields = [
        ...(id === undefined ? [] : [`"id":${JSON.stringify(id)}`]),
        `"name":${JSON.stringify(name)}`,
        // The text goes in as it is: what is no JSON breaks the chunk, as it would on the way from a server.
        ...(rawArguments === "" ? [] : [`"args":${rawArguments}`]),
      ];
      return `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{${fields.join()}}}]}}]}`;
    });
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const end = {
      candidates: [{ index: 0, finishReason: finish === "none" ? "" : (word ?? WORDS[finish]) }],
      usageMetadata,
    };
    return sse(finish === "none" ? chunks : [...chunks, end]);
  },
  say: (text) =>
    sse([
      ...deltasOf(text).map((piece) => ({
        candidates: [{ index: 0, content: { role: "model", parts: [{ text: piece }] } }],
      })),
      { candidates: [{ index: 0, finishReason: WORDS.stop }] },
    ]),
  stream: (baseUrl, context, overrides) =>
    streamSimple(testModel("google-generative-ai", `${baseUrl}/v1beta`, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};

export const vertexEncoder: ProviderEncoder = {
  ...googleEncoder,
  api: "google-vertex",
  stream: (baseUrl, context, overrides) =>
    vertexStream(testModel("google-vertex", `${baseUrl}/v1`, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};
