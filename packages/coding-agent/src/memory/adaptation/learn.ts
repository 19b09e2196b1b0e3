// What a model's memory becomes by the calls of one stretch of a session: counts, rules that graduate, rules that retire.
// Pure: the clock and the memory come in, a new memory goes out. Never makes a rule that the user removed.
import type { CallRate, LearnedRule, ModeCount, ModelMemory, RetiredRule } from "./adaptation.schema.ts";
import { hasRuleSentence } from "./rule-sentence.ts";

/** Repairs of one mode in one session that make a rule. */
export const SESSION_FIRINGS = 3;
/** Sessions with the same mode that make a rule. */
export const SESSIONS = 2;
export const MAX_RULES = 5;
/** A rule or a count without a firing for so long is over. */
export const SILENT_MS = 30 * 24 * 60 * 60 * 1000;
/** Calls after which a rule must have lowered its mode's rate. */
export const TRIAL_CALLS = 30;

const MAX_SESSIONS = 8;
const MAX_RETIRED = 20;
const MAX_STRIKES = 4;

/** The calls of one model in one session since the last time. */
export interface LearningBatch {
  readonly session: string;
  readonly calls: number;
  /** Calls in which each mode was repaired. */
  readonly firings: ReadonlyMap<string, number>;
}

export function emptyMemory(): ModelMemory {
  return { calls: 0, lastSeen: 0, modes: {}, rules: [], retired: [], forgotten: {} };
}

export function learn(memory: ModelMemory, batch: LearningBatch, now: number): ModelMemory {
  const state = new Learning(memory);
  // What fell silent before this batch is over, whatever the batch brings.
  for (const rule of memory.rules) if (isSilent(rule, now)) state.retire(rule, "silent", now);
  state.rules = state.rules.map((rule) => counted(rule, batch, now));
  for (const [mode, firings] of batch.firings) {
    if (state.isSettled(mode)) continue;
    state.count(mode, firings, batch.session, now);
  }
  state.calls += batch.calls;
  for (const rule of [...state.rules]) if (hasNoEffect(rule)) state.retire(rule, "no-effect", now);
  for (const mode of batch.firings.keys()) state.graduate(mode, now);
  return { ...memory, lastSeen: now, ...state.result() };
}

/** The rules that still stand, oldest first. */
export function standingRules(memory: ModelMemory, now: number): readonly LearnedRule[] {
  return memory.rules.filter((rule) => !isSilent(rule, now) && hasRuleSentence(rule.mode));
}

export function rateOf({ calls, firings }: CallRate): number {
  return calls === 0 ? 0 : firings / calls;
}

function isSilent(rule: LearnedRule, now: number): boolean {
  return now - Math.max(rule.since, rule.lastFiring) >= SILENT_MS;
}

function hasNoEffect({ before, after }: LearnedRule): boolean {
  return after.calls >= TRIAL_CALLS && rateOf(after) >= rateOf(before);
}

function counted(rule: LearnedRule, { calls, firings }: LearningBatch, now: number): LearnedRule {
  const fired = firings.get(rule.mode) ?? 0;
  const after = { calls: rule.after.calls + calls, firings: rule.after.firings + fired };
  // A clock that was ahead must not keep a rule alive until its time has come.
  const [since, last] = [Math.min(rule.since, now), Math.min(rule.lastFiring, now)];
  return { ...rule, after, since, lastFiring: fired > 0 ? now : last };
}

/** A memory in the making. */
class Learning {
  calls: number;
  rules: readonly LearnedRule[];
  readonly #forgotten: ModelMemory["forgotten"];
  #retired: readonly RetiredRule[];
  /** A map: a mode's name is never a property of an object that has others. */
  readonly #modes: Map<string, ModeCount>;

  constructor(memory: ModelMemory) {
    this.calls = memory.calls;
    this.rules = memory.rules;
    this.#retired = memory.retired;
    this.#forgotten = memory.forgotten;
    this.#modes = new Map(Object.entries(memory.modes));
  }

  /** Whether there is nothing to learn about a mode: it has its rule, or the user wants none. */
  isSettled(mode: string): boolean {
    return Object.hasOwn(this.#forgotten, mode) || this.rules.some((rule) => rule.mode === mode);
  }

  count(mode: string, firings: number, session: string, now: number): void {
    const known = this.#modes.get(mode);
    const isOver = known !== undefined && known.firings > 0 && now - known.lastFiring >= SILENT_MS;
    // Calls count from the first firing on: what a model did right for months says nothing about a habit it now has.
    const begun =
      known === undefined || isOver || known.firings === 0
        ? { firings: 0, callsBefore: this.calls, sessions: [], strikes: known?.strikes ?? 0 }
        : known;
    const others = begun.sessions.filter(({ id }) => id !== session);
    const earlier = begun.sessions.find(({ id }) => id === session)?.firings ?? 0;
    const sessions = [...others, { id: session, firings: earlier + firings }].slice(-MAX_SESSIONS);
    this.#modes.set(mode, { ...begun, firings: begun.firings + firings, lastFiring: now, sessions });
  }

  graduate(mode: string, now: number): void {
    const count = this.#modes.get(mode);
    if (count === undefined || this.rules.length >= MAX_RULES) return;
    if (this.isSettled(mode) || !hasRuleSentence(mode)) return;
    // A rule that did not help must earn its place with twice the evidence.
    const factor = 2 ** Math.min(count.strikes, MAX_STRIKES);
    const isHabit = count.sessions.some(({ firings }) => firings >= SESSION_FIRINGS * factor);
    if (!isHabit && count.sessions.length < Math.min(SESSIONS * factor, MAX_SESSIONS)) return;
    const calls = Math.max(this.calls - count.callsBefore, count.firings);
    const before = { calls, firings: count.firings };
    const rule = { mode, since: now, lastFiring: now, before, after: { calls: 0, firings: 0 } };
    this.rules = [...this.rules, rule];
  }

  retire(rule: LearnedRule, why: RetiredRule["why"], now: number): void {
    const { mode, before, after } = rule;
    this.rules = this.rules.filter((other) => other.mode !== mode);
    this.#retired = [...this.#retired, { mode, at: now, why, before, after }].slice(-MAX_RETIRED);
    // Both counts start over, or the next firing would bring the rule straight back.
    const strikes = (this.#modes.get(mode)?.strikes ?? 0) + (why === "no-effect" ? 1 : 0);
    this.#modes.set(mode, { firings: 0, callsBefore: this.calls, lastFiring: now, sessions: [], strikes });
  }

  result(): Pick<ModelMemory, "calls" | "rules" | "retired" | "modes"> {
    const modes = Object.fromEntries(this.#modes);
    return { calls: this.calls, rules: [...this.rules], retired: [...this.#retired], modes };
  }
}
