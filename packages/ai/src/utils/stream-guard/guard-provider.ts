// The one wrapper around every provider's `stream` and `streamSimple`: prepares the request, then guards the reply. Runs
// once per request. Never retries, logs or reads the network.
import type { Api, AssistantMessageEventStream, Model, StreamOptions, TranscriptContext } from "@earendil-works/pi-ai";
import type { OpenedCall } from "./call-block.ts";
import { declaredToolNames, type GuardContext } from "./guard-context.ts";
import { guardStream } from "./guard-stream.ts";
import { type Outgoing, outgoingContext, outgoingToolChoice } from "./outgoing-context.ts";
import type { OutgoingNames } from "./outgoing-names.ts";
import { schemaRulesFor } from "./outgoing-schemas.ts";
import { refusePartialCalls } from "./refuse-partial-calls.ts";
import { emptyMemberRestorer } from "./restore-empty-members.ts";
import { BlockDeltaRouter } from "./route-block-deltas.ts";
import { ToolDeltaRouter } from "./route-tool-deltas.ts";

// biome-ignore lint/suspicious/noExplicitAny: each API has its own model and option types; the wrapper passes both through
type AnyStream = (model: any, context: TranscriptContext, options?: any) => AssistantMessageEventStream;

/** Puts parsed chunks right, in place, before upstream reads them. */
interface Router {
  route(chunk: unknown): void;
}

const PARTIAL_CALLS: Router = { route: refusePartialCalls };

/** What is special about one provider. */
export interface ProviderTraits {
  /** The provider sends chunks of chat completions, whose call numbers need not be right. */
  readonly chatChunks?: boolean;
  /** The provider sends numbered blocks, whose pieces need not carry the block's number. */
  readonly numberedBlocks?: boolean;
  /** The provider may send one call's arguments in parts of chunks. */
  readonly partialCalls?: boolean;
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
    const blocks = traits.numberedBlocks ? new BlockDeltaRouter() : undefined;
    const router =
      opened === undefined
        ? (blocks ?? (traits.partialCalls ? PARTIAL_CALLS : undefined))
        : chatRouter(opened, outgoing);
    const source = upstream(model, outgoing.context, guardedOptions(options, outgoing.names, router));
    const known = {
      messages: context.messages,
      sentNames: outgoing.names?.back,
      isMadeUpId: traits.isMadeUpId,
      startHoldsInput: traits.startHoldsInput,
      blocks,
      prepare: emptyMemberRestorer(context.messages, schemaRulesFor(model)),
    };
    return guardStream(source, known, model, opened);
  };
  return guarded as F;
}

function chatRouter(opened: readonly OpenedCall[], { context }: Outgoing): Router {
  return new ToolDeltaRouter(opened, () => declaredToolNames(context.messages));
}

function guardedOptions(
  options: (StreamOptions & { toolChoice?: unknown }) | undefined,
  names: OutgoingNames | undefined,
  router: Router | undefined,
): StreamOptions | undefined {
  let own = options;
  if (names !== undefined && own?.toolChoice !== undefined) {
    own = { ...own, toolChoice: outgoingToolChoice(own.toolChoice, names) };
  }
  if (router === undefined) return own;
  return { ...own, onProviderStreamEvent: routing(router, own?.onProviderStreamEvent) };
}

/** Upstream's observer of parsed chunks: the caller's sees each as it came, then it is routed, then upstream reads it. */
function routing(
  router: Router,
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
