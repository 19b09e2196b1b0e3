// OVERRIDE of upstream's google-vertex API.
// Replaces: `stream` and `streamSimple`, with upstream's own inside the stream guard.
// Why: upstream's own ids come from the clock and may hold characters other providers refuse.
// Forwarded: everything else, by `export *`; the request and the wire protocol are upstream's.
// Drop when: upstream gives unique ids, keeps raw argument text per call and refuses cut calls by their text.
import * as upstream from "@earendil-works/pi-ai/api/google-vertex";
import { isGoogleMadeUpId } from "../utils/stream-guard/google-ids.ts";
import { guardProvider } from "../utils/stream-guard/guard-provider.ts";

export * from "@earendil-works/pi-ai/api/google-vertex";

const TRAITS = { isMadeUpId: isGoogleMadeUpId, partialCalls: true };

export const stream: typeof upstream.stream = guardProvider(upstream.stream, TRAITS);
export const streamSimple: typeof upstream.streamSimple = guardProvider(upstream.streamSimple, TRAITS);
