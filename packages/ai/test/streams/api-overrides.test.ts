// The nine override modules against the installed upstream: nothing lost, `stream` and `streamSimple` replaced, and the
// ones without an encoder of their own guard their replies as well.
import type { AssistantMessageEventStream, TranscriptContext } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { streamSimple as azure } from "../../src/api/azure-openai-responses.ts";
import { streamSimple as vertex } from "../../src/api/google-vertex.ts";
import { streamSimple as codex } from "../../src/api/openai-codex-responses.ts";
import { googleEncoder } from "../support/encoders/google.ts";
import { openaiResponsesEncoder } from "../support/encoders/openai-responses.ts";
import { startLoopback } from "../support/loopback.ts";
import { TOOLS_WITH_TEXT, testContext, testModel } from "../support/test-model.ts";

const APIS = [
  "anthropic-messages",
  "azure-openai-responses",
  "bedrock-converse-stream",
  "google-generative-ai",
  "google-vertex",
  "mistral-conversations",
  "openai-codex-responses",
  "openai-completions",
  "openai-responses",
] as const;

describe.each(APIS)("%s", (api) => {
  it("exports what upstream exports, with both streams replaced", async () => {
    const upstream = (await import(`@earendil-works/pi-ai/api/${api}`)) as Record<string, unknown>;
    const own = (await import(`../../src/api/${api}.ts`)) as Record<string, unknown>;
    expect(Object.keys(own).sort()).toEqual(Object.keys(upstream).sort());
    for (const [name, value] of Object.entries(upstream)) {
      if (name === "stream" || name === "streamSimple") expect(own[name]).not.toBe(value);
      else expect(own[name]).toBe(value);
    }
  });
});

/** A token with the claim that Codex reads its account from; signed by nobody. */
const CODEX_TOKEN = [
  "e30",
  Buffer.from(JSON.stringify({ "https://api.openai.com/auth": { chatgpt_account_id: "a" } })).toString("base64url"),
  "x",
].join(".");

type Run = (url: string, context: TranscriptContext) => AssistantMessageEventStream;

describe("an API that shares another's wire format", () => {
  it.each<[string, typeof googleEncoder, Run]>([
    [
      "azure-openai-responses",
      openaiResponsesEncoder,
      (url, context) =>
        azure(testModel("azure-openai-responses", `${url}/openai/v1`), context, { apiKey: "k", maxRetries: 0 }),
    ],
    [
      "openai-codex-responses",
      openaiResponsesEncoder,
      (url, context) =>
        codex(testModel("openai-codex-responses", url), context, {
          apiKey: CODEX_TOKEN,
          maxRetries: 0,
          transport: "sse",
        }),
    ],
    [
      "google-vertex",
      googleEncoder,
      (url, context) => vertex(testModel("google-vertex", `${url}/v1`), context, { apiKey: "k", maxRetries: 0 }),
    ],
  ])("guards its replies: %s", async (_, encoder, run) => {
    const call = { id: undefined, name: "functions.read", rawArguments: String.raw`"{\"path\":\"a\"}"` };
    const server = await startLoopback({
      contentType: encoder.contentType,
      pieces: [encoder.encode([call], { finish: "toolUse" })],
    });
    const message = await run(server.url, testContext(TOOLS_WITH_TEXT)).result();
    await server.close();
    expect(message.errorMessage).toBeUndefined();
    expect(message.content).toMatchObject([
      { id: expect.stringMatching(/^m\w{8}$/), name: "read", arguments: { path: "a" } },
    ]);
  });
});
