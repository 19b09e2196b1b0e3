// When two key names are the same word written differently. Used only for keys of an object that failed.

import { readableKey } from "./json-pointer.ts";

/** The letters and digits of `key`, in lower case: `file_path`, `filePath` and `File-Path` fold to the same text. */
export function foldKey(key: string): string {
  return (SEPARATOR.test(key) ? key.replace(SEPARATORS, "") : key).toLowerCase();
}

const SEPARATOR = /[-_\s]/;
const SEPARATORS = /[-_\s]/g;

/** The words of a key: `old_string` and `oldString` → `["old", "string"]`. */
export function keyWords(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[-_\s]+/)
    .filter((word) => word !== "");
}

/** Whether one of the folded keys is the other's plural: `tags`, `branches`, `queries`. */
export function isPluralVariant(a: string, b: string): boolean {
  const x = foldKey(a);
  const y = foldKey(b);
  return x !== "" && y !== "" && (isPluralOf(x, y) || isPluralOf(y, x));
}

/** What `key`, folded, may be in the other number; most of them are no words. */
export function inOtherNumber(key: string): string[] {
  const folded = foldKey(key);
  const singular = folded.endsWith("ies") ? `${folded.slice(0, -3)}y` : folded.replace(/(?<=[sxz]|[cs]h)es$/, "");
  const names = [`${folded}s`, `${folded}es`, folded.replace(/y$/, "ies"), folded.replace(/s$/, ""), singular];
  return [...new Set(names)].filter((name) => name !== folded);
}

function isPluralOf(plural: string, singular: string): boolean {
  if (plural === `${singular}s`) return true;
  if (plural === `${singular}es`) return /(?:[sxz]|[cs]h)$/.test(singular);
  return singular.endsWith("y") && plural === `${singular.slice(0, -1)}ies`;
}

const ARG_TAG = /^<\/?arg_(?:key|value)>|<\/?arg_(?:key|value)>$/g;
const PARAMETER_TAG = /^<?parameter(?: name="([^"]*)"|=([^<>]+?))>?$/;

/** What stood around a key's name: a quote, GLM's argument tags or a parameter tag, which its value may carry as well. */
export interface KeyDebris {
  readonly name: string;
  readonly quote: string | undefined;
  readonly tagged: boolean;
  readonly isParameter: boolean;
}

/**
 * The name inside a key that carries quotes, backticks, white space or tags of a tool grammar around it, or undefined
 * where nothing is around it. Seen with Gemma 4 (quotes), MiniMax-M3 (`parameter name="x"`), GLM-4.7 (`x</arg_key>`).
 */
export function stripKeyDebris(key: string): KeyDebris | undefined {
  if (key.length > 256) return undefined;
  const trimmed = key.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(trimmed);
  const parameter = quoted === null ? PARAMETER_TAG.exec(trimmed) : null;
  const name = (quoted?.[2] ?? parameter?.[1] ?? parameter?.[2] ?? trimmed.replace(ARG_TAG, "")).trim();
  const tagged = quoted === null && parameter === null && name !== trimmed;
  return name === key || name === ""
    ? undefined
    : { name, quote: quoted?.[1], tagged, isParameter: parameter !== null };
}

/**
 * The value of a key that carried debris, without the same debris. Undefined where more quotes inside leave open which
 * of them are the value's own.
 */
export function withoutDebris(value: unknown, { quote, tagged, isParameter }: KeyDebris): unknown {
  if (typeof value !== "string") return value;
  if (isParameter) return value.replace(/<\/parameter>\s{0,8}$/, "");
  if (tagged) return value.replace(/<\/arg_value>\s{0,8}$/, "");
  if (quote === undefined || value.length < 2 || !value.startsWith(quote) || !value.endsWith(quote)) return value;
  const inner = value.slice(1, -1);
  return inner.includes(quote) ? undefined : inner;
}

/** Key names for a note: in backticks, made safe to show, at most four. */
export function quotedKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, 4).map((key) => `\`${readableKey(key)}\``);
  return shown.join(", ") + (keys.length > 4 ? ", ..." : "");
}
