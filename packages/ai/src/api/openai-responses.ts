// OVERRIDE of upstream's openai-responses API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: compatible servers leave out call ids (they become "undefined"); text that is no JSON becomes {}.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/openai-responses";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/openai-responses";

export const stream: typeof upstream.stream = guardProvider(upstream.stream, { numberedBlocks: true });
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, {
  numberedBlocks: true,
});
