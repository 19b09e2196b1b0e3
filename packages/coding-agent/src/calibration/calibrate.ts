// Finds out how a model makes tool calls: native ones first, then each form of calls as text. The first that works is the
// verdict. Asked for by a person; sends requests of its own through `ask`, and decides nothing where one was not answered.
import { ENVELOPE_FORMS, type EnvelopeForm } from "@pi-mend/ai/tool-repair";
import { type Ask, type Fault, type Passed, roundTrip } from "./round-trip.ts";
import { echoTrial, taskTrial } from "./trial.ts";

/** What a model takes: declared tools, calls as text in one form, or neither. */
export type Protocol = "native" | `text:${EnvelopeForm}` | "none";

export interface TrialReport {
  readonly name: string;
  readonly outcome: Passed | Fault["fault"];
}

export interface Calibration {
  /** `undefined` where a request was not answered. */
  readonly verdict: Protocol | undefined;
  /** Why there is no verdict. */
  readonly reason?: string;
  readonly trials: readonly TrialReport[];
}

/** How often a form of calls as text must work, each time anew, to be trusted. */
const TEXT_TRIPS = 2;

interface Candidate {
  readonly name: string;
  readonly verdict: Exclude<Protocol, "none">;
  readonly trips: readonly (() => Promise<Passed | Fault>)[];
}

/**
 * @param code a number of four or more digits that nobody can guess
 * @param onTrial hears which trial begins
 */
export async function calibrate(ask: Ask, code: () => string, onTrial?: (name: string) => void): Promise<Calibration> {
  const candidates: readonly Candidate[] = [
    { name: "native task", verdict: "native", trips: [() => roundTrip(taskTrial(code), undefined, ask)] },
    { name: "native echo", verdict: "native", trips: [() => roundTrip(echoTrial(code), undefined, ask)] },
    ...ENVELOPE_FORMS.map((form): Candidate => {
      const trip = () => roundTrip(echoTrial(code), form, ask);
      return { name: `text ${form}`, verdict: `text:${form}`, trips: Array.from({ length: TEXT_TRIPS }, () => trip) };
    }),
  ];
  const trials: TrialReport[] = [];
  for (const { name, verdict, trips } of candidates) {
    onTrial?.(name);
    const outcome = await all(trips);
    const word = typeof outcome === "string" ? outcome : outcome.fault;
    trials.push({ name, outcome: word });
    if (typeof outcome !== "string") return { verdict: undefined, reason: outcome.reason, trials };
    if (outcome === "passed") return { verdict, trials };
  }
  return { verdict: "none", trials };
}

async function all(trips: Candidate["trips"]): Promise<Passed | Fault> {
  for (const trip of trips) {
    const outcome = await trip();
    if (outcome !== "passed") return outcome;
  }
  return "passed";
}
