// Which active tool a sent tool name means: the exact one, or the only one left after taking off what models add.
// Runs once per tool call, before its arguments are read. Never goes by nearness: a typo or another product's tool name
// bounces with the valid names, and two tools that fit bounce with both.

import { safeLine } from "./json-pointer.ts";

/** The names that may be called. A `Map` keyed by name and a `Set` of names both fit. */
export interface ActiveToolNames {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** `clean` is an active name as sent, `repaired` the one active name it means, `bounced` a message for the model. */
export type ToolNameResolution =
  | { readonly outcome: "clean"; readonly name: string }
  | { readonly outcome: "repaired"; readonly name: string }
  | { readonly outcome: "bounced"; readonly message: string };

/** Longest name that is looked at; a longer one is text that leaked, not a name. */
const MAX_NAME = 256;
/** Upper bound of a bounce message, in characters. */
const MAX_MESSAGE = 600;

/** Namespaces that prompt formats put before every tool, whatever the tool is called. */
const NAMESPACE = /^(?:functions?|default_api|tools?)(?:\.|::?|__|\/)/i;
/** A call counter some grammars append to the name: `read:0`. */
const CALL_INDEX = /:\d{1,4}$/;
const CLOSE_TAGS = /(?:<\/[\w-]{1,40}>\s*)+$/;
/** The recipient in a header of harmony: `assistant<|channel|>commentary to=functions.read`. */
const RECIPIENT = /(?:^|[\s>])to=([^\s<]{1,200})/g;
/** Tags that open before a name, and what names a tool inside one: `<function=read>`, `<invoke name="read">`. */
const OPEN_TAGS = /^\s{0,8}(?:<[\w-]{1,40}>\s{0,8}){1,8}/;
const NAMED_IN_TAG = /^<?(?:[a-z_-]{1,40}\s{1,8})?(?:name|function|tool)=(["']?)([\w.:/-]{1,200})\1\s{0,8}\/?>?$/i;
const BEFORE = /^[\s"'`“”‘’\u200b-\u200d\u2060]{1,256}/;
/** Also the end of a tag, and the punctuation of a list. */
const BEHIND = /[\s"'`“”‘’>,;\0\u200b-\u200d\u2060]{1,256}$/;
const SEPARATORS = /[\s_\-.:/]+/g;
const SERVER_PREFIX = /__|[.:/]/g;

/**
 * Resolves a tool name as a model sent it against the active names.
 *
 * Wins in this order, each step only when one active tool fits: the exact name; the name without quotes and
 * control-token debris; without a known namespace, or equal under case and separator folding; both at once; the last
 * part of an active name after its server prefix. A step with two fits ends in a bounce.
 *
 * @param sent anything; what is not a string counts as missing
 * @returns `bounced` messages are at most 600 characters and hold at most 60 characters of what was sent
 */
export function resolveToolName(sent: unknown, active: ActiveToolNames): ToolNameResolution {
  if (typeof sent !== "string" || sent.trim() === "") return missing(active);
  if (active.has(sent)) return { outcome: "clean", name: sent };

  const trimmed = withoutDebris(sent);
  if (trimmed === "" || trimmed.length > MAX_NAME) return unknown(sent, active);
  if (active.has(trimmed)) return { outcome: "repaired", name: trimmed };

  const bare = withoutNamespace(trimmed);
  const foldedWhole = fold(trimmed);
  const foldedBare = fold(bare);
  if (foldedBare === "") return unknown(sent, active);

  const steps: readonly ((name: string) => boolean)[] = [
    (name) => name === bare || fold(name) === foldedWhole,
    (name) => fold(name) === foldedBare,
    (name) => endsAfterServerPrefix(name, foldedBare),
  ];
  for (const fits of steps) {
    const found = [...active.keys()].filter(fits);
    if (found.length === 1) return { outcome: "repaired", name: found[0] as string };
    if (found.length > 1) return ambiguous(sent, found);
  }
  return unknown(sent, active);
}

/**
 * Takes a recipient out of its header, or cuts at the first control token; drops tags around the name, then quotes,
 * punctuation and white space. Another value than a name inside a tag keeps the tag: it would be lost with it.
 */
function withoutDebris(sent: string): string {
  // The expressions are for short text, and no longer name can win anyway.
  const bare = (sent.length > MAX_NAME ? undefined : recipientIn(sent)) ?? beforeControlToken(sent);
  if (bare.length > MAX_NAME) return bare;
  const untagged = bare.replace(CLOSE_TAGS, "");
  const held = NAMED_IN_TAG.exec(untagged.trim())?.[2];
  const name = (held ?? untagged.replace(OPEN_TAGS, "")).replace(BEFORE, "").replace(BEHIND, "");
  return name.endsWith("()") ? name.slice(0, -2) : name;
}

/** The one name behind `to=`. */
function recipientIn(sent: string): string | undefined {
  const [first, ...more] = [...sent.matchAll(RECIPIENT)];
  return more.length === 0 ? first?.[1] : undefined;
}

function beforeControlToken(sent: string): string {
  let end = sent.length;
  for (const token of ["<|", "<｜"]) {
    const at = sent.indexOf(token);
    if (at >= 0 && at < end) end = at;
  }
  return sent.slice(0, end);
}

function withoutNamespace(name: string): string {
  let bare = name.replace(CALL_INDEX, "");
  for (let next = bare.replace(NAMESPACE, ""); next !== bare; next = bare.replace(NAMESPACE, "")) bare = next;
  return bare;
}

function fold(name: string): string {
  return name.toLowerCase().replace(SEPARATORS, "");
}

function endsAfterServerPrefix(name: string, folded: string): boolean {
  for (const separator of name.matchAll(SERVER_PREFIX)) {
    if (separator.index > 0 && fold(name.slice(separator.index + separator[0].length)) === folded) return true;
  }
  return false;
}

function missing(active: ActiveToolNames): ToolNameResolution {
  return { outcome: "bounced", message: withNames("Tool name missing. Valid tool names: ", active.keys()) };
}

function unknown(sent: string, active: ActiveToolNames): ToolNameResolution {
  return {
    outcome: "bounced",
    message: withNames(`Tool ${quoted(sent)} not found. Valid tool names: `, active.keys()),
  };
}

function ambiguous(sent: string, found: readonly string[]): ToolNameResolution {
  return {
    outcome: "bounced",
    message: withNames(`Tool ${quoted(sent)} could mean several tools, send one of: `, found),
  };
}

function quoted(sent: string): string {
  return safeLine(JSON.stringify(sent.length > 48 ? `${sent.slice(0, 48)}…` : sent)).slice(0, 60);
}

/** Lists names up to the bound and says how many are left out. */
function withNames(opening: string, names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return `${opening}(none is active)`;
  let text = opening;
  for (const [index, name] of all.entries()) {
    const rest = ` and ${all.length - index} more`;
    const next = `${index === 0 ? "" : ", "}${name}`;
    if (text.length + next.length + rest.length > MAX_MESSAGE) return `${text}${rest}`;
    text += next;
  }
  return `${text}.`;
}
