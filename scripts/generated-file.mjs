// A file that is made from the code: written, or with `--check` on the command line compared with what there is. Used by the
// generators of the docs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {URL} url where the file is
 * @param {string} text what it is to hold
 * @param {string} command what writes it, for the message about a stale file; the exit code is then 1
 */
export function generatedFile(url, text, command) {
  const path = fileURLToPath(url);
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  let current = "";
  try {
    current = readFileSync(path, "utf8");
  } catch {}
  if (current === text) return;
  console.error(`${relative(ROOT, path)} is stale: run \`npm run build && ${command}\``);
  process.exitCode = 1;
}
