// The last step before a command's words reach a terminal. Names come from files that anyone may have edited, and a folder's
// name is whoever made it.
import type { Shell } from "./shell.ts";

const UNSHOWABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same shell, which gets every character that does not show as itself as `\uXXXX`: text stays readable, JSON the same. */
export function safeShell(shell: Shell): Shell {
  return {
    ...shell,
    write: (text) => shell.write(escaped(text)),
    warn: (text) => shell.warn(escaped(text)),
  };
}

function escaped(text: string): string {
  return text.replace(UNSHOWABLE, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
