// Every provider encoder, in the order the matrix prints them.
import { anthropicEncoder } from "./anthropic.ts";
import { bedrockEncoder } from "./bedrock.ts";
import type { ProviderEncoder } from "./encoder.ts";
import { googleEncoder, vertexEncoder } from "./google.ts";
import { mistralEncoder } from "./mistral.ts";
import { openaiCompletionsEncoder } from "./openai-completions.ts";
import { azureResponsesEncoder, codexResponsesEncoder, openaiResponsesEncoder } from "./openai-responses.ts";

/** One encoder a wire format. */
export const ENCODERS: readonly ProviderEncoder[] = [
  anthropicEncoder,
  openaiCompletionsEncoder,
  openaiResponsesEncoder,
  googleEncoder,
  bedrockEncoder,
  mistralEncoder,
];

/** One row an API: also those whose module is their own and whose wire format is another's. */
export const API_ENCODERS: readonly ProviderEncoder[] = [
  ...ENCODERS,
  azureResponsesEncoder,
  codexResponsesEncoder,
  vertexEncoder,
];
