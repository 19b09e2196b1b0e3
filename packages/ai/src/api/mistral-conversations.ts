// OVERRIDE of upstream's mistral-conversations API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: upstream joins calls that a server numbers alike, reads missing text as {}, and its made-up ids repeat in every reply.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/mistral-conversations";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/mistral-conversations";

export const stream: typeof upstream.stream = guardProvider(upstream.stream, { chatChunks: true });
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, {
  chatChunks: true,
});
