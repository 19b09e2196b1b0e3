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

export class Agent extends upstream.Agent {
  readonly #options: ToolRepairOptions | false;
  #door: RepairDoor | undefined;
  /** The last message that the door's session knows; without it the transcript is another one. */
  #known: upstream.AgentMessage | undefined;
  /** What the caller put into the decorated fields. */
  readonly #held = {} as Decorated;
  /** What the loop gets while a run starts. */
  #starting: Partial<Decorated> | undefined;
  /** What the loop gets in place of the caller's hook while the door has something to say to the model. */
  #openTurn: NextTurnHook | undefined;

  constructor(options: AgentOptions) {
    const { toolRepair = {}, ...own } = options ?? ({} as AgentOptions);
    super(own);
    this.#options = toolRepair;
    if (toolRepair === false) return;
    const held = this.#held;
    for (const field of DECORATED) {
      (held as Record<string, unknown>)[field] = this[field];
      Object.defineProperty(this, field, {
        enumerable: true,
        configurable: true,
        get: () => this.#read(field) ?? held[field],
        set: (value) => {
          (held as Record<string, unknown>)[field] = value;
        },
      });
    }
  }

  override prompt(message: upstream.AgentMessage | upstream.AgentMessage[]): Promise<void>;
  override prompt(input: string, images?: Parameters<upstream.Agent["prompt"]>[1]): Promise<void>;
  override prompt(...input: unknown[]): Promise<void> {
    return this.#starts(() => (super.prompt as (...given: unknown[]) => Promise<void>)(...input));
  }

  override continue(): Promise<void> {
    return this.#starts(() => super.continue());
  }

  /** Upstream reads its fields before the first await of a run: only then are they the door's. */
  async #starts(run: () => Promise<void>): Promise<void> {
    if (this.#options === false || this.state.isStreaming) return run();
    const door = this.#currentDoor(this.#options);
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
      this.#known = this.state.messages.at(-1);
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

  /** The door of this conversation; another one when the transcript was replaced. */
  #currentDoor(options: ToolRepairOptions): RepairDoor {
    const { messages } = this.state;
    const goesOn = this.#known !== undefined && messages.includes(this.#known);
    if (this.#door === undefined || !goesOn) this.#door = new RepairDoor(options, messages, undefined);
    return this.#door;
  }
}
