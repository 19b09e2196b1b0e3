// Whether pi's own validation, which coerces before it checks, would let arguments run. Asked only about calls that the
// repair step bounced. Never decides alone that something runs.
import { type CoercingValidator, compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";

const validators = new WeakMap<object, CoercingValidator>();

/**
 * True when pi 1.6.0 would execute the arguments, perhaps changed by coercion. A schema that cannot be compiled counts
 * as letting them run.
 */
export function hostWouldRun(schema: unknown, args: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  let validator = validators.get(schema);
  if (!validator) {
    try {
      validator = compile(schema, { formats, coerce: true, unresolvedRefs: "reject" });
    } catch {
      return true;
    }
    validators.set(schema, validator);
  }
  return validator.parse(structuredClone(args)).ok;
}
