// OVERRIDE of upstream's openai-completions API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: compatible servers leave out ids and call numbers, repeat them, and spell finish reasons their own way.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/openai-completions";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/openai-completions";

export const stream: typeof upstream.stream = guardProvider(upstream.stream, { chatChunks: true });
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, { chatChunks: true });
