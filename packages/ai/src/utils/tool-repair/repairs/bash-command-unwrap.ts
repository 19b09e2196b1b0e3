import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { isShellField } from "../field-hints.ts";
import type { JsonObject } from "../json-value.ts";

const WRAPPERS = new Set(["cmd", "command", "script"]);

/** A shell command inside an object with one key that says so. */
export const bashCommandUnwrap = {
  name: "bashCommandUnwrap",
  errorSignature: { expect: ["string"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const [key, ...others] = Object.keys(object);
    if (key === undefined || others.length > 0 || !WRAPPERS.has(key)) return undefined;
    return typeof object[key] === "string" ? { kind: "set", value: object[key] } : undefined;
  },
  guard: isShellField,
  noteTemplate: "`{path}` was an object → send the command string itself",
  docs: {
    sends: '`{"command":{"cmd":"ls"}}`',
    becomes: '`{"command":"ls"}`',
    refuses: "other or further keys, values that are no strings",
    seen: "GLM, local models",
  },
} as const satisfies RepairEntry;
