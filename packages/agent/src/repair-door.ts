// The agent loop's door: wraps the stream function and hooks of one run around the shared step and journal. One per run,
// or per agent. Never replaces a hook of the caller's: each runs at the same point, with the same arguments.
import type {
  AgentContext,
  AgentMessage,
  AgentTurnDecision,
  FinishTurn,
  StreamFn,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolCall, TranscriptMessages } from "@earendil-works/pi-ai";
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { CallJournal } from "./call-journal.ts";
import { guardedStreamFn, type RequestWatcher } from "./guarded-stream-fn.ts";
import { leakSettings } from "./leak-profiles.ts";
import type { LoopHooks } from "./loop-hooks.ts";
import type { CallOrigin, OutcomeSink } from "./outcome.ts";
import { leakCounter, telemetrySink } from "./outcome-telemetry.ts";
import { type PreparedToolCall, prepareCalls, prepareToolCall, type ToolLookup } from "./prepare-tool-call.ts";
import { PrintedCalls } from "./printed-calls.ts";
import { RepairSession } from "./repair-session.ts";
import { StandInTools } from "./stand-in-tools.ts";
import { StrongerTurn } from "./stronger-turn.ts";
import { type AfterHook, teachingHook } from "./teaching-hook.ts";
import { type AnyAgentTool, isOwnShape, ToolCatalog } from "./tool-catalog.ts";
import type { AgentLoopConfig, ToolRepairOptions } from "./tool-repair-options.ts";
import { TranscriptWatch } from "./transcript-watch.ts";

type Messages = Parameters<typeof RepairSession.ofMessages>[0];

/** Doors of runs: nested calls that name the message under way go through its door. */
const DOORS = new Set<WeakRef<RepairDoor>>();
/** How many there are when those that nobody holds any more are looked for. */
let full = 64;

const NO_TOOLS: readonly AnyAgentTool[] = [];

export class RepairDoor implements RequestWatcher {
  readonly journal: CallJournal;
  readonly #catalog: ToolCatalog;
  readonly #stronger: StrongerTurn;
  readonly transcript: TranscriptWatch;
  readonly #self = new WeakRef<RepairDoor>(this);
  /** The reply of the last turn that ended. */
  last: AgentMessage | undefined;
  /** The message that is being executed. */
  #message: AssistantMessage | undefined;
  readonly #standIns = new StandInTools();
  readonly #printed: PrintedCalls;
  /** The loop's own context of the request under way. */
  #context: AgentContext | undefined;

  /**
   * @param telemetry the host's span, where the options name no context
   * @param before the door of the same agent whose transcript this one's replaced; its ids stay taken
   */
  constructor(
    options: ToolRepairOptions,
    messages: Messages,
    telemetry: AgentLoopConfig["telemetry"],
    before?: RepairDoor,
  ) {
    this.#catalog = new ToolCatalog(options);
    const session = options.session ?? RepairSession.ofMessages(messages);
    this.transcript = new TranscriptWatch(session.seenIds);
    if (before !== undefined) for (const id of before.transcript.takenIds) this.transcript.takenIds.add(id);
    const { teach = true, onOutcome } = options;
    const strongerModel = options.strongerModel?.model === undefined ? undefined : options.strongerModel;
    if (typeof teach === "object" && teach?.repeatEvery !== undefined) session.notes.repeatEvery = teach.repeatEvery;
    const sinks: OutcomeSink[] = onOutcome === undefined ? [] : [onOutcome];
    const context = options.telemetry ?? telemetry;
    const leakSinks = options.onLeak === undefined ? [] : [options.onLeak];
    if (context !== undefined) {
      sinks.push(telemetrySink(context));
      leakSinks.push(leakCounter(context));
    }
    this.journal = new CallJournal(session, {
      teach: teach !== false,
      sinks,
      hasStrongerModel: strongerModel !== undefined,
    });
    this.#stronger = new StrongerTurn(strongerModel, session);
    this.#printed = new PrintedCalls(leakSettings(options.profile), leakSinks);
  }

