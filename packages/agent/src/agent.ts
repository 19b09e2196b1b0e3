// OVERRIDE of @earendil-works/pi-agent-core/src/agent.ts
// Replaces: Agent, with a subclass of upstream's whose runs go through the repair door.
// Why: upstream's Agent calls upstream's loop; a decorated loop alone would not reach it.
// Forwarded: everything else. The public fields hold what the caller put there; only upstream's own start of a run reads
//   the decorated ones.
// Drop when: upstream repairs tool calls before it validates them, or its Agent takes the loop as an option.
import * as upstream from "@earendil-works/pi-agent-core";
import type { NextTurnHook } from "./printed-calls.ts";
import { RepairDoor } from "./repair-door.ts";
import type { ToolRepair, ToolRepairOptions } from "./tool-repair-options.ts";

export interface AgentOptions extends upstream.AgentOptions {
  toolRepair?: ToolRepair | undefined;
}

const DECORATED = [
  "streamFunction",
  "afterToolCall",
  "finishTurn",
  "prepareRequest",
  "prepareNextTurnWithContext",
] as const;
type Decorated = Pick<upstream.Agent, (typeof DECORATED)[number]>;
type Message = upstream.AgentMessage | undefined;
interface KnownTranscript {
  readonly first: Message;
  readonly last: Message;
  readonly count: number;
}
/** Where an agent keeps the way to itself. */
const ITSELF = Symbol("agent");

export class Agent extends upstream.Agent {
  /** The agent, asked through whatever the host wraps around it: private fields are none of a proxy's. */
  private readonly [ITSELF] = () => this;
  readonly #options: ToolRepairOptions | false;
  #door: RepairDoor | undefined;
  /** The transcript that the door's session knows; one that goes on otherwise is another one. */
  #known: KnownTranscript | undefined;
  /** What the caller put into the decorated fields. */
  readonly #held = {} as Decorated;
  /** What the loop gets while a run starts. */
  #starting: Partial<Decorated> | undefined;
  /** What the loop gets in place of the caller's hook while the door has something to say to the model. */
  #openTurn: NextTurnHook | undefined;

  constructor(options: AgentOptions) {
    const { toolRepair, ...own } = options ?? ({} as AgentOptions);
    super(own);
    this.#options = toolRepair ?? {};
    if (this.#options !== false) this.#decorate();
  }

  /** Puts the door's fields over the caller's. A subclass may have put a field of its own over one since. */
  #decorate(): void {
    const held = this.#held as Record<string, unknown>;
    for (const field of DECORATED) {
      const own = Object.getOwnPropertyDescriptor(this, field);
      if (own?.get !== undefined) continue;
      held[field] = this[field];
      Object.defineProperty(this, field, {
        enumerable: true,
        configurable: true,
        get: () => this.#read(field) ?? held[field],
        set: (value) => {
          held[field] = value;
        },
      });
    }
  }

  override prompt(message: upstream.AgentMessage | upstream.AgentMessage[]): Promise<void>;
  override prompt(input: string, images?: Parameters<upstream.Agent["prompt"]>[1]): Promise<void>;
  override prompt(...input: unknown[]): Promise<void> {
    return this[ITSELF]().#starts(() => (super.prompt as (...given: unknown[]) => Promise<void>)(...input));
  }

  override continue(): Promise<void> {
    return this[ITSELF]().#starts(() => super.continue());
  }

  #starts(run: () => Promise<void>): Promise<void> {
    return this.#options === false || this.state.isStreaming ? run() : this.#runs(run, this.#options);
  }

  /** Upstream reads its fields before the first await of a run: only then are they the door's. */
  async #runs(run: () => Promise<void>, options: ToolRepairOptions): Promise<void> {
    this.#decorate();
    const door = this.#currentDoor(options);
    const { streamFunction, afterToolCall, finishTurn, prepareRequest } = this;
    const asked = this.prepareNextTurnWithContext ?? this.prepareNextTurn;
    const own: NextTurnHook = (turn) => this.#ownNextTurn(turn);
    const hooks = { afterToolCall, finishTurn, prepareRequest, prepareNextTurn: asked && own };
    const { prepareNextTurn, ...wrapped } = door.hooks({ ...hooks, prepareNextTurn: own });
    this.#openTurn = prepareNextTurn;
    const stream = door.streamFn(streamFunction, hooks);
    this.#starting = { ...wrapped, prepareNextTurnWithContext: prepareNextTurn, streamFunction: stream };
    let running: Promise<void>;
    try {
      running = run();
    } finally {
      this.#starting = undefined;
    }
    try {
      await running;
    } finally {
      this.#knows(this.state.messages, door);
    }
  }

  /**
   * The door's field while upstream starts a run. The stream function is what it reads last. The hook for the next turn it
   * reads at every turn.
   */
  #read(field: (typeof DECORATED)[number]): unknown {
    if (field === "prepareNextTurnWithContext" && this.#door?.hasOpening) return this.#openTurn;
    const value = this.#starting?.[field];
    if (field === "streamFunction") this.#starting = undefined;
    return value;
  }

  #ownNextTurn(turn: upstream.PrepareNextTurnContext): ReturnType<NextTurnHook> {
    const { prepareNextTurnWithContext: own } = this.#held;
    return own === undefined ? this.prepareNextTurn?.(this.signal) : own(turn, this.signal);
  }

  /** Takes note of where the door's session stands, unless a listener replaced the transcript while the run ended. */
  #knows(messages: readonly upstream.AgentMessage[], { last }: RepairDoor): void {
    const isSame = last === undefined || messages.includes(last);
    this.#known = isSame ? { first: messages[0], last: messages.at(-1), count: messages.length } : undefined;
  }

  /**
   * The door of this conversation; another one when the transcript was replaced, cut or compacted: what the model no longer
   * sees it was not told.
   */
  #currentDoor(options: ToolRepairOptions): RepairDoor {
    const { messages } = this.state;
    const known = this.#known;
    const goesOn =
      known !== undefined && known.count > 0 && messages[0] === known.first && messages[known.count - 1] === known.last;
    if (this.#door === undefined || !goesOn) this.#door = new RepairDoor(options, messages, undefined, this.#door);
    return this.#door;
  }
}
