// What `adaptation.json` holds: by host and `provider/model`, how often each mode fired and which rules are taught.
// Names of modes and counts only; the sentences are made from the repair table. Replaced by its JSON in the build.
import { type Static, Type } from "@sinclair/typebox";

const Count = Type.Integer({ minimum: 0 });
/** Milliseconds since 1970. */
const Time = Type.Integer({ minimum: 0 });
const Name = Type.String({ minLength: 1, maxLength: 64 });

const Rate = Type.Object({ calls: Count, firings: Count });

const ModeCount = Type.Object({
  /** Since counting began: the first firing, or the retirement of the mode's rule. */
  firings: Count,
  /** Calls of the model before counting began. */
  callsBefore: Count,
  lastFiring: Time,
  /** Firings of the sessions seen last. */
  sessions: Type.Array(Type.Object({ id: Name, firings: Count }), { maxItems: 8 }),
  /** Rules for this mode that did not help. */
  strikes: Count,
});

const Rule = Type.Object({ mode: Name, since: Time, lastFiring: Time, before: Rate, after: Rate });

const Retired = Type.Object({
  mode: Name,
  at: Time,
  why: Type.Union([Type.Literal("silent"), Type.Literal("no-effect")]),
  before: Rate,
  after: Rate,
});

const ProtocolVerdict = Type.Object({
  /** `native`, `text:` and the form of the envelope, or `none`. */
  verdict: Name,
  at: Time,
  /** What finding it out cost; `usd` by pi's price list. */
  cost: Type.Object({ requests: Count, input: Count, output: Count, usd: Type.Number({ minimum: 0 }) }),
});

export const ModelMemorySchema = Type.Object({
  /** Calls counted for this model. */
  calls: Count,
  lastSeen: Time,
  modes: Type.Record(Type.String(), ModeCount),
  rules: Type.Array(Rule, { maxItems: 5 }),
  retired: Type.Array(Retired, { maxItems: 20 }),
  /** Modes whose rule the user removed, and when. They never come back by themselves. */
  forgotten: Type.Record(Type.String(), Time),
  /** How the model takes tool calls: set by calibration, shown by health. */
  protocol: Type.Optional(ProtocolVerdict),
  /** When calibration was offered. It is offered once. */
  offered: Type.Optional(Time),
});

export const AdaptationSchema = Type.Object({
  version: Type.Literal(1),
  hosts: Type.Record(Type.String(), Type.Record(Type.String(), ModelMemorySchema)),
});

export type ProtocolVerdict = Static<typeof ProtocolVerdict>;
export type CallRate = Static<typeof Rate>;
export type ModeCount = Static<typeof ModeCount>;
export type LearnedRule = Static<typeof Rule>;
export type RetiredRule = Static<typeof Retired>;
export type ModelMemory = Static<typeof ModelMemorySchema>;
export type Adaptation = Static<typeof AdaptationSchema>;
