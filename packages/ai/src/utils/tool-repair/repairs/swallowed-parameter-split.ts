import type { FailureSite, RepairEntry } from "../failure-site.ts";
import { type JsonObject, withKeys } from "../json-value.ts";

const MARKER = "<parameter name=";

/** A required parameter that a wrong closing tag left inside the text of the one before it. */
export const swallowedParameterSplit = {
  name: "swallowedParameterSplit",
  errorSignature: { expect: ["fields"], got: ["object"] },
  transform: (site: FailureSite) => {
    const object = site.value as JsonObject;
    const holders = Object.keys(object).filter(
      (key) => typeof object[key] === "string" && object[key].includes(MARKER),
    );
    if (holders.length === 0) return undefined;
    const added: [string, unknown][] = [];
    for (const field of site.fields!.missing) {
      if (Object.hasOwn(object, field)) continue;
      const found = holders.flatMap((key) => {
        const split = splitAt(object[key], key, field);
        return split === undefined ? [] : [{ key, ...split }];
      });
      const [hit] = found;
      if (hit === undefined || found.length > 1 || added.some(([key]) => key === hit.key)) return undefined;
      added.push([hit.key, hit.head], [field, hit.rest]);
    }
    return added.length === 0 ? undefined : { kind: "set", value: withKeys(object, [], added) };
  },
  noteTemplate: "a value in `{path}` swallowed the parameter behind it → close each parameter with its own tag",
  docs: {
    sends: '`{"content":"text</content>\\n<parameter name=\\"meta\\">{…}"}` with `meta` required',
    becomes: '`{"content":"text","meta":{…}}`',
    refuses: "optional parameters (the text may be meant), several holders, no closing tag before the marker",
    seen: "Claude Opus 4.6–5 (claude-code#83088)",
  },
} as const satisfies RepairEntry;

function splitAt(text: unknown, key: string, field: string): { head: string; rest: string } | undefined {
  if (typeof text !== "string") return undefined;
  const marker = `<parameter name="${field}">`;
  const at = text.indexOf(marker);
  if (at < 0 || text.indexOf(marker, at + 1) >= 0) return undefined;
  const before = text.slice(0, at).trimEnd();
  const closer = [`</${key}>`, "</parameter>"].find((tag) => before.endsWith(tag));
  if (closer === undefined) return undefined;
  let rest = text.slice(at + marker.length);
  for (const tag of ["</invoke>", "</parameter>", `</${field}>`]) {
    if (rest.trimEnd().endsWith(tag)) rest = rest.trimEnd().slice(0, -tag.length);
  }
  return { head: before.slice(0, -closer.length), rest };
}
