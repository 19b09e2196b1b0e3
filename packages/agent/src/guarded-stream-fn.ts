// The stream function that the loop gets in place of the caller's: the same request, with signed blocks as they were signed
// and ids that the backend tells apart, and a reply whose calls are settled and prepared before the loop sees its end.
import type { StreamFn } from "@earendil-works/pi-agent-core";
import type {
  AssistantMessage,
  AssistantMessageEventStream,
  TranscriptContext,
  TranscriptMessages,
} from "@earendil-works/pi-ai";
import { guardStream } from "@pi-mend/ai/stream-guard";
import { type LoopHooks, withHooks } from "./loop-hooks.ts";
import { outgoingHistory } from "./outgoing-history.ts";
import type { ToolLookup } from "./prepare-tool-call.ts";
import type { TranscriptWatch } from "./transcript-watch.ts";

/** What the loop's owner knows of a request, and does with its reply. */
export interface RequestWatcher {
  /** What is known about the conversation. */
  readonly transcript: TranscriptWatch;
  /** The tools that may be called in the reply. */
  tools(): ToolLookup;
  /** The finished message to use instead of the one that came, or that one. `shown` is what the request held. */
  readonly prepare: (message: AssistantMessage, shown: TranscriptMessages) => AssistantMessage;
}

/** The caller's stream function behind the guard. @param hooks the caller's, which it sees instead of the loop's */
export function guardedStreamFn(own: StreamFn, watcher: RequestWatcher, hooks: LoopHooks): StreamFn {
  return (model, context, options) => {
    const { transcript } = watcher;
    transcript.look(context.messages);
    const messages = outgoingHistory(context.messages, model, transcript);
    const outgoing = messages === undefined ? context : ({ ...context, messages } as TranscriptContext);
    const source = own(model, outgoing, options && withHooks(options, hooks));
    const { takenIds } = transcript;
    const known = { messages: context.messages, toolNames: watcher.tools(), takenIds, prepare: watcher.prepare };
    return isPromise(source)
      ? source.then((stream) => guardStream(stream, known, model))
      : guardStream(source, known, model);
  };
}

function isPromise(source: ReturnType<StreamFn>): source is Exclude<ReturnType<StreamFn>, AssistantMessageEventStream> {
  return typeof (source as { then?: unknown }).then === "function";
}
