// OpenAI responses: an output item per call, opened, filled and done. Azure and Codex send the same.
import { streamSimple as azureStream } from "../../../src/api/azure-openai-responses.ts";
import { streamSimple as codexStream } from "../../../src/api/openai-codex-responses.ts";
import { streamSimple } from "../../../src/api/openai-responses.ts";
import { testModel } from "../test-model.ts";
import { deltasOf, type ProviderEncoder, sse, type WireCall } from "./encoder.ts";

export const openaiResponsesEncoder: ProviderEncoder = {
  api: "openai-responses",
  contentType: "text/event-stream",
  argumentsAreJson: false,
  storedId: (id, position) => `${id}|fc_${position}`,
  freeFinish: false,
  closesBlocks: true,
  encode(calls, { finish, unclosed }) {
    const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
    const events: object[] = [{ type: "response.created", response }];
    for (const [output_index, call] of calls.entries()) {
      const item = itemOf(call, output_index);
      events.push({ type: "response.output_item.added", output_index, item: { ...item, arguments: "" } });
      for (const delta of deltasOf(call.rawArguments)) {
        events.push({ type: "response.function_call_arguments.delta", output_index, item_id: item.id, delta });
      }
      if (unclosed && output_index === calls.length - 1) continue;
      const done = { item_id: item.id, arguments: call.rawArguments };
      events.push({ type: "response.function_call_arguments.done", output_index, ...done });
      events.push({ type: "response.output_item.done", output_index, item: { ...item, status: "completed" } });
    }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    if (finish === "length") {
      const incomplete_details = { reason: "max_output_tokens" };
      const ended = { ...response, status: "incomplete", incomplete_details, usage };
      events.push({ type: "response.incomplete", response: ended });
    } else if (finish !== "none") {
      events.push({ type: "response.completed", response: { ...response, status: "completed", usage } });
    }
    return sse(events, true);
  },
  say(text) {
    const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
    const item = { type: "message", id: "msg_0", role: "assistant", status: "in_progress", content: [] };
    const part = { type: "output_text", text: "", annotations: [] };
    const at = { output_index: 0, item_id: item.id, content_index: 0 };
    const content = [{ ...part, text }];
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events: object[] = [
      { type: "response.created", response },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.content_part.added", ...at, part },
      ...deltasOf(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
      { type: "response.output_text.done", ...at, text },
      { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed", content } },
      { type: "response.completed", response: { ...response, status: "completed", usage } },
    ];
    return sse(events, true);
  },
  stream: (baseUrl, context, overrides) =>
    streamSimple(testModel("openai-responses", `${baseUrl}/v1`, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};

export const azureResponsesEncoder: ProviderEncoder = {
  ...openaiResponsesEncoder,
  api: "azure-openai-responses",
  stream: (baseUrl, context, overrides) =>
    azureStream(testModel("azure-openai-responses", `${baseUrl}/openai/v1`, overrides as object), context, {
      apiKey: "test",
      maxRetries: 0,
    }),
};

/** A token with the claim that Codex reads its account from; signed by nobody. */
const CODEX_TOKEN = [
  "e30",
  Buffer.from(JSON.stringify({ "https://api.openai.com/auth": { chatgpt_account_id: "a" } })).toString("base64url"),
  "x",
].join(".");

export const codexResponsesEncoder: ProviderEncoder = {
  ...openaiResponsesEncoder,
  api: "openai-codex-responses",
  stream: (baseUrl, context, overrides) =>
    codexStream(testModel("openai-codex-responses", baseUrl, overrides as object), context, {
      apiKey: CODEX_TOKEN,
      maxRetries: 0,
      transport: "sse",
    }),
};

function itemOf({ id, name, rawArguments }: WireCall, index: number) {
  return {
    type: "function_call",
    id: id === undefined ? undefined : `fc_${index}`,
    call_id: id,
    name,
    arguments: rawArguments,
  };
}
