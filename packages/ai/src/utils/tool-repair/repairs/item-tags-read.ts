import type { FailureSite, RepairEntry } from "../failure-site.ts";

const OPEN = "<item>";
const CLOSE = "</item>";

/** A list that a server left as a run of `<item>` tags inside a string. */
export const itemTagsRead = {
  name: "itemTagsRead",
  errorSignature: { expect: ["array"], got: ["string"] },
  transform: (site: FailureSite) => {
    const text = (site.value as string).trim();
    if (!text.startsWith(OPEN) || !text.endsWith(CLOSE)) return undefined;
    const items: string[] = [];
    for (let at = 0; at < text.length; ) {
      if (!text.startsWith(OPEN, at)) return undefined;
      const end = text.indexOf(CLOSE, at);
      const item = end < 0 ? "<" : text.slice(at + OPEN.length, end);
      if (item.includes("<")) return undefined;
      items.push(item);
      at = end + CLOSE.length;
      while (at < text.length && /\s/.test(text[at]!)) at++;
    }
    return { kind: "set", value: items };
  },
  noteTemplate: "`{path}` was a run of <item> tags → send a raw JSON array",
  docs: {
    sends: '`{"lines":"<item>one</item><item>two</item>"}`',
    becomes: '`{"lines":["one","two"]}`',
    refuses: "other tags, text between the items, nesting",
    seen: "MiniMax M3",
  },
} as const satisfies RepairEntry;
