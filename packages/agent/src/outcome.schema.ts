// What an outcome event is as JSON, for whoever stores events by the line. Declared for `docs/schemas` and tests only: the
// build leaves it out, and nothing here runs beside a call. A test holds it to the type of the events.
import { type Static, Type } from "@sinclair/typebox";
import type { ShapeNode as Node } from "./call-shape.ts";

const Name = Type.String();
const Names = Type.Array(Name);

const ShapeNode = Type.Unsafe<Node>({ $ref: "#/$defs/node" });
const NODE = {
  description: "A type word, the distinct shapes of a list's items, or declared keys with theirs",
  anyOf: [
    { type: "string" },
    { type: "array", items: { $ref: "#/$defs/node" } },
    { type: "object", additionalProperties: { $ref: "#/$defs/node" } },
  ],
};

const ORIGIN = {
  model: Name,
  provider: Name,
  api: Name,
  tool: Type.String({ description: "The tool's name, or (unknown) where the call named none" }),
};

const Shape = Type.Object(
  {
    sent: ShapeNode,
    at: Type.Array(Name, { description: "Where modes fired, as positions in the schema" }),
  },
  { description: "Types by schema position, never a value" },
);

export const CallOutcomeSchema = Type.Object({
  ...ORIGIN,
  outcome: Type.Union([
    Type.Literal("clean"),
    Type.Literal("repaired"),
    Type.Literal("bounced"),
    Type.Literal("refused"),
  ]),
  modes: Type.Array(Name, {
    description: "Repairs made; for a bounce the keywords that failed, for a refusal its reason",
  }),
  forgiven: Type.Array(Name, { description: "What the lenient reader overlooked" }),
  taught: Type.Union([Type.Literal("none"), Type.Literal("note"), Type.Literal("rule")]),
  executed: Type.Union([Type.Literal("ok"), Type.Literal("error"), Type.Literal("not-run")]),
  shape: Shape,
});

export const EscalationOutcomeSchema = Type.Object({
  ...ORIGIN,
  outcome: Type.Literal("escalation"),
  modes: Names,
  failures: Type.Integer({ minimum: 0, description: "Identical failures in a row" }),
  strongerModel: Type.Boolean({ description: "Whether a stronger model takes the next turn" }),
  shape: Shape,
});

export const OutcomeEventSchema = Type.Union([CallOutcomeSchema, EscalationOutcomeSchema], { $defs: { node: NODE } });

export type StoredCallOutcome = Static<typeof CallOutcomeSchema>;
export type StoredEscalationOutcome = Static<typeof EscalationOutcomeSchema>;
