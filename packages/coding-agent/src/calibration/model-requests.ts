// The requests of a calibration: sent through pi's model registry with its authentication, counted, and given up after a time.
// They stand beside the session: nothing of them enters a transcript.
import type { Api, Context, Model, Usage } from "@earendil-works/pi-ai";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Answered } from "./round-trip.ts";

/** What the requests cost. */
export interface RequestCost {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** US dollars by pi's price list; 0 where it has no price. */
  readonly usd: number;
}

/** Room for a model that thinks before it answers. */
const MAX_TOKENS = 4_096;

export class ModelRequests {
  readonly #registry: ExtensionContext["modelRegistry"];
  readonly #model: Model<Api>;
  readonly #timeoutMs: number;
  #cost: RequestCost = { requests: 0, input: 0, output: 0, usd: 0 };

  constructor(registry: ExtensionContext["modelRegistry"], model: Model<Api>, timeoutMs: number) {
    this.#registry = registry;
    this.#model = model;
    this.#timeoutMs = timeoutMs;
  }

  get cost(): RequestCost {
    return this.#cost;
  }

  /** Never rejects. */
  readonly ask = async (context: Context): Promise<Answered> => {
    const giveUp = new AbortController();
    const late = new Promise<"late">((resolve) => {
      giveUp.signal.addEventListener("abort", () => resolve("late"), { once: true });
    });
    const timer = setTimeout(() => giveUp.abort(), this.#timeoutMs);
    try {
      const { maxTokens: limit } = this.#model;
      const maxTokens = limit > 0 ? Math.min(limit, MAX_TOKENS) : MAX_TOKENS;
      const options = { signal: giveUp.signal, maxTokens };
      const answer = this.#registry.streamSimple(this.#model, context, options).result();
      // Some transports do not listen to the signal.
      const message = await Promise.race([answer, late]);
      if (message === "late" || giveUp.signal.aborted) return this.#timeout();
      this.#count(message.usage);
      if (message.stopReason !== "error" && message.stopReason !== "aborted") return { message };
      return { fault: "error", reason: message.errorMessage ?? "the request failed" };
    } catch (error) {
      if (giveUp.signal.aborted) return this.#timeout();
      return { fault: "error", reason: error instanceof Error ? error.message : "the request failed" };
    } finally {
      clearTimeout(timer);
    }
  };

  #timeout(): Answered {
    this.#count(undefined);
    return { fault: "timeout", reason: `no answer within ${this.#timeoutMs / 1_000} seconds` };
  }

  #count(usage: Usage | undefined): void {
    const { requests, input, output, usd } = this.#cost;
    this.#cost = {
      requests: requests + 1,
      input: input + (usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite),
      output: output + (usage?.output ?? 0),
      usd: usd + (usage?.cost.total ?? 0),
    };
  }
}
