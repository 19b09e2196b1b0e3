// Counts of what replay found, by model, mode and week. Made of plain data, so that workers can send it; adding two tallies
// gives the same as counting both files in one. Holds no value of a transcript.
import { VERDICTS, type Verdict } from "./judge-call.ts";

/** What turns took. Times in milliseconds, money in billionths of a dollar: whole numbers add up the same in any order. */
export interface Cost {
  turns: number;
  tokens: number;
  milliseconds: number;
  nanodollars: number;
}

export type VerdictCounts = Record<Verdict, number>;

export interface WeekTally {
  calls: number;
  verdicts: VerdictCounts;
  saved: Cost;
}

export interface ModelTally {
  calls: number;
  nested: number;
  verdicts: VerdictCounts;
  /** Of the calls that ran wrong, those that bounce now. */
  wrongBounces: number;
  /** Verdicts by mode; a call counts under each of its modes. */
  modes: Map<string, VerdictCounts>;
  /** Weeks by the Monday they begin with, in milliseconds since 1970. */
  weeks: Map<number, WeekTally>;
  /** Calls printed as text. */
  printed: number;
  /** All turns. */
  spent: Cost;
  /** Turns of which every call bounced. */
  lost: Cost;
  /** Those of them of which every call would run now. */
  saved: Cost;
  /** Turns that ended with a printed call and nothing else. */
  printedLost: Cost;
}

export interface InputTally {
  files: number;
  bytes: number;
  lines: number;
  damaged: number;
  /** Last lines that were not finished: a program still writes the file. */
  unfinished: number;
  oversized: number;
  unreadable: number;
  firstAt: number;
  lastAt: number;
}

export interface Tally {
  readonly models: Map<string, ModelTally>;
  readonly input: InputTally;
}

export const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** The first Monday after 1 January 1970. */
const MONDAY = 4 * 24 * 60 * 60 * 1000;
/** Weeks and models of one tally: a transcript may claim anything. */
const MAX_WEEKS = 1_000;
const MAX_MODELS = 1_000;
const MANY = "(other)/(other)";

export function emptyTally(): Tally {
  const counts = { files: 0, bytes: 0, lines: 0, damaged: 0, unfinished: 0, oversized: 0, unreadable: 0 };
  return { models: new Map(), input: { ...counts, firstAt: 0, lastAt: 0 } };
}

export function emptyVerdicts(): VerdictCounts {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as VerdictCounts;
}

export function emptyCost(): Cost {
  return { turns: 0, tokens: 0, milliseconds: 0, nanodollars: 0 };
}

export function modelTally(tally: Tally, name: string): ModelTally {
  const key = tally.models.has(name) || tally.models.size < MAX_MODELS ? name : MANY;
  return entryOf(tally.models, key, () => ({
    ...{ calls: 0, nested: 0, verdicts: emptyVerdicts(), wrongBounces: 0, modes: new Map(), weeks: new Map() },
    ...{ printed: 0, spent: emptyCost(), lost: emptyCost(), saved: emptyCost(), printedLost: emptyCost() },
  }));
}

/** @param at milliseconds since 1970; `undefined` for an unknown time */
export function weekTally(model: ModelTally, at: number): WeekTally | undefined {
  if (at === 0) return undefined;
  const start = Math.floor((at - MONDAY) / WEEK_MS) * WEEK_MS + MONDAY;
  if (!model.weeks.has(start) && model.weeks.size >= MAX_WEEKS) return undefined;
  return entryOf(model.weeks, start, emptyWeek);
}

function emptyWeek(): WeekTally {
  return { calls: 0, verdicts: emptyVerdicts(), saved: emptyCost() };
}

export function addCost(to: Cost, { turns, tokens, milliseconds, nanodollars }: Cost): void {
  to.turns += turns;
  to.tokens += tokens;
  to.milliseconds += milliseconds;
  to.nanodollars += nanodollars;
}

export function addVerdicts(to: VerdictCounts, from: VerdictCounts): void {
  for (const verdict of VERDICTS) to[verdict] += from[verdict];
}

/** Adds `from` to `to`. */
export function addTally(to: Tally, from: Tally): void {
  for (const [name, counts] of from.models) addModel(modelTally(to, name), counts);
  const { firstAt, lastAt, ...counts } = from.input;
  for (const [name, count] of Object.entries(counts)) to.input[name as keyof typeof counts] += count;
  sawTime(to, firstAt);
  sawTime(to, lastAt);
}

export function addModel(to: ModelTally, from: ModelTally): void {
  to.calls += from.calls;
  to.nested += from.nested;
  to.wrongBounces += from.wrongBounces;
  to.printed += from.printed;
  addVerdicts(to.verdicts, from.verdicts);
  for (const kind of ["spent", "lost", "saved", "printedLost"] as const) addCost(to[kind], from[kind]);
  for (const [mode, verdicts] of from.modes) addVerdicts(entryOf(to.modes, mode, emptyVerdicts), verdicts);
  for (const [start, week] of from.weeks) {
    const own = entryOf(to.weeks, start, emptyWeek);
    own.calls += week.calls;
    addVerdicts(own.verdicts, week.verdicts);
    addCost(own.saved, week.saved);
  }
}

/** Widens the time that the tally spans. */
export function sawTime({ input }: Tally, at: number): void {
  if (at === 0) return;
  input.firstAt = input.firstAt === 0 ? at : Math.min(input.firstAt, at);
  input.lastAt = Math.max(input.lastAt, at);
}

/** The entry of a key, made when it is first asked for. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
