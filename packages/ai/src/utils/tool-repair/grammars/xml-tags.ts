// The tags of every XML-like family, found in one pass: calls, parameters and wrappers, with the prefix that tells
// dialects apart. A value's own tags are found too; which of them are structure is decided by the reader.

/** One tag as it stands in the text. */
export interface Tag {
  readonly kind: "call" | "callEnd" | "parameter" | "parameterEnd" | "wrapper" | "wrapperEnd";
  /** The tool or parameter named, "" where the tag names none. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What else stands in the tag. */
  readonly attributes: string;
  /** Closes itself (`<invoke name="read"/>`): it holds nothing. */
  readonly isEmpty: boolean;
  /** Named with `=` (`<function=read>`), not with an attribute. */
  readonly assigned: boolean;
}

/** Every spelling of the DSML prefix, as the one word "dsml". */
export const DSML = "dsml";

const PREFIX = String.raw`(\s?[|｜]{0,2}\s?DSML\s?[|｜]{1,2}\s?|[a-z]{2,12}:)?`;
const WORD = String.raw`(function_calls|tool_calls|tool_call|function|invoke|parameter|param)(?=[\s=>\u0120])`;
const ASSIGNED = String.raw`=([^<>\n]{1,200})`;
/** Attributes may stand before the name. */
const OTHERS = String.raw`((?:[\w-]{1,32}=(?:"[^"<>\n]{0,100}"|'[^'<>\n]{0,100}')\s{1,4}){0,4})`;
const NAMED = String.raw`[\s\u0120]{1,4}${OTHERS}name=(?:"([^"<>\n]{0,200})"|'([^'<>\n]{0,200})')`;
/** Nothing stands behind an assigned name: two repetitions of the same characters would be tried against each other. */
const TAG = new RegExp(String.raw`<(\/?)${PREFIX}${WORD}(?:${ASSIGNED}|(?:${NAMED})?([^<>\n]{0,100}))>`, "g");
/** An opening tag of a call that has lost its bracket: only at the start of a line, and only with a name. */
const LOST_BRACKET = /^invoke name="([^"<>\n]{1,200})">/gm;

/** All tags of `text` by prefix, each list in order. */
export function tagsOf(text: string): ReadonlyMap<string, readonly Tag[]> {
  const byPrefix = new Map<string, Tag[]>();
  const put = (prefix: string, tag: Tag) => {
    const list = byPrefix.get(prefix);
    if (list === undefined) byPrefix.set(prefix, [tag]);
    else list.push(tag);
  };
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const [whole, slash, rawPrefix = "", word = "", assigned, others = "", double, single, rest = ""] = match;
    const attributes = `${others}${rest}`;
    const prefix = rawPrefix.includes("DSML") ? DSML : rawPrefix.replace(":", "");
    const kind = kindOf(word, slash === "/");
    const name = assigned ?? double ?? single ?? "";
    const tag: Tag = {
      kind,
      name,
      start: match.index,
      end: match.index + whole.length,
      attributes,
      assigned: assigned !== undefined,
      isEmpty: attributes.endsWith("/"),
    };
    if (kind === "wrapper" || kind === "wrapperEnd") {
      // A vendor's prefix stands on the wrapper alone in some families.
      if (prefix !== "") put("", tag);
    }
    put(prefix, tag);
  }
  withLostBrackets(text, byPrefix.get(""));
  return byPrefix;
}

function withLostBrackets(text: string, tags: Tag[] | undefined): void {
  if (tags === undefined || !text.includes("\ninvoke name=")) return;
  LOST_BRACKET.lastIndex = 0;
  for (let match = LOST_BRACKET.exec(text); match !== null; match = LOST_BRACKET.exec(text)) {
    const [whole, name = ""] = match;
    const { index: start } = match;
    tags.push({
      kind: "call",
      name,
      start,
      end: start + whole.length,
      attributes: "",
      assigned: false,
      isEmpty: false,
    });
  }
  tags.sort((a, b) => a.start - b.start);
}

function kindOf(word: string, isEnd: boolean): Tag["kind"] {
  if (word === "function" || word === "invoke") return isEnd ? "callEnd" : "call";
  if (word === "parameter" || word === "param") return isEnd ? "parameterEnd" : "parameter";
  return isEnd ? "wrapperEnd" : "wrapper";
}

/** The index of the first tag that starts at or after `at`. */
export function tagIndexAt(tags: readonly Tag[], at: number): number {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tags[middle] as Tag).start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
