// Takes the events of one session and writes what they are worth: telemetry, failure records, learned counts, each by its
// own switch. Events only count in memory; the disk is touched at the end of a run. What cannot be written is dropped.
import type { Settings } from "../settings/resolve-settings.ts";
import { AdaptationStore } from "./adaptation/adaptation-store.ts";
import type { LearningBatch } from "./adaptation/learn.ts";
import { hasRuleSentence } from "./adaptation/rule-sentence.ts";
import { FailureRecords } from "./failures/failure-records.ts";
import type { StoreResult, Waiting } from "./files/file-lock.ts";
import type { MemoryPaths } from "./memory-paths.ts";
import type { CallDetail, CallEvent, LeakEvent, MemoryEvent, NestedEvent } from "./outcome-event.ts";
import { modelKey } from "./safe-name.ts";
import { CallCounter, telemetryLine } from "./telemetry/call-counter.ts";
import { telemetryLog } from "./telemetry/telemetry-log.ts";

/** Telemetry records that make the recorder write before the run ends. */
const FULL = 64;
/** A file that refused is left alone for so long. */
const REST_MS = 60_000;

type StoreName = "telemetry" | "failures" | "adaptation";

const NOTHING: ReadonlyMap<string, LearningBatch> = new Map();

type Switches = Pick<Settings, "telemetry" | "failureRecords" | "rules" | "log">;

export interface RecorderOptions {
  readonly paths: MemoryPaths;
  readonly session: string;
  readonly host: string;
  readonly now: () => number;
  readonly isTool: (name: string) => boolean;
  /** Asked for every event and write: a switch counts from the moment it is changed. */
  readonly switches: () => Switches;
  /** Takes the lines of `PI_MEND_LOG`, without line breaks. */
  readonly print?: ((line: string) => void) | undefined;
  readonly warn?: ((warning: string) => void) | undefined;
}

export class Recorder {
  readonly adaptation: AdaptationStore;
  readonly #options: RecorderOptions;
  readonly #counter: CallCounter;
  readonly #failures: FailureRecords;
  #learned = new Map<string, { session: string; calls: number; firings: Map<string, number> }>();
  #writing: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  /** When each file that refused is tried again. The others lose nothing by it. */
  readonly #restUntil = new Map<StoreName, number>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { session, host, now, isTool, paths, warn } = options;
    // A session that is opened again counts its calls from one again; its records stay apart.
    this.#counter = new CallCounter({ session: `${session}-${now().toString(36)}`, host, now, isTool });
    this.#failures = new FailureRecords({ path: paths.failures, now, isTool });
    this.adaptation = new AdaptationStore({ path: paths.adaptation, now, host, ...(warn && { warn }) });
  }

  /** Counts an event. Never throws, never waits. */
  record(event: MemoryEvent, detail?: CallDetail): void {
    try {
      const switches = this.#options.switches();
      const record = this.#counter.count(event);
      if (record !== undefined && switches.log) this.#options.print?.(telemetryLine(record));
      if (event.outcome === "escalation") return;
      if (switches.rules) this.#learn(event);
      if (switches.failureRecords && event.outcome === "bounced" && detail !== undefined) {
        this.#failures.keep(event, detail);
      }
      if (this.#counter.waiting >= FULL) void this.flush();
    } catch {
      // Counting never breaks a run.
    }
  }

  /** Counts a message that held calls as text. Never throws, never waits. */
  recordLeak(event: LeakEvent): void {
    try {
      const record = this.#counter.leak(event);
      if (this.#options.switches().log) this.#options.print?.(telemetryLine(record));
      if (this.#counter.waiting >= FULL) void this.flush();
    } catch {
      // Counting never breaks a run.
    }
  }

  /** Counts the calls that a tool made. Never throws, never waits. */
  recordNested(event: NestedEvent): void {
    try {
      this.#counter.nested(event);
    } catch {
      // Counting never breaks a run.
    }
  }

  /** Writes what was counted so far. Never rejects; what cannot be written is dropped. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write({ signal: this.#closing.signal })).catch(() => undefined);
    return this.#writing;
  }

  /** Writes the rest. Other processes may keep it waiting for `waitMs`; then what they hold on to is given up. */
  async close(waitMs: number): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), waitMs);
    await this.flush();
    clearTimeout(timer);
  }

  #learn(event: CallEvent): void {
    const model = modelKey(event.provider, event.model);
    let batch = this.#learned.get(model);
    if (batch === undefined) {
      batch = { session: this.#options.session, calls: 0, firings: new Map() };
      this.#learned.set(model, batch);
    }
    batch.calls++;
    if (event.outcome !== "repaired") return;
    for (const mode of new Set(event.modes)) {
      if (hasRuleSentence(mode)) batch.firings.set(mode, (batch.firings.get(mode) ?? 0) + 1);
    }
  }

  async #write(waiting: Waiting): Promise<void> {
    const { switches, now, paths } = this.#options;
    const { telemetry, failureRecords, rules } = switches();
    const records = this.#counter.take();
    const failures = this.#failures.take();
    const learned = this.#learned;
    this.#learned = new Map();
    const write = async (file: StoreName, append: () => Promise<StoreResult<unknown>>) => {
      if (now() < (this.#restUntil.get(file) ?? 0)) return;
      const result = await append();
      if (!result.ok && result.fault === "unwritable") this.#restUntil.set(file, now() + REST_MS);
    };
    if (telemetry) await write("telemetry", () => telemetryLog(paths.telemetry).append(records, waiting));
    if (failureRecords) await write("failures", () => this.#failures.write(failures, waiting));
    const batches = rules ? this.#worthLearning(learned) : NOTHING;
    if (batches.size > 0) await write("adaptation", () => this.adaptation.learn(batches, waiting));
  }

  /** Clean calls of a model that never needed a repair change nothing, and cost no write. */
  #worthLearning(learned: ReadonlyMap<string, LearningBatch>): ReadonlyMap<string, LearningBatch> {
    return new Map([...learned].filter(([model, batch]) => batch.firings.size > 0 || this.adaptation.measures(model)));
  }
}
