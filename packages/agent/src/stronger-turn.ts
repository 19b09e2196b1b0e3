// Gives one request to a stronger model when a call escalated, and the next one back. Runs as `prepareRequest`, around the
// caller's own hook, which always sees the run's own model. Never switches where the host configured no model.
import type {
  AgentContext,
  AgentRequestUpdate,
  PrepareRequest,
  PrepareRequestContext,
} from "@earendil-works/pi-agent-core";
import type { RepairSession } from "./repair-session.ts";
import type { StrongerModel } from "./tool-repair-options.ts";

type Own = Pick<PrepareRequestContext, "model" | "thinkingLevel">;

export class StrongerTurn {
  readonly #stronger: StrongerModel | undefined;
  readonly #session: RepairSession;
  /** The run's own model while the stronger one has the turn. */
  #lent: Own | undefined;

  constructor(stronger: StrongerModel | undefined, session: RepairSession) {
    this.#stronger = stronger;
    this.#session = session;
  }

  /**
   * The caller's hook with the turn around it.
   *
   * @param sees told the context of every request
   */
  around(own: PrepareRequest | undefined, sees: (request: { readonly context: AgentContext }) => void): PrepareRequest {
    if (own === undefined && this.#stronger === undefined) return sees as PrepareRequest;
    return ((request, signal) => {
      const { back, asked } = this.#taken(request);
      const update = own?.(asked, signal);
      const use = (made: AgentRequestUpdate | undefined): AgentRequestUpdate | undefined => {
        sees(made?.context === undefined ? request : { context: made.context });
        return this.#given(asked, back ? { model: asked.model, thinkingLevel: asked.thinkingLevel, ...made } : made);
      };
      // A hook that answers at once is answered at once: the loop's timing stays upstream's.
      return isPromise(update) ? update.then(use) : use(update as AgentRequestUpdate | undefined);
    }) as PrepareRequest;
  }

  /** Takes the turn back. A model that was chosen meanwhile stays chosen. */
  #taken(request: PrepareRequestContext): { readonly back: boolean; readonly asked: PrepareRequestContext } {
    const lent = this.#lent;
    this.#lent = undefined;
    if (lent === undefined || request.model !== this.#stronger?.model) return { back: false, asked: request };
    return { back: true, asked: { ...request, ...lent } };
  }

  #given(asked: PrepareRequestContext, update: AgentRequestUpdate | undefined): AgentRequestUpdate | undefined {
    if (this.#stronger === undefined || !this.#session.strongerTurnDue) return update;
    this.#session.strongerTurnDue = false;
    const thinkingLevel = update?.thinkingLevel ?? asked.thinkingLevel;
    this.#lent = { model: update?.model ?? asked.model, thinkingLevel };
    return { ...update, model: this.#stronger.model, thinkingLevel: this.#stronger.thinkingLevel ?? thinkingLevel };
  }
}

function isPromise(value: unknown): value is Promise<AgentRequestUpdate | undefined> {
  return typeof (value as { then?: unknown } | undefined)?.then === "function";
}
