// What a settings file may hold. Declared with TypeBox, read as plain JSON Schema: the build replaces this module by its
// own JSON, so that TypeBox is never loaded where pi runs.
import { type Static, Type } from "@sinclair/typebox";

export const SettingsFileSchema = Type.Object({
  profile: Type.Optional(
    Type.Union([Type.Literal("conservative"), Type.Literal("adaptive"), Type.Literal("recover")], {
      description: "Where every switch below starts from",
    }),
  ),
  repair: Type.Optional(Type.Boolean({ description: "Repair calls that have exactly one reading" })),
  teach: Type.Optional(Type.Boolean({ description: "Tell the model behind a result what was repaired" })),
  rules: Type.Optional(Type.Boolean({ description: "Learn standing rules for each model's system prompt" })),
  telemetry: Type.Optional(Type.Boolean({ description: "Count calls in a local file" })),
  failureRecords: Type.Optional(Type.Boolean({ description: "Keep value-free records of bounces in a local file" })),
  markers: Type.Optional(Type.Boolean({ description: "Mark repaired calls on the screen" })),
  textProtocol: Type.Optional(Type.Boolean({ description: "Tool calls in text, for models without native ones" })),
  textModels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: "Models that make their calls in text, as provider/model; * for every model",
    }),
  ),
  grammar: Type.Optional(
    Type.Union([Type.Literal("off"), Type.Literal("observe"), Type.Literal("strip"), Type.Literal("recover")], {
      description: "What is done about tool call markup that leaked into text",
    }),
  ),
  unknownGrammar: Type.Optional(
    Type.Union([Type.Literal("preserve"), Type.Literal("strip")], {
      description: "What is done about markup that names no tool",
    }),
  ),
  recoverTools: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 100,
      description: "Tools that recovered text may call; * for every active tool",
    }),
  ),
});

export type SettingsFile = Static<typeof SettingsFileSchema>;
