// The licence of every installed package, from the lock file and the packages themselves; no network. What pi-mend ships or
// asks for must be permissive; what only builds and tests it must at least name a licence that may be used for that.
// Runs in `npm run check:licences`.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PERMISSIVE = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
  "Python-2.0",
  "WTFPL",
  "Zlib",
]);
/** File-level copyleft: nothing of it is shipped. */
const FOR_BUILDING = new Set([...PERMISSIVE, "MPL-2.0"]);

/** Manifests that point to a LICENSE which the package leaves out, and the sentence of another file of it that names one. */
const STATED = new Map([
  [
    "node_modules/@modelcontextprotocol/server-everything",
    { file: "README.md", sentence: "This MCP server is licensed under the MIT License.", licence: "MIT" },
  ],
]);

/** Whether an SPDX expression can be met with the allowed licences alone. */
function isMet(expression, allowed) {
  const text = expression.replace(/[()]/g, " ").trim();
  return text.split(/\s+OR\s+/).some((choice) => choice.split(/\s+AND\s+/).every((name) => allowed.has(name.trim())));
}

function licenceOf(path, entry) {
  const file = join(ROOT, path, "package.json");
  const own = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const stated = STATED.get(path);
  if (stated !== undefined && readFileSync(join(ROOT, path, stated.file), "utf8").includes(stated.sentence)) {
    return stated.licence;
  }
  const named = own.license ?? own.licenses ?? entry.license;
  if (Array.isArray(named)) return named.map((one) => one.type ?? one).join(" OR ");
  return typeof named === "object" && named !== null ? named.type : named;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
const problems = [];
const counts = new Map();
for (const [path, entry] of Object.entries(packages)) {
  if (path === "" || entry.link) continue;
  const licence = licenceOf(path, entry);
  const allowed = entry.dev ? FOR_BUILDING : PERMISSIVE;
  counts.set(licence, (counts.get(licence) ?? 0) + 1);
  if (typeof licence !== "string" || !isMet(licence, allowed))
    problems.push(`${path}: ${licence ?? "names no licence"}`);
}
for (const name of ["ai", "agent", "coding-agent"]) {
  if (!existsSync(join(ROOT, "packages", name, "LICENSE"))) problems.push(`packages/${name} has no LICENSE`);
}

for (const problem of problems) console.error(problem);
const sorted = [...counts].sort((a, b) => b[1] - a[1]).map(([licence, count]) => `${licence} ${count}`);
console.log(
  `${[...counts.values()].reduce((a, b) => a + b, 0)} packages: ${sorted.join(", ")}; ${problems.length} problems`,
);
if (problems.length > 0 || counts.size === 0) process.exitCode = 1;
