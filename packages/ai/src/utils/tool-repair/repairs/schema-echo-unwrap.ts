import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { gotOf, type JsonObject } from "../json-value.ts";

const ECHO_KEYS = new Set(["type", "value", "description", "title"]);
const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);

/** `{"type": …, "value": …}`: the model sent the field's schema with the value in it. */
export const schemaEchoUnwrap = {
  name: "schemaEchoUnwrap",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "array", "enum"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const keys = Object.keys(object);
    if (
      !Object.hasOwn(object, "value") ||
      !TYPES.has(object["type"] as string) ||
      !keys.every((key) => ECHO_KEYS.has(key))
    )
      return undefined;
    return isOfKind(object["value"], object["type"] as string) ? { kind: "set", value: object["value"] } : undefined;
  },
  noteTemplate: "`{path}` was a schema with the value inside → send the value itself",
  docs: {
    sends: '`{"city":{"type":"string","value":"Oslo"}}`',
    becomes: '`{"city":"Oslo"}`',
    refuses: "schemas without a value, other keys, a value of another kind than the type says",
    seen: "small local models",
  },
} as const satisfies RepairEntry;

/** Whether the value is what its own schema says; text may still write a number or boolean. */
function isOfKind(value: unknown, type: string): boolean {
  const got = gotOf(value);
  if (got === type || (type === "number" && got === "integer")) return true;
  return got === "string" && type !== "object" && type !== "array" && type !== "string";
}
