// How each model's calls do, computed from the telemetry records and the learned memory. Pure. What it says is counts,
// names and times; views of it are in the files beside this one.
import { REPAIRS } from "@pi-mend/ai/tool-repair";
import type { CallRate, ModelMemory, ProtocolVerdict, RetiredRule } from "../adaptation/adaptation.schema.ts";
import { rateOf, SILENT_MS, standingRules } from "../adaptation/learn.ts";
import { ruleSentence } from "../adaptation/rule-sentence.ts";
import type { CallRecord, LeakRecord, TelemetryRecord } from "../telemetry/telemetry.schema.ts";
import { type NoteEffect, noteEffects } from "./note-effect.ts";
import { type WeekCounts, weeklyCounts } from "./weekly-counts.ts";

export interface RuleHealth {
  readonly mode: string;
  readonly sentence: string;
  readonly since: number;
  readonly before: CallRate;
  readonly after: CallRate;
}

export interface ModelHealth {
  /** `provider/model`. */
  readonly model: string;
  readonly calls: number;
  readonly clean: number;
  readonly repaired: number;
  readonly bounced: number;
  readonly refused: number;
  readonly escalations: number;
  /** Messages that held calls as text, by what was done about them; quotations of the conversation are `kept`. */
  readonly leaks: Readonly<Partial<Record<LeakRecord["action"], number>>>;
  /** The grammars of those messages, most frequent first. */
  readonly leakedBy: readonly (readonly [string, number])[];
  /** Calls that tools made, and those of them that failed. */
  readonly nested: { readonly calls: number; readonly errors: number };
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** By mode, most frequent first. */
  readonly repairedBy: readonly (readonly [string, number])[];
  readonly bouncedBy: readonly (readonly [string, number])[];
  /** Repaired calls that were executed, and those of them that did not fail. */
  readonly executedRepaired: number;
  readonly ranWell: number;
  /** Turns that bounces would have cost. */
  readonly roundTripsSaved: number;
  readonly notes: readonly NoteEffect[];
  readonly rules: readonly RuleHealth[];
  readonly retired: readonly RetiredRule[];
  readonly forgotten: readonly string[];
  /** The verdict of calibration, where there was one. */
  readonly protocol: ProtocolVerdict | undefined;
  /** The last twelve weeks, oldest first. */
  readonly weeks: readonly WeekCounts[];
}

export interface Health {
  readonly at: number;
  readonly models: readonly ModelHealth[];
  /** Repairs that did not fire for 30 days, for any model; none while there are no records that old. */
  readonly deadRepairs: readonly string[];
  /** Notes after which the mode came back as often as before. */
  readonly deadNotes: readonly { readonly model: string; readonly mode: string }[];
}

/** After so many calls behind a note, a mode that comes back as often as before was not taught by it. */
const NOTE_TRIAL_CALLS = 10;

export function healthOf(
  records: readonly TelemetryRecord[],
  memories: ReadonlyMap<string, ModelMemory>,
  now: number,
): Health {
  const byModel = new Map<string, TelemetryRecord[]>();
  for (const record of records) {
    const model = `${record.provider}/${record.model}`;
    const known = byModel.get(model);
    if (known === undefined) byModel.set(model, [record]);
    else known.push(record);
  }
  const names = new Set([...byModel.keys(), ...memories.keys()]);
  const models = [...names].map((model) => modelHealth(model, byModel.get(model) ?? [], memories.get(model), now));
  return {
    at: now,
    models: models.toSorted((a, b) => b.calls - a.calls || a.model.localeCompare(b.model)),
    deadRepairs: deadRepairs(records, now),
    deadNotes: models.flatMap(({ model, notes }) => notes.filter(isDeadNote).map(({ mode }) => ({ model, mode }))),
  };
}

function modelHealth(
  model: string,
  records: readonly TelemetryRecord[],
  memory: ModelMemory | undefined,
  now: number,
): ModelHealth {
  const calls = records.filter((record) => record.kind === "call");
  const clean = sumOf(
    records.filter((record) => record.kind === "clean"),
    "calls",
  );
  const repaired = calls.filter((call) => call.outcome === "repaired");
  const bounced = calls.filter((call) => call.outcome === "bounced");
  const executed = repaired.filter((call) => call.executed !== "not-run");
  const ranWell = executed.filter((call) => call.executed === "ok").length;
  const leaks = records.filter((record) => record.kind === "leak");
  const nested = records.filter((record) => record.kind === "nested");
  const times = records.map((record) => record.at);
  return {
    model,
    calls: clean + calls.length,
    clean,
    repaired: repaired.length,
    bounced: bounced.length,
    refused: calls.length - repaired.length - bounced.length,
    escalations: records.filter((record) => record.kind === "escalation").length,
    leaks: Object.fromEntries(frequencies(leaks.map(({ action }) => [action]))),
    leakedBy: frequencies(leaks.map(({ families }) => families)),
    nested: { calls: sumOf(nested, "calls"), errors: sumOf(nested, "errors") },
    firstSeen: times.reduce((first, at) => Math.min(first, at), memory?.lastSeen ?? now),
    lastSeen: times.reduce((last, at) => Math.max(last, at), memory?.lastSeen ?? 0),
    repairedBy: frequencies(modesOf(repaired)),
    bouncedBy: frequencies(modesOf(calls.filter((call) => call.outcome !== "repaired"))),
    executedRepaired: executed.length,
    ranWell,
    roundTripsSaved: ranWell,
    notes: noteEffects(records),
    rules: memory === undefined ? [] : standingRules(memory, now).map(ruleHealth),
    retired: memory?.retired ?? [],
    forgotten: Object.keys(memory?.forgotten ?? {}),
    protocol: memory?.protocol,
    weeks: weeklyCounts(records, now),
  };
}

function sumOf<Key extends string>(records: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return records.reduce((sum, record) => sum + record[key], 0);
}

function ruleHealth(rule: ModelMemory["rules"][number]): RuleHealth {
  const { mode, since, before, after } = rule;
  return { mode, sentence: ruleSentence(mode) ?? "", since, before, after };
}

function isDeadNote({ before, after }: NoteEffect): boolean {
  return after.calls >= NOTE_TRIAL_CALLS && rateOf(after) >= rateOf(before);
}

function modesOf(calls: readonly CallRecord[]): readonly (readonly string[])[] {
  return calls.map(({ modes }) => modes);
}

/** How often each word stands in the lists, most frequent first. */
function frequencies<Word extends string>(lists: readonly (readonly Word[])[]): readonly (readonly [Word, number])[] {
  const counts = new Map<Word, number>();
  for (const list of lists) for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b));
}

/** None before 30 days were watched: what is new is not dead. */
function deadRepairs(records: readonly TelemetryRecord[], now: number): string[] {
  if (!records.some((record) => now - record.at >= SILENT_MS)) return [];
  const alive = new Set<string>();
  for (const record of records) {
    if (record.kind !== "call" || now - record.at >= SILENT_MS) continue;
    for (const mode of record.modes) alive.add(mode);
  }
  return REPAIRS.filter((entry) => !("bounces" in entry) && !alive.has(entry.name)).map((entry) => entry.name);
}
