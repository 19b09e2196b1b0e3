import type { FailureSite, RepairEntry } from "../failure-site.ts";
import type { JsonObject } from "../json-value.ts";
import { isPluralVariant } from "../key-folding.ts";

const WRAPPERS = new Set(["item", "items"]);

/** `{"item": …}` or the field's own name around a list, an artefact of gateways that turn XML into JSON. */
export const itemWrapperUnwrap = {
  name: "itemWrapperUnwrap",
  errorSignature: { expect: ["array"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const [key, ...others] = Object.keys(object);
    if (key === undefined || others.length > 0) return undefined;
    // The field's name in the singular (`{"tag": …}` for `tags`) is one where no item may look like that.
    const isSingular = () => isPluralVariant(key, String(site.key)) && site.schema?.passes([object]) === false;
    if (!WRAPPERS.has(key) && key !== site.key && !isSingular()) return undefined;
    if (site.schema?.child(0, [])?.declares(key, object)) return undefined;
    return object[key] === null ? undefined : { kind: "set", value: object[key] };
  },
  noteTemplate: "`{path}` was wrapped in an item object → send the array itself",
  docs: {
    sends: '`{"ids":{"item":[1,2]}}`, `{"tags":{"tag":[…]}}`',
    becomes: '`{"ids":[1,2]}`',
    refuses: "more keys, items that declare the key themselves",
    seen: "GLM, MiniMax M3, Gemini through aggregators",
  },
} as const satisfies RepairEntry;
