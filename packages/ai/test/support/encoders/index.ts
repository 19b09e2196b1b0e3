// Every provider encoder, in the order the matrix prints them.
import { anthropicEncoder } from "./anthropic.ts";
import { bedrockEncoder } from "./bedrock.ts";
import type { ProviderEncoder } from "./encoder.ts";
import { googleEncoder } from "./google.ts";
import { mistralEncoder } from "./mistral.ts";
import { openaiCompletionsEncoder } from "./openai-completions.ts";
import { openaiResponsesEncoder } from "./openai-responses.ts";

export const ENCODERS: readonly ProviderEncoder[] = [
  anthropicEncoder,
  openaiCompletionsEncoder,
  openaiResponsesEncoder,
  googleEncoder,
  bedrockEncoder,
  mistralEncoder,
];
