import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";

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
    return object["value"] === null ? undefined : { kind: "set", value: object["value"] };
  },
  noteTemplate: "`{path}` was a schema with the value inside → send the value itself",
  docs: {
    sends: '`{"city":{"type":"string","value":"Oslo"}}`',
    becomes: '`{"city":"Oslo"}`',
    refuses: "schemas without a value, other keys",
    seen: "small local models",
  },
} as const satisfies RepairEntry;
