// Markup that models put around a path: markdown autolinks whose text is the target, `file://` URLs, quotes, backticks,
// trailing line breaks and, for gated models, regex anchors. Runs on fields that a tool's owner names as paths.
// Never on content, commands or patterns.

/** What leaks into paths from a model family, where hints name the family. */
export interface PathGates {
  /** A leading `^` and a trailing `$` (kimi-k2, MiniMax, GLM). */
  readonly anchors: boolean;
  /** `arg_key` and `arg_value` tags at the ends (GLM). */
  readonly argTags: boolean;
}

const FORMAT_PREFIX = "pi-mend-path";

/** The name of the format that a tightened schema puts on path fields (see `hinted-schema.ts`). */
export function pathFormat(gates: PathGates): string {
  return `${FORMAT_PREFIX}${gates.anchors ? "-unanchored" : ""}${gates.argTags ? "-untagged" : ""}`;
}

/** Whether `format` is one of ours. */
export function isPathFormat(format: unknown): boolean {
  return typeof format === "string" && format.startsWith(FORMAT_PREFIX);
}

const GATES: readonly PathGates[] = [false, true].flatMap((anchors) =>
  [false, true].map((argTags) => ({ anchors, argTags })),
);

/** Checks for those formats: false where `cleanPath` would change the value. */
export const SUSPECT_FORMATS: Readonly<Record<string, (value: string) => boolean>> = Object.fromEntries(
  GATES.map((gates) => [pathFormat(gates), (value: string) => isPlainPath(value) || cleanPath(value, gates) === value]),
);

const QUOTES = "\"'`";
const ARG_TAG = /^<\/?arg_(?:key|value)>|<\/?arg_(?:key|value)>$/;

/**
 * Whether `value` is surely a plain path, for a model of any gate: two character reads. False only means "look closer":
 * what `cleanPath` removes ends in a quote, a bracket, a line break, `$` or `>`, or starts with `^`, `<` or `file:`.
 */
export function isPlainPath(value: string): boolean {
  const last = value.charCodeAt(value.length - 1);
  if (last < 46 || last === 62 || last === 96) return value === "";
  const first = value.charCodeAt(0);
  return first !== 94 && first !== 60 && (first !== 102 || value.charCodeAt(4) !== 58);
}

/**
 * The path without the markup around it; `value` itself where there is none. A real markdown link (its text is not its
 * target) and a quote inside the path stay.
 */
export function cleanPath(value: string, gates: PathGates): string {
  let path = value;
  let end = path.length;
  while (end > 0 && (path[end - 1] === "\n" || path[end - 1] === "\r")) end--;
  if (end > 0) path = path.slice(0, end);
  if (gates.argTags) {
    // A few tags at most: a path that is all tags is no path.
    for (let i = 0; i < 4; i++) {
      const bare = path.replace(ARG_TAG, "");
      if (bare !== "") path = bare;
    }
  }
  if (gates.anchors) {
    let from = 0;
    let to = path.length;
    while (path[from] === "^") from++;
    while (to > from && path[to - 1] === "$") to--;
    if (to > from) path = path.slice(from, to);
  }
  const quote = path[0];
  if (quote !== undefined && path.length > 2 && QUOTES.includes(quote) && path.endsWith(quote)) {
    const inner = path.slice(1, -1);
    if (!inner.includes(quote)) path = inner;
  }
  const target = autolinkTarget(path) ?? path;
  return fileUrlPath(target) ?? target;
}

function autolinkTarget(path: string): string | undefined {
  if (!path.endsWith(")")) return undefined;
  const open = path.indexOf("[");
  const middle = path.indexOf("](", open);
  if (open < 0 || middle < 0) return undefined;
  const text = path.slice(open + 1, middle);
  const target = path.slice(middle + 2, -1);
  if (text === "" || text.includes("[") || target.includes("(")) return undefined;
  const scheme = /^(?:https?|file):\/\//.exec(target);
  if (scheme === null) return undefined;
  const bare = target.slice(scheme[0].length).replace(/\/$/, "");
  return bare === text ? path.slice(0, open) + text : undefined;
}

function fileUrlPath(path: string): string | undefined {
  if (!path.startsWith("file:///") && !path.startsWith("file://localhost/")) return undefined;
  const rest = path.slice(path.indexOf("/", 7));
  try {
    const decoded = decodeURIComponent(rest);
    return /^\/[A-Za-z]:/.test(decoded) ? decoded.slice(1) : decoded;
  } catch {
    return undefined;
  }
}
