// What a line of `telemetry.jsonl` may be: one call that was not clean, a batch of clean ones, an escalation, a message that
// held calls as text, or a batch of calls that tools made. Names and counts only. Replaced by its JSON in the build.
import { type Static, Type } from "@sinclair/typebox";

const Count = Type.Integer({ minimum: 0 });
const Name = Type.String({ maxLength: 128 });

const ORIGIN = {
  v: Type.Literal(1),
  /** Milliseconds since 1970. */
  at: Count,
  /** Tells sessions apart. */
  session: Name,
  host: Name,
  provider: Name,
  model: Name,
  api: Name,
};

export const CallRecordSchema = Type.Object({
  ...ORIGIN,
  kind: Type.Literal("call"),
  /** Which call of this model in the session it was, from 1. */
  call: Count,
  tool: Name,
  outcome: Type.Union([Type.Literal("repaired"), Type.Literal("bounced"), Type.Literal("refused")]),
  modes: Type.Array(Name),
  forgiven: Type.Array(Name),
  taught: Type.Union([Type.Literal("none"), Type.Literal("note"), Type.Literal("rule")]),
  executed: Type.Union([Type.Literal("ok"), Type.Literal("error"), Type.Literal("not-run")]),
});

export const CleanRecordSchema = Type.Object({
  ...ORIGIN,
  kind: Type.Literal("clean"),
  /** Number of the last call in the batch. */
  call: Count,
  calls: Count,
  /** Those that then failed. */
  errors: Count,
  tools: Type.Record(Type.String(), Count),
});

export const EscalationRecordSchema = Type.Object({
  ...ORIGIN,
  kind: Type.Literal("escalation"),
  tool: Name,
  modes: Type.Array(Name),
  failures: Count,
  strongerModel: Type.Boolean(),
});

export const LeakRecordSchema = Type.Object({
  ...ORIGIN,
  kind: Type.Literal("leak"),
  action: Type.Union([
    Type.Literal("observed"),
    Type.Literal("kept"),
    Type.Literal("stripped"),
    Type.Literal("recovered"),
  ]),
  families: Type.Array(Name),
  refused: Type.Array(Name),
});

/** Calls that tools made (`ctx.executeTool`, codemode's scripts). They are the tools' own and count in no other record. */
export const NestedRecordSchema = Type.Object({
  ...ORIGIN,
  kind: Type.Literal("nested"),
  calls: Count,
  /** Those that failed or never ended. */
  errors: Count,
  tools: Type.Record(Type.String(), Count),
});

export const TelemetryRecordSchema = Type.Union([
  CallRecordSchema,
  CleanRecordSchema,
  EscalationRecordSchema,
  LeakRecordSchema,
  NestedRecordSchema,
]);

export type CallRecord = Static<typeof CallRecordSchema>;
export type CleanRecord = Static<typeof CleanRecordSchema>;
export type EscalationRecord = Static<typeof EscalationRecordSchema>;
export type LeakRecord = Static<typeof LeakRecordSchema>;
export type NestedRecord = Static<typeof NestedRecordSchema>;
export type TelemetryRecord = Static<typeof TelemetryRecordSchema>;
