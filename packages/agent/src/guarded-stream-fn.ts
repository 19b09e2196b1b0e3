// The stream function that the loop gets in place of the caller's: the same request, with signed blocks as they were signed
// and ids that the backend tells apart, and a reply whose calls are settled and prepared before the loop sees its end.
import type { StreamFn } from "@earendil-works/pi-agent-core";
import type {
  Api,
  AssistantMessage,
  AssistantMessageEventStream,
  Model,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { guardStream } from "@pi-mend/ai/stream-guard";
import { outgoingHistory } from "./outgoing-history.ts";
import type { ToolLookup } from "./prepare-tool-call.ts";
import type { TranscriptWatch } from "./transcript-watch.ts";

/** What the loop's owner does with a request and its reply. */
export interface RequestWatcher {
  /** The tools that may be called in the reply. */
  tools(): ToolLookup;
  /** What is known about the conversation. */
  readonly transcript: TranscriptWatch;
  /** The options as the caller's stream function is to see them. */
  options(options: SimpleStreamOptions | undefined): SimpleStreamOptions | undefined;
  /** The finished message to use instead of the one that came, or that one. `shown` is what the request held. */
  prepare(message: AssistantMessage, shown: TranscriptContext["messages"]): AssistantMessage;
}

export function guardedStreamFn(own: StreamFn, watcher: RequestWatcher): StreamFn {
  return (model, context, options) => {
    watcher.transcript.look(context.messages);
    const messages = outgoingHistory(context.messages, model, watcher.transcript);
    const outgoing = messages === undefined ? context : ({ ...context, messages } as TranscriptContext);
    const source = own(model, outgoing, watcher.options(options));
    return isPromise(source)
      ? source.then((stream) => watched(stream, model, context, watcher))
      : watched(source, model, context, watcher);
  };
}

function watched(
  source: AssistantMessageEventStream,
  model: Model<Api>,
  context: TranscriptContext,
  watcher: RequestWatcher,
): AssistantMessageEventStream {
  const { takenIds } = watcher.transcript;
  const { messages } = context;
  const prepare = (message: AssistantMessage) => watcher.prepare(message, messages);
  const known = { messages, toolNames: watcher.tools(), takenIds, prepare };
  return guardStream(source, known, model);
}

function isPromise(source: ReturnType<StreamFn>): source is Exclude<ReturnType<StreamFn>, AssistantMessageEventStream> {
  return typeof (source as { then?: unknown }).then === "function";
}
