// Models and contexts for stream tests: as plain as the types allow.
import {
  type Api,
  type Message,
  type Model,
  normalizeContext,
  type Tool,
  type TranscriptContext,
} from "@earendil-works/pi-ai";

export function testModel<A extends Api>(api: A, baseUrl: string, overrides: Partial<Model<A>> = {}): Model<A> {
  return {
    id: "test-model",
    name: "Test model",
    api,
    provider: "test-provider",
    baseUrl,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 4096,
    ...overrides,
  } as Model<A>;
}

export const PROMPT: Message = { role: "user", content: "go", timestamp: 0 };

export function testContext(tools: readonly Tool[], messages: readonly Message[] = [PROMPT]): TranscriptContext {
  return normalizeContext({ tools: [...tools], messages: [...messages] });
}

/** Plain tools for tests that are about the stream and not about the schema. */
export const TOOLS_WITH_TEXT: readonly Tool[] = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    name: "ls",
    description: "Lists a folder.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
  {
    name: "ls_all",
    description: "Lists a folder and all below it.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
];
