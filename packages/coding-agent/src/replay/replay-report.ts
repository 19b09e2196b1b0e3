// What a replay found, as the data that every view shows and `--json` prints. Pure. Seconds and dollars instead of the
// integers that are counted in.
import { type FailureGroup, mostFrequent } from "./failure-groups.ts";
import type { Verdict } from "./judge-call.ts";
import type { ReplayFound } from "./replay-run.ts";
import {
  addModel,
  type Cost,
  emptyTally,
  type InputTally,
  type ModelTally,
  modelTally,
  type VerdictCounts,
} from "./tally.ts";

export interface ReportedCost {
  readonly turns: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly dollars: number;
}

export interface ReportedWeek {
  /** The Monday, as `YYYY-MM-DD`. */
  readonly week: string;
  readonly calls: number;
  readonly verdicts: VerdictCounts;
  readonly saved: ReportedCost;
}

export interface ReportedModel {
  readonly model: string;
  readonly calls: number;
  readonly nested: number;
  readonly verdicts: VerdictCounts;
  readonly wrongBounces: number;
  readonly printed: number;
  readonly modes: readonly { readonly mode: string; readonly verdicts: VerdictCounts }[];
  readonly weeks: readonly ReportedWeek[];
  readonly spent: ReportedCost;
  readonly lost: ReportedCost;
  readonly saved: ReportedCost;
  readonly printedLost: ReportedCost;
}

export interface ReplayReport {
  readonly v: 1;
  /** Whether it was stopped before everything was read. */
  readonly isStopped: boolean;
  readonly input: Omit<InputTally, "firstAt" | "lastAt"> & { readonly from: string; readonly to: string };
  readonly total: ReportedModel;
  readonly models: readonly ReportedModel[];
  readonly unrepaired: readonly FailureGroup[];
}

const MOST_FAILURES = 10;
/** Verdicts that are worth a row of their own. */
const NOTABLE: readonly Verdict[] = ["wouldRun", "ranWrong", "stillBounces", "alike", "mended"];

export function replayReport({ tally, groups, isStopped }: ReplayFound): ReplayReport {
  const all = modelTally(emptyTally(), "all");
  for (const model of tally.models.values()) addModel(all, model);
  const { firstAt, lastAt, ...input } = tally.input;
  const models = [...tally.models].map(([name, model]) => reported(name, model));
  return {
    v: 1,
    isStopped,
    input: { ...input, from: dayOf(firstAt), to: dayOf(lastAt) },
    total: reported("all", all),
    models: models.toSorted((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1)),
    unrepaired: mostFrequent(groups, MOST_FAILURES),
  };
}

function reported(name: string, model: ModelTally): ReportedModel {
  const { calls, nested, verdicts, wrongBounces, printed } = model;
  const weight = (counts: VerdictCounts) => NOTABLE.reduce((sum, verdict) => sum + counts[verdict], 0);
  const modes = [...model.modes].map(([mode, counts]) => ({ mode, verdicts: counts }));
  const weeks = [...model.weeks].toSorted(([a], [b]) => a - b);
  return {
    ...{ model: name, calls, nested, verdicts, wrongBounces, printed },
    modes: modes.toSorted((a, b) => weight(b.verdicts) - weight(a.verdicts) || (a.mode < b.mode ? -1 : 1)),
    weeks: weeks.map(([start, week]) => ({ ...week, week: dayOf(start), saved: costOf(week.saved) })),
    spent: costOf(model.spent),
    lost: costOf(model.lost),
    saved: costOf(model.saved),
    printedLost: costOf(model.printedLost),
  };
}

function costOf({ turns, tokens, milliseconds, nanodollars }: Cost): ReportedCost {
  return { turns, tokens, seconds: milliseconds / 1000, dollars: nanodollars / 1e9 };
}

function dayOf(at: number): string {
  return at === 0 ? "" : new Date(at).toISOString().slice(0, 10);
}
