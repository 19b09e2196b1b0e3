import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isEmptyValue, type JsonObject } from "../json-value.ts";

/** A schema stub for no arguments, on a tool that needs none. */
export const schemaEchoDrop = {
  name: "schemaEchoDrop",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    if (site.field !== "" || site.fields!.missing.length > 0 || object["type"] !== "object") return undefined;
    const stub = Object.keys(object).every(
      (key) => key === "type" || (key === "properties" && isEmptyValue(object[key])),
    );
    return stub && site.fields!.undeclared.includes("type") ? { kind: "set", value: {} } : undefined;
  },
  noteTemplate: "the arguments were an empty schema → send {} when there are none",
  docs: {
    sends: '`{"type":"object"}` for a tool without fields',
    becomes: "`{}`",
    refuses: "tools that require a field or declare `type`, stubs with content",
    seen: "proxies",
  },
} as const satisfies RepairEntry;
