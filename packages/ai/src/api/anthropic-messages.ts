// OVERRIDE of upstream's anthropic-messages API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: compatible servers repeat ids, skip block ends and put the input into the block start; text that is no JSON becomes {}.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/anthropic-messages";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/anthropic-messages";

const TRAITS = { startHoldsInput: true, numberedBlocks: true };

export const stream: typeof upstream.stream = guardProvider(upstream.stream, TRAITS);
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, TRAITS);