  /** The door that prepared a message, as long as its calls are executed. */
  static of(message: AssistantMessage): RepairDoor | undefined {
    for (const ref of DOORS) {
      const door = ref.deref();
      if (door !== undefined && door.#message === message) return door;
    }
    return undefined;
  }

  /** The caller's stream function behind the guard. `hooks` are the caller's, which it sees instead of the door's. */
  streamFn(own: StreamFn, hooks: LoopHooks): StreamFn {
    return guardedStreamFn(own, this, hooks);
  }

  /** The tools of the request under way. */
  tools(): ToolLookup {
    return this.#catalog.lookup(this.#context?.tools ?? NO_TOOLS);
  }

  /** The caller's hooks with the door's work around them. */
  hooks(own: LoopHooks) {
    know(this.#self);
    this.#printed.startOver();
    return {
      afterToolCall: this.afterToolCall(own.afterToolCall),
      finishTurn: ((turn, signal) => {
        if (this.#standIns.context !== undefined) this.#standIns.leave();
        this.journal.dismissAll();
        this.last = turn.message;
        this.#message = undefined;
        const decision = own.finishTurn?.(turn, signal);
        if (!this.#printed.hasLine) return decision;
        if (isPromise(decision)) return decision.then((made) => this.#printed.decided(made));
        return this.#printed.decided(decision as AgentTurnDecision | undefined);
      }) as FinishTurn,
      prepareNextTurn: this.#printed.nextTurn(own.prepareNextTurn),
      prepareRequest: this.#stronger.around(own.prepareRequest, ({ context }) => {
        if (this.#standIns.context !== undefined) this.#standIns.leave();
        this.#context = context;
      }),
    };
  }

  /** Whether the next turn opens with words to the model. */
  get hasOpening(): boolean {
    return this.#printed.isDue;
  }

  afterToolCall(own: AfterHook | undefined, journal = this.journal): AfterHook {
    return teachingHook(journal, own);
  }

  /** The step for one call, with its place in a journal. */
  prepareCall(
    block: ToolCall,
    tools: readonly AnyAgentTool[],
    origin: CallOrigin,
    lookup = this.#catalog.lookup(tools),
    journal = this.journal,
  ) {
    let call: PreparedToolCall = { outcome: "clean", block };
    let tool: RepairTool | undefined;
    try {
      call = prepareToolCall(block, lookup, { model: origin.model });
      tool = isUnknown(call) ? undefined : lookup.get(call.block.name);
      if (call.outcome !== "clean" && tool !== undefined) call = asOwnerTakes(block, call, tool.name, tools);
      return journal.record(block, call, tool, origin);
    } catch {
      // One call that cannot be looked at runs as it would without this step, and the others are still prepared.
      return call;
    }
  }

  /** @param shown the messages of the request */
  readonly prepare = (sent: AssistantMessage, shown: TranscriptMessages): AssistantMessage => {
    this.journal.dismissAll();
    const tools = this.#context?.tools ?? NO_TOOLS;
    const lookup = this.#catalog.lookup(tools);
    const message = this.#printed.passes(sent) ? sent : this.#withoutPrinted(sent, lookup, shown);
    const origin: CallOrigin = { model: message.model, provider: message.provider, api: message.api };
    if (message.stopReason === "length") this.#refuse(message, lookup, origin);
    const prepared = prepareCalls(message, (block) => this.prepareCall(block, tools, origin, lookup));
    this.transcript.settle(prepared.message, prepared.message !== sent);
    if (prepared.calls.length === 0) return prepared.message;
    // A call that was refused is another block.
    if (prepared.message !== message) this.#standIns.join(this.#context, unknownNames(prepared.calls));
    this.#message = prepared.message;
    return prepared.message;
  };

  #withoutPrinted(message: AssistantMessage, lookup: ToolLookup, shown: TranscriptMessages): AssistantMessage {
    try {
      const messages = () => [...(this.#context?.messages ?? []), ...(shown as readonly AgentMessage[])];
      return this.#printed.handled(message, lookup, messages, this.transcript.takenIds);
    } catch {
      return message; // A text that cannot be looked at stays as it is.
    }
  }

  /** Reports the calls of a message that was cut off: the loop runs none of them. */
  #refuse(message: AssistantMessage, lookup: ToolLookup, origin: CallOrigin): void {
    for (const block of message.content) {
      if (block.type === "toolCall") this.journal.refuse(block, lookup.get(block.name), origin, "cut off");
    }
  }
}

/** Takes a door in among those that are asked for a message. */
function know(door: WeakRef<RepairDoor>): void {
  DOORS.add(door);
  if (DOORS.size <= full) return;
  for (const ref of DOORS) if (ref.deref() === undefined) DOORS.delete(ref);
  full = Math.max(64, 2 * DOORS.size);
}

function unknownNames(calls: readonly PreparedToolCall[]): readonly string[] {
  return calls.filter(isUnknown).map(({ block }) => block.name);
}

function isPromise(decision: ReturnType<FinishTurn>): decision is Promise<AgentTurnDecision | undefined> {
  return typeof (decision as { then?: unknown } | undefined)?.then === "function";
}

/** Whether a call names no tool that there is. */
export function isUnknown(call: PreparedToolCall): boolean {
  return call.outcome === "bounced" && call.unknownTool === true;
}

/**
 * The call as its tool's own `prepareArguments` takes it: a shape that the owner makes valid runs as it was sent, and a
 * repair that the owner would not take is not made.
 */
function asOwnerTakes(
  block: ToolCall,
  call: PreparedToolCall,
  name: string,
  tools: readonly AnyAgentTool[],
): PreparedToolCall {
  const owner = tools.find((tool) => tool.name === name);
  if (owner?.prepareArguments === undefined) return call;
  const readable = block.argumentsError === undefined;
  if (readable && block.name === name && isOwnShape(owner, block.arguments)) return { outcome: "clean", block };
  return call.outcome === "repaired" && !isOwnShape(owner, call.block.arguments) ? { outcome: "clean", block } : call;
}
