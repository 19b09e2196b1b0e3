// OVERRIDE of upstream's openai-codex-responses API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: text that is no JSON becomes {}, and tool names are not made legal.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/openai-codex-responses";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/openai-codex-responses";

export const stream: typeof upstream.stream = guardProvider(upstream.stream, { numberedBlocks: true });
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, {
  numberedBlocks: true,
});
