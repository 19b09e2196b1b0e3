// Whether the notes behind results teach: how often a mode fired up to its first note in a session, and after it. Pure.
import type { CallRate } from "../adaptation/adaptation.schema.ts";
import type { CallRecord, TelemetryRecord } from "../telemetry/telemetry.schema.ts";

export interface NoteEffect {
  readonly mode: string;
  /** Notes given. */
  readonly notes: number;
  readonly sessions: number;
  /** Calls up to the first note of their session, that call included. */
  readonly before: CallRate;
  readonly after: CallRate;
}

/** The effect of each mode's notes on one model, most notes first. */
export function noteEffects(records: readonly TelemetryRecord[]): readonly NoteEffect[] {
  const effects = new Map<string, NoteEffect>();
  for (const session of sessionsOf(records)) {
    const firsts = new Map<string, number>();
    for (const { modes, call, taught } of session.calls) {
      if (taught !== "note") continue;
      for (const mode of modes) if (!firsts.has(mode)) firsts.set(mode, call);
    }
    for (const [mode, first] of firsts) {
      const fired = session.calls.filter((call) => call.modes.includes(mode));
      const early = fired.filter(({ call }) => call <= first).length;
      const so = effects.get(mode) ?? NO_EFFECT;
      effects.set(mode, {
        mode,
        notes: so.notes + fired.filter(({ taught }) => taught === "note").length,
        sessions: so.sessions + 1,
        before: sum(so.before, { calls: first, firings: early }),
        after: sum(so.after, { calls: session.total - first, firings: fired.length - early }),
      });
    }
  }
  return [...effects.values()].toSorted((a, b) => b.notes - a.notes || a.mode.localeCompare(b.mode));
}

const NONE: CallRate = { calls: 0, firings: 0 };
const NO_EFFECT: NoteEffect = { mode: "", notes: 0, sessions: 0, before: NONE, after: NONE };

interface SessionCalls {
  /** Repaired calls in their order. */
  readonly calls: CallRecord[];
  /** Calls of the model in the session. */
  total: number;
}

function sessionsOf(records: readonly TelemetryRecord[]): Iterable<SessionCalls> {
  const sessions = new Map<string, SessionCalls>();
  for (const record of records) {
    if (record.kind !== "call" && record.kind !== "clean") continue;
    const known = sessions.get(record.session);
    const session = known ?? { calls: [], total: 0 };
    if (known === undefined) sessions.set(record.session, session);
    session.total = Math.max(session.total, record.call);
    if (record.kind === "call" && record.outcome === "repaired") session.calls.push(record);
  }
  for (const session of sessions.values()) session.calls.sort((a, b) => a.call - b.call);
  return sessions.values();
}

function sum(a: CallRate, b: CallRate): CallRate {
  return { calls: a.calls + b.calls, firings: a.firings + b.firings };
}
