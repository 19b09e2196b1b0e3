// What a line of `failures.jsonl` holds: the places that failed, and a call of the same shape that fails in the same way.
// Replaced by its JSON in the build.
import { type Static, Type } from "@sinclair/typebox";

const Name = Type.String({ maxLength: 128 });
const Text = Type.String({ maxLength: 2_048 });

export const FailurePlaceSchema = Type.Object({
  /** JSON Pointer in the call of the record: declared keys and placeholders. */
  path: Text,
  keyword: Name,
  required: Type.Boolean(),
  /** The subschema there, as compact JSON; "" for an undeclared key. */
  expected: Text,
  got: Name,
  /** What kind of value was there, never the value. */
  value: Name,
});

export const FailureRecordSchema = Type.Object({
  v: Type.Literal(1),
  /** Milliseconds since 1970. */
  at: Type.Integer({ minimum: 0 }),
  host: Name,
  provider: Name,
  model: Name,
  tool: Name,
  places: Type.Array(FailurePlaceSchema, { minItems: 1, maxItems: 16 }),
  /** The skeleton call. */
  call: Type.Object({
    schema: Type.Unknown(),
    hints: Type.Optional(Type.Unknown()),
    args: Type.Unknown(),
  }),
});

export type FailurePlace = Static<typeof FailurePlaceSchema>;
export type FailureRecord = Static<typeof FailureRecordSchema>;
