// The one wrapper around every provider's `stream` and `streamSimple`: prepares the request, then guards the reply. Runs
// once per request. Never retries, logs or reads the network.
import type { Api, AssistantMessageEventStream, Model, StreamOptions, TranscriptContext } from "@earendil-works/pi-ai";
import type { OpenedCall } from "./call-block.ts";
import { declaredToolNames, type GuardContext } from "./guard-context.ts";
import { guardStream } from "./guard-stream.ts";
import { type Outgoing, outgoingContext, outgoingToolChoice } from "./outgoing-context.ts";
import { schemaRulesFor } from "./outgoing-schemas.ts";
import { emptyMemberRestorer } from "./restore-empty-members.ts";
import { ToolDeltaRouter } from "./route-tool-deltas.ts";

// biome-ignore lint/suspicious/noExplicitAny: each API has its own model and option types; the wrapper passes both through
type AnyStream = (model: any, context: TranscriptContext, options?: any) => AssistantMessageEventStream;

/** What is special about one provider. */
export interface ProviderTraits {
  /** The provider sends chunks of chat completions, whose call numbers need not be right. */
  readonly chatChunks?: boolean;
  readonly isMadeUpId?: GuardContext["isMadeUpId"];
  readonly startHoldsInput?: GuardContext["startHoldsInput"];
}

/**
 * A provider's stream function with the guard around it: same parameters, same stream type. What upstream throws at
 * once (a missing key) is thrown at once.
 */
export function guardProvider<F extends AnyStream>(upstream: F, traits: ProviderTraits = {}): F {
  const guarded: AnyStream = (model: Model<Api>, context: TranscriptContext, options?: StreamOptions) => {
    const outgoing = outgoingContext(model, context);
    const opened: OpenedCall[] | undefined = traits.chatChunks ? [] : undefined;
    const source = upstream(model, outgoing.context, guardedOptions(options, outgoing, opened));
    const known = {
      messages: context.messages,
      sentNames: outgoing.names?.back,
      isMadeUpId: traits.isMadeUpId,
      startHoldsInput: traits.startHoldsInput,
      prepare: emptyMemberRestorer(context.messages, schemaRulesFor(model)),
    };
    return guardStream(source, known, model, opened);
  };
  return guarded as F;
}

function guardedOptions(
  options: (StreamOptions & { toolChoice?: unknown }) | undefined,
  { context, names }: Outgoing,
  opened: readonly OpenedCall[] | undefined,
): StreamOptions | undefined {
  let own = options;
  if (names !== undefined && own?.toolChoice !== undefined) {
    own = { ...own, toolChoice: outgoingToolChoice(own.toolChoice, names) };
  }
  if (opened === undefined) return own;
  return {
    ...own,
    onProviderStreamEvent: routing(
      new ToolDeltaRouter(opened, () => declaredToolNames(context.messages)),
      own?.onProviderStreamEvent,
    ),
  };
}

/** Upstream's observer of parsed chunks: the caller's sees each as it came, then it is routed, then upstream reads it. */
function routing(
  router: ToolDeltaRouter,
  observe: StreamOptions["onProviderStreamEvent"],
): NonNullable<StreamOptions["onProviderStreamEvent"]> {
  // One call less a chunk: nobody else listens in most requests.
  if (observe === undefined) return (chunk) => router.route(chunk);
  return (chunk, model) => {
    const observed = observe(chunk, model);
    if (observed === undefined) return router.route(chunk);
    return observed.then(() => router.route(chunk));
  };
}
