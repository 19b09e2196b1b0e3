// OVERRIDE of upstream's bedrock-converse-stream API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: a stream that settles without stopping a block leaves a preview of its arguments, which would be executed.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/bedrock-converse-stream";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/bedrock-converse-stream";

export const stream: typeof upstream.stream = guardProvider(upstream.stream);
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple);
