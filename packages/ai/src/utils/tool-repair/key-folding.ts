// When two key names are the same word written differently. Used only for keys of an object that failed.

import { readableKey } from "./json-pointer.ts";

/** The letters and digits of `key`, in lower case: `file_path`, `filePath` and `File-Path` fold to the same text. */
export function foldKey(key: string): string {
  return key.replace(/[-_\s]/g, "").toLowerCase();
}

/** The words of a key: `old_string` and `oldString` → `["old", "string"]`. */
export function keyWords(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[-_\s]+/)
    .filter((word) => word !== "");
}

/** Whether the folded keys differ only by a plural `s`. */
export function isPluralVariant(a: string, b: string): boolean {
  const x = foldKey(a);
  const y = foldKey(b);
  return x !== "" && y !== "" && (`${x}s` === y || x === `${y}s`);
}

const KEY_DEBRIS: readonly RegExp[] = [
  /^<\/?arg_(?:key|value)>|<\/?arg_(?:key|value)>$/g,
  /^<parameter=|>$/g,
  /^parameter name="|"$/g,
];

/**
 * The name inside a key that carries quotes, backticks, whitespace or tags of a tool grammar around it, or undefined
 * where nothing is around it. `quoted` says that the key had quotes of its own, so its value may have them too, `tagged` the same for
 * GLM's argument tags.
 * Seen with Gemma 4 (quotes), MiniMax-M3 (`parameter name="x"`), GLM-4.7 (`x</arg_key>`).
 */
export function stripKeyDebris(key: string): { name: string; quoted: boolean; tagged: boolean } | undefined {
  if (key.length > 256) return undefined;
  let name = key.trim();
  const quote = name.match(/^(["'`])(.*)\1$/s);
  const quoted = quote !== null;
  if (quote) name = quote[2]!.trim();
  else if (/^parameter name="[^"]*"$/.test(name)) name = name.slice(16, -1);
  else if (/^<?parameter=[^<>]+>?$/.test(name)) name = name.replace(KEY_DEBRIS[1]!, "").replace(/^parameter=/, "");
  else name = name.replace(KEY_DEBRIS[0]!, "").trim();
  const tagged = !quoted && key.includes("arg_") && !name.includes("arg_");
  return name === key || name === "" ? undefined : { name, quoted, tagged };
}

/** Key names for a note: in backticks, made safe to show, at most four. */
export function quotedKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, 4).map((key) => `\`${readableKey(key)}\``);
  return shown.join(", ") + (keys.length > 4 ? ", ..." : "");
}
