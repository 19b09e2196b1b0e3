// A check for what a file holds, made from a schema the first time it is asked. Every record read from disk passes one.
import { compile, type JsonSchema, type Validator } from "@earendil-works/pi-schema";

export interface SchemaCheck<T> {
  /** Whether `value` is what the schema says. */
  readonly accepts: (value: unknown) => value is T;
  /** JSON Pointers of the places that are wrong; empty where `value` is accepted. */
  readonly faults: (value: unknown) => readonly string[];
}

export function schemaCheck<T>(schema: object): SchemaCheck<T> {
  let validator: Validator | undefined;
  const compiled = () => {
    validator ??= compile(schema as JsonSchema);
    return validator;
  };
  return {
    accepts: (value): value is T => compiled().check(value),
    faults: (value) =>
      compiled()
        .errors(value)
        .map((error) => error.path),
  };
}
