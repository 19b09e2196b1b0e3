// Whether a place stands between the signs with which markups other than Markdown show a text as it is: listings of
// AsciiDoc and Org, BBCode, LaTeX environments, wiki macros, doc strings and block comments. Asked only about places where a
// call was read; takes no part in where calls begin. One pass over the text, then forward only.

/**
 * A sign, in one pattern: the named group says which. In order: rules of AsciiDoc, doc strings, wiki macros, BBCode, LaTeX
 * environments, Org blocks, block comments.
 */
const SIGN =
  /^(?<rule>[-._=+*]{4,})[ \t\r]*$|(?<quotes>"""|''')|(?<macro>\{(?:code|noformat|quote)(?::[^{}\n]{0,80})?\})|\[(?<close>\/?)(?<tag>code|quote|pre|noparse|spoiler)(?:[= ][^[\]\n]{0,80})?\]|\\(?<edge>begin|end)\{(?<environment>[A-Za-z]{1,40}\*?)\}|^[ \t]*#\+(?<border>begin|end)_(?<block>\w{1,40})|(?<!\S)(?<comment>\/\*)|(?<commentEnd>\*\/)(?!\S)/gim;
/** More kinds open at once than this are no markup. */
const MOST_OPEN = 32;
/** A text with more signs is no message; those behind them count for nothing. */
const MOST_SIGNS = 16_384;

interface Sign {
  readonly at: number;
  readonly end: number;
  /** Signs that belong together have the same. */
  readonly kind: string;
  /** A sign that is the same at both ends does what is due. */
  readonly role: "open" | "close" | "either";
}

/** The signs of one text. Places asked about must not go backwards. */
export class Enclosures {
  readonly #text: string;
  #signs: readonly Sign[] | undefined;
  /** Where the last sign that may end a kind stands. */
  readonly #lastEnd = new Map<string, number>();
  readonly #open = new Set<string>();
  #next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether one pair of signs stands around `start` to `end`. What stands in there is no sign from now on. */
  surround(start: number, end: number): boolean {
    this.#signs ??= this.#read();
    const signs = this.#signs;
    for (; this.#next < signs.length; this.#next++) {
      const sign = signs[this.#next] as Sign;
      if (sign.end > start) break;
      this.#pass(sign);
    }
    while (this.#next < signs.length && (signs[this.#next] as Sign).at < end) this.#next += 1;
    for (const kind of this.#open) if ((this.#lastEnd.get(kind) ?? -1) >= end) return true;
    return false;
  }

  #pass({ kind, role }: Sign): void {
    if (role === "close" || (role === "either" && this.#open.has(kind))) this.#open.delete(kind);
    else if (this.#open.size < MOST_OPEN) this.#open.add(kind);
  }

  #read(): readonly Sign[] {
    const signs: Sign[] = [];
    for (const match of this.#text.matchAll(SIGN)) {
      const sign = { at: match.index, end: match.index + match[0].length, ...meaningOf(match.groups ?? {}) };
      signs.push(sign);
      if (sign.role !== "open") this.#lastEnd.set(sign.kind, sign.at);
      if (signs.length >= MOST_SIGNS) break;
    }
    return signs;
  }
}

function meaningOf(found: Readonly<Record<string, string | undefined>>): Pick<Sign, "kind" | "role"> {
  const { rule, quotes, macro, tag, close, environment, edge, block, border, comment } = found;
  const ends = (isEnd: boolean) => (isEnd ? "close" : "open");
  if (tag !== undefined) return { kind: `[${tag.toLowerCase()}`, role: ends(close === "/") };
  if (environment !== undefined) return { kind: `\\${environment}`, role: ends(edge === "end") };
  if (block !== undefined) return { kind: `#${block.toLowerCase()}`, role: ends(border?.toLowerCase() === "end") };
  const same = rule ?? quotes ?? macro?.replace(/:.*/, "}");
  return same === undefined ? { kind: "/*", role: ends(comment === undefined) } : { kind: same, role: "either" };
}
