// The learned memory of all models in `adaptation.json`, shared by every process that runs. Rules are learned from it and
// read from it; the user's removals are kept in it. Bounded: the models unseen for longest go first.
import type { StoreResult, Waiting } from "../files/file-lock.ts";
import { JsonStore } from "../files/json-store.ts";
import { schemaCheck } from "../schema-check.ts";
import {
  type Adaptation,
  AdaptationSchema,
  type LearnedRule,
  type ModelMemory,
  type ProtocolVerdict,
} from "./adaptation.schema.ts";
import { emptyMemory, type LearningBatch, learn, standingRules } from "./learn.ts";

/** The host that this package sits in. Memories of other doors stand beside it. */
export const HOST = "pi";
const MAX_MODELS = 200;

const CHECK = schemaCheck<Adaptation>(AdaptationSchema);

export interface AdaptationStoreOptions {
  readonly path: string;
  readonly now: () => number;
  readonly host?: string;
  readonly warn?: (warning: string) => void;
}

export class AdaptationStore {
  readonly #store: JsonStore<Adaptation>;
  readonly #now: () => number;
  readonly #host: string;

  constructor({ path, now, host = HOST, warn }: AdaptationStoreOptions) {
    this.#now = now;
    this.#host = host;
    const empty = (): Adaptation => ({ version: 1, hosts: {} });
    this.#store = new JsonStore({ path, check: CHECK, empty, now, warn, isNewer });
  }

  /** Memories by `provider/model`. */
  models(): ReadonlyMap<string, ModelMemory> {
    return new Map(Object.entries(hostOf(this.#store.read(), this.#host)));
  }

  /** The rules that stand for a model, oldest first. */
  rules(model: string): readonly LearnedRule[] {
    const memory = this.models().get(model);
    return memory === undefined ? [] : standingRules(memory, this.#now());
  }

  /** Whether calls of a model matter although nothing fired: its rules are measured by them. */
  measures(model: string): boolean {
    const memory = this.models().get(model);
    return memory !== undefined && (memory.rules.length > 0 || Object.keys(memory.modes).length > 0);
  }

  /** How a model takes tool calls, where that was measured. */
  protocol(model: string): ProtocolVerdict | undefined {
    return this.models().get(model)?.protocol;
  }

  /** Keeps a verdict in place of an earlier one. */
  setProtocol(model: string, verdict: string, cost: ProtocolVerdict["cost"]): Promise<StoreResult<Adaptation>> {
    const at = this.#now();
    return this.change((models) => {
      const memory = models.get(model) ?? emptyMemory();
      models.set(model, { ...memory, lastSeen: at, protocol: { verdict, at, cost } });
      return true;
    });
  }

  /**
   * Takes the one offer of calibration that there is for a model.
   *
   * @returns whether it is to be made now: false where it was made, there is a verdict, or the file cannot be written
   */
  async takeOffer(model: string): Promise<boolean> {
    const at = this.#now();
    let isDue = false;
    const result = await this.change((models) => {
      const memory = models.get(model) ?? emptyMemory();
      isDue = memory.offered === undefined && memory.protocol === undefined;
      if (isDue) models.set(model, { ...memory, lastSeen: at, offered: at });
      return isDue;
    });
    return result.ok && isDue;
  }

  learn(batches: ReadonlyMap<string, LearningBatch>, waiting?: Waiting): Promise<StoreResult<Adaptation>> {
    const now = this.#now();
    return this.change((models) => {
      for (const [model, batch] of batches) models.set(model, learn(models.get(model) ?? emptyMemory(), batch, now));
      return true;
    }, waiting);
  }

  /**
   * Removes a model's rule for `mode`, or all its rules and counts, and keeps them from coming back.
   *
   * @returns the modes that were removed; none where the model has no memory
   */
  async forget(model: string, mode?: string): Promise<StoreResult<readonly string[]>> {
    let removed: readonly string[] = [];
    const result = await this.change((models) => {
      const memory = models.get(model);
      const all = memory === undefined ? [] : [...memory.rules.map((rule) => rule.mode), ...Object.keys(memory.modes)];
      removed = mode === undefined ? [...new Set(all)] : [mode];
      if (removed.length === 0) return false;
      models.set(model, withoutModes(memory ?? emptyMemory(), removed, this.#now()));
      return true;
    });
    return result.ok ? { ok: true, value: removed } : result;
  }

  /** Lets a forgotten mode, or all of a model's, be learned again. Returns the modes that may. */
  async allow(model: string, mode?: string): Promise<StoreResult<readonly string[]>> {
    let allowed: readonly string[] = [];
    const result = await this.change((models) => {
      const memory = models.get(model);
      const modes = Object.keys(memory?.forgotten ?? {});
      allowed = mode === undefined ? modes : modes.filter((name) => name === mode);
      if (memory === undefined || allowed.length === 0) return false;
      const forgotten = Object.fromEntries(
        Object.entries(memory.forgotten).filter(([name]) => !allowed.includes(name)),
      );
      models.set(model, { ...memory, forgotten });
      return true;
    });
    return result.ok ? { ok: true, value: allowed } : result;
  }

  /** @param edit changes the map; false means that nothing did */
  private change(edit: (models: Map<string, ModelMemory>) => boolean, waiting?: Waiting) {
    return this.#store.update((adaptation) => {
      const models = new Map(Object.entries(hostOf(adaptation, this.#host)));
      if (!edit(models)) return adaptation;
      const newest = [...models].toSorted(([, a], [, b]) => b.lastSeen - a.lastSeen).slice(0, MAX_MODELS);
      const kept = new Set(newest.map(([model]) => model));
      const bounded = Object.fromEntries([...models].filter(([model]) => kept.has(model)));
      return { ...adaptation, hosts: { ...adaptation.hosts, [this.#host]: bounded } };
    }, waiting);
  }
}

function hostOf({ hosts }: Adaptation, host: string): Readonly<Record<string, ModelMemory>> {
  return Object.hasOwn(hosts, host) ? hosts[host]! : {};
}

function withoutModes(memory: ModelMemory, removed: readonly string[], now: number): ModelMemory {
  const gone = new Set(removed);
  const modes = Object.fromEntries(Object.entries(memory.modes).filter(([mode]) => !gone.has(mode)));
  const forgotten = { ...memory.forgotten, ...Object.fromEntries(removed.map((mode) => [mode, now])) };
  return { ...memory, lastSeen: now, modes, forgotten, rules: memory.rules.filter((rule) => !gone.has(rule.mode)) };
}

function isNewer(value: unknown): boolean {
  return typeof value === "object" && value !== null && "version" in value && Number(value.version) > 1;
}
