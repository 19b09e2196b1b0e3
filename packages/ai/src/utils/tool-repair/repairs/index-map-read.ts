import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";

/** An object whose keys are exactly 0 … n-1, for a list. */
export const indexMapRead = {
  name: "indexMapRead",
  errorSignature: { expect: ["array"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const length = Object.keys(object).length;
    if (length === 0) return undefined;
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) {
      if (!Object.hasOwn(object, String(i))) return undefined;
      list.push(object[String(i)]);
    }
    return { kind: "set", value: list };
  },
  noteTemplate: "`{path}` was an object with index keys → send a JSON array",
  docs: {
    sends: '`{"edits":{"0":{…},"1":{…}}}`',
    becomes: '`{"edits":[{…},{…}]}`',
    refuses: "gaps, other keys",
    seen: "form-encoding gateways",
  },
} as const satisfies RepairEntry;
