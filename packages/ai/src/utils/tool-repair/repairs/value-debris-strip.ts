import { membersLike } from "../enum-members.ts";
import type { FailureSite, RepairEntry } from "../failure-site.ts";

const MAX_LENGTH = 2048;
/** Quotes or backticks around the whole. */
const QUOTED = /^(["'`])(.*)\1$/s;
/** What markdown makes of an address: `<a>`, `[a](a)`, `[a](mailto:a)`. */
const LINKED = /^(?:<([^<>\s]+)>|\[([^[\]\s]+)\]\((?:mailto:)?([^()\s]+)\))$/;

/** White space, quotes, backticks or a link around a value that its field takes only without them. */
export const valueDebrisStrip = {
  name: "valueDebrisStrip",
  errorSignature: { expect: ["string", "number", "integer", "boolean", "enum"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = site.value as string;
    const isFormed = site.keyword === "format" || site.keyword === "pattern";
    if (text.length > MAX_LENGTH || (takesText(site) && !isFormed)) return undefined;
    const bare = bareValue(text.trim());
    // White space alone is the matter of the entries that read numbers and members, which see rivals.
    return bare === "" || bare === (isFormed ? text : text.trim()) ? undefined : { kind: "set", value: bare };
  },
  guard: (site, edit) => edit.kind === "set" && !isRivalled(site, edit.value as string),
  noteTemplate: "`{path}` had quotes, markup or white space around it → send the bare value",
  docs: {
    sends:
      '`{"state":"\'open\'"}`, `{"url":"[https://a.b](https://a.b)"}` for a `uri`, `{"sha":"1f3a\\n"}` for a pattern',
    becomes: '`{"state":"open"}`',
    refuses:
      "free text, values that the field takes as they are, values that still fail, links with a text of their own",
    seen: "Gemma 4 (quotes), DeepSeek (links), XML servers (line breaks)",
  },
} as const satisfies RepairEntry;

function takesText(site: FailureSite): boolean {
  return site.expect.has("string") && !site.expect.has("enum");
}

function isRivalled(site: FailureSite, word: string): boolean {
  return site.schema !== undefined && membersLike(site.schema, word).length > 1;
}

function bareValue(text: string): string {
  const [, quote, inner] = QUOTED.exec(text) ?? [];
  if (quote !== undefined && inner !== undefined) return inner.includes(quote) ? text : inner.trim();
  const [, angled, shown, target] = LINKED.exec(text) ?? [];
  return angled ?? (shown === target ? shown : undefined) ?? text;
}
