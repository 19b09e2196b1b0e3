// What one run does about replies that print calls as text: applies the profile to each finished message, and tells the
// model about a call that did not run. Asked once per message and per turn. Never continues a run more than twice in a row.
import type {
  AgentLoopTurnUpdate,
  AgentMessage,
  AgentTurnDecision,
  PrepareNextTurnContext,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { Continuations } from "./continuations.ts";
import { textsOfMessage } from "./conversation.ts";
import { type LeakSettings, withLeakedCalls } from "./leaked-message.ts";
import type { ToolLookup } from "./prepare-tool-call.ts";
import { tell } from "./tell.ts";
import type { LeakReport } from "./tool-repair-options.ts";

type Update = AgentLoopTurnUpdate | undefined;
/** Upstream's `prepareNextTurn`, as the loop's configuration has it. */
export type NextTurnHook = (context: PrepareNextTurnContext) => Update | Promise<Update>;

export class PrintedCalls {
  readonly #settings: LeakSettings;
  readonly #sinks: readonly ((leak: LeakReport) => void)[];
  /** What this class said itself: no quotation of the conversation. */
  readonly #said = new WeakSet<object>();
  readonly #continuations = new Continuations();
  /** What the next turn opens with. */
  #opening: string | undefined;

  constructor(settings: LeakSettings, sinks: readonly ((leak: LeakReport) => void)[]) {
    this.#settings = settings;
    this.#sinks = sinks;
  }

  /** Whether the next turn opens with what the model is told. */
  get isDue(): boolean {
    return this.#opening !== undefined;
  }

  /** Whether the last message held a call that did not run, and nothing else carries the run on. */
  get hasLine(): boolean {
    return this.#continuations.isDue;
  }

  /** A run starts: what happened in the one before no longer counts. */
  startOver(): void {
    this.#continuations.startOver();
    this.#opening = undefined;
  }

  /** Takes note of a finished message that makes calls and says nothing else, as most do that make any. @returns whether it does */
  passes(message: AssistantMessage): boolean {
    for (const block of message.content) if (block.type !== "toolCall") return false;
    this.#opening = undefined;
    this.#continuations.heard(message, undefined);
    return true;
  }

  /**
   * A finished message with its printed calls taken out, made into calls, or left.
   *
   * @param messages what the model was shown and what the conversation holds, asked for a message with printed calls only
   * @param callIds ids of the calls so far, by what pairs them with their results
   * @returns the same message where nothing was changed
   */
  handled(
    message: AssistantMessage,
    tools: ToolLookup,
    messages: () => Iterable<AgentMessage>,
    callIds: ReadonlySet<string>,
  ): AssistantMessage {
    this.#opening = undefined;
    this.#continuations.forget();
    const conversation = () => ({ texts: this.#textsOf(messages()), callIds });
    const outcome = withLeakedCalls(message, tools, conversation, this.#settings);
    this.#continuations.heard(message, outcome.continuation);
    const { action, families } = outcome;
    const { model, provider, api } = message;
    if (action !== "none") tell(this.#sinks, { model, provider, api, action, families });
    return outcome.message;
  }

  /** The caller's decision at the end of a turn, unless the model is to be told: then the run goes on. */
  decided(decision: AgentTurnDecision | undefined): AgentTurnDecision | undefined {
    if (decision?.action === "end") this.#continuations.forget();
    const due = this.#continuations.take();
    if (due?.goesOn !== true) return decision;
    this.#opening = due.line;
    return { action: "continue" };
  }

  /** The caller's hook, with what the model is told behind the caller's own messages. */
  nextTurn(own: NextTurnHook | undefined): NextTurnHook {
    return (context) => {
      const update = own?.(context);
      if (!this.isDue) return update;
      return isPromise(update) ? update.then((made) => this.#opened(made)) : this.#opened(update);
    };
  }

  #opened(update: Update): Update {
    const text = this.#opening;
    this.#opening = undefined;
    if (text === undefined) return update;
    const said: AgentMessage = { role: "user", content: [{ type: "text", text }], timestamp: Date.now() };
    this.#said.add(said);
    return { ...update, messages: [...(update?.messages ?? []), said] };
  }

  #textsOf(messages: Iterable<AgentMessage>): readonly string[] {
    return [...new Set(messages)].flatMap((message) => (this.#said.has(message) ? [] : textsOfMessage(message)));
  }
}

function isPromise(update: Update | Promise<Update>): update is Promise<Update> {
  return typeof (update as { then?: unknown } | undefined)?.then === "function";
}
