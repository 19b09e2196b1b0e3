// Turns call events into telemetry records: a record for each call that was not clean, one for a batch of clean ones, and one for
// a batch of those that tools made.
// Names pass `safe-name.ts`; nothing else of an event is kept. Never touches the disk.
import { isForgivenName, isKnownMode } from "../known-modes.ts";
import type { CallEvent, EscalationEvent, LeakEvent, MemoryEvent, NestedEvent } from "../outcome-event.ts";
import { modelKey, OTHER, safeId, safeMode, safeTool, UNKNOWN_TOOL } from "../safe-name.ts";
import type { CleanRecord, TelemetryRecord } from "./telemetry.schema.ts";

export interface CounterOptions {
  readonly session: string;
  readonly host: string;
  readonly now: () => number;
  /** Whether the host has a tool of that name; other names are not written. */
  readonly isTool: (name: string) => boolean;
}

/** What a record of many calls says of them. */
interface Batch {
  calls: number;
  errors: number;
  readonly tools: Map<string, number>;
}

interface ModelCalls {
  readonly origin: { provider: string; model: string; api: string };
  /** Calls of the model in this session. */
  total: number;
  readonly clean: Batch;
  readonly nested: Batch;
}

export class CallCounter {
  readonly #options: CounterOptions;
  readonly #models = new Map<string, ModelCalls>();
  #records: TelemetryRecord[] = [];

  constructor(options: CounterOptions) {
    this.#options = options;
  }

  /** Records that wait to be taken; batches of clean calls count as nothing yet. */
  get waiting(): number {
    return this.#records.length;
  }

  /** @returns the record made, or `undefined` where the call only counts */
  count(event: MemoryEvent): TelemetryRecord | undefined {
    const calls = this.#callsOf(event);
    const tool = safeTool(event.tool, this.#options.isTool);
    if (event.outcome === "escalation") return this.#keep(this.#escalation(event, calls, tool));
    calls.total++;
    if (event.outcome !== "clean") return this.#keep(this.#call(event, event.outcome, calls, tool));
    add(calls.clean, tool, event.executed === "error");
    return undefined;
  }

  /** Calls that a tool made: counted apart, since no model chose their form. */
  nested(event: NestedEvent): void {
    const { nested } = this.#callsOf(event);
    for (const { name, status } of event.calls) add(nested, safeTool(name, this.#options.isTool), status !== "ok");
  }

  /** A message that held calls as text; it is no call of its own. */
  leak(event: LeakEvent): TelemetryRecord {
    const { action, families, refused } = event;
    return this.#keep({
      ...this.#origin(this.#callsOf(event)),
      kind: "leak",
      action,
      families: safeWords(families),
      refused: safeWords(refused),
    });
  }

  /** Everything counted since the last time, as records. */
  take(): readonly TelemetryRecord[] {
    for (const calls of this.#models.values()) {
      const { clean, nested, total } = calls;
      if (clean.calls > 0)
        this.#records.push({ ...this.#origin(calls), kind: "clean", call: total, ...emptied(clean) });
      if (nested.calls > 0) this.#records.push({ ...this.#origin(calls), kind: "nested", ...emptied(nested) });
    }
    const taken = this.#records;
    this.#records = [];
    return taken;
  }

  #keep(record: TelemetryRecord): TelemetryRecord {
    this.#records.push(record);
    return record;
  }

  #callsOf({ provider, model, api }: Pick<MemoryEvent, "provider" | "model" | "api">): ModelCalls {
    const key = modelKey(provider, model);
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const origin = { provider: safeId(provider), model: safeId(model), api: safeId(api) };
    const calls: ModelCalls = { origin, total: 0, clean: emptyBatch(), nested: emptyBatch() };
    this.#models.set(key, calls);
    return calls;
  }

  #origin({ origin }: ModelCalls) {
    const { session, host, now } = this.#options;
    return { v: 1 as const, at: now(), session, host, ...origin };
  }

  #call(event: CallEvent, outcome: "repaired" | "bounced" | "refused", calls: ModelCalls, tool: string) {
    const { taught, executed } = event;
    return {
      ...this.#origin(calls),
      kind: "call" as const,
      call: calls.total,
      tool,
      outcome,
      modes: safeModes(event.modes, isKnownMode),
      forgiven: safeModes(event.forgiven, isForgivenName),
      taught: oneOf(taught, ["note", "rule"]) ?? ("none" as const),
      executed: oneOf(executed, ["ok", "error"]) ?? ("not-run" as const),
    };
  }

  #escalation(event: EscalationEvent, calls: ModelCalls, tool: string) {
    return {
      ...this.#origin(calls),
      kind: "escalation" as const,
      tool,
      modes: safeModes(event.modes, isKnownMode),
      failures: Math.max(0, Math.trunc(Number(event.failures)) || 0),
      strongerModel: event.strongerModel === true,
    };
  }
}

function emptyBatch(): Batch {
  return { calls: 0, errors: 0, tools: new Map() };
}

function add(batch: Batch, tool: string, isError: boolean): void {
  batch.calls++;
  if (isError) batch.errors++;
  batch.tools.set(tool, (batch.tools.get(tool) ?? 0) + 1);
}

/** What was counted, as a record has it; the batch starts over. */
function emptied(batch: Batch): Pick<CleanRecord, "calls" | "errors" | "tools"> {
  const { calls, errors, tools } = batch;
  const counted = { calls, errors, tools: Object.fromEntries(tools) };
  batch.calls = 0;
  batch.errors = 0;
  tools.clear();
  return counted;
}

/** The record as one value-free line, as `PI_MEND_LOG` shows it. */
export function telemetryLine(record: TelemetryRecord): string {
  const who = `${record.provider}/${record.model}`;
  if (record.kind === "clean" || record.kind === "nested") {
    return `pi-mend ${record.kind} ${who} calls=${record.calls} errors=${record.errors}`;
  }
  if (record.kind === "leak") {
    const refused = record.refused.length === 0 ? "" : ` refused=${record.refused.join(",")}`;
    return `pi-mend leak ${who} ${record.families.join(",")} ${record.action}${refused}`;
  }
  const modes = record.modes.join(",");
  if (record.kind === "escalation")
    return `pi-mend escalation ${who} ${record.tool} ${modes} failures=${record.failures}`;
  const tool = record.tool === UNKNOWN_TOOL ? "unknown tool" : record.tool;
  return `pi-mend ${record.outcome} ${who} ${tool} ${modes} taught=${record.taught} executed=${record.executed}`;
}

function safeModes(names: readonly string[], isKnown: (name: string) => boolean): string[] {
  return Array.isArray(names) ? [...new Set(names.slice(0, 32).map((name) => safeMode(name, isKnown)))] : [];
}

/** Names of grammars and reasons, as this package spells them. */
function safeWords(words: readonly string[]): string[] {
  return [...new Set(words.slice(0, 32).map((word) => (/^[a-z][A-Za-z0-9-]{0,31}$/.test(word) ? word : OTHER)))];
}

function oneOf<const Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}
