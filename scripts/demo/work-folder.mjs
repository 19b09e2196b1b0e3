// The folder that a demo run works in: filled from a map of paths to texts, and read back as one. Used before a run, and
// after every turn. It never follows links and never leaves the folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** @typedef {Map<string, string>} Snapshot relative path with `/` → text */

/** Writes every file, making the folders it needs. */
export function fillFolder(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** @returns {Snapshot} every regular file below the folder; empty for an empty folder */
export function readFolder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(files.map((file) => [relative(folder, file).split(sep).join("/"), readFileSync(file, "utf8")]));
}

/**
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {Map<string, string | undefined>} the paths that differ, with their new text; `undefined` when removed
 */
export function changesBetween(before, after) {
  const changed = [...after].filter(([path, text]) => before.get(path) !== text);
  const removed = [...before.keys()].filter((path) => !after.has(path)).map((path) => [path, undefined]);
  return new Map([...changed, ...removed]);
}
