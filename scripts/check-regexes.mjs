// Every regular expression literal in the packages' sources, asked of an analyser: none may take more than linear time,
// except where the text it runs on is bounded, and that is said here. Runs in `npm run check:regexes`. Never changes anything.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSync } from "recheck";
import { parseAst } from "vite";

process.env.RECHECK_BACKEND = "pure";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Longest search for an attack, in milliseconds. */
const TIMEOUT = 2_000;

/** Expressions that are worse than linear on some text, and why that text cannot come: `file` and source. */
const BOUNDED = new Map([
  ["packages/ai/src/utils/tool-repair/exact-number.ts /0+$/", "digits that another expression bounds to 400"],
  ["packages/ai/src/utils/tool-repair/resolve-tool-name.ts /(?:<\\/[\\w-]{1,40}>\\s*)+$/", "names of bounded length"],
  [
    "packages/agent/src/execution-lessons.ts /\\btimed out after \\d[\\d.]* ?(?:s|ms|seconds|milliseconds)\\b[^\\n]*$/",
    "the tail of a result, bounded",
  ],
]);

/** Sticky expressions start at one place only; the analyser lets them start anywhere. */
const isSticky = ({ flags }) => flags.includes("y");
/** Without `*`, `+` and `{n,}` the work is bounded by the expression itself. */
const isBounded = ({ pattern }) => !/[^\\][*+]|\{\d+,\}/.test(pattern.replace(/\[(?:\\.|[^\]\\])*\]/g, "c"));

function expressionsOf(path) {
  const found = [];
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === "Literal" && node.regex) found.push({ path, ...node.regex });
    for (const key in node) if (key !== "regex") visit(node[key]);
  };
  visit(parseAst(readFileSync(join(ROOT, path), "utf8"), { lang: "ts" }));
  return found;
}

const paths = globSync("packages/*/src/**/*.ts", { cwd: ROOT }).sort();
const all = paths.flatMap((path) => expressionsOf(relative(ROOT, join(ROOT, path))));
const seen = new Set();
const problems = [];
const used = new Set();
for (const one of all) {
  const source = `/${one.pattern}/`;
  if (seen.has(source + one.flags)) continue;
  seen.add(source + one.flags);
  // At one place only: what a sticky expression can do there is what it does behind an anchor.
  const pattern = isSticky(one) ? `^(?:${one.pattern})` : one.pattern;
  const search = (timeout) => checkSync(pattern, one.flags.replace("y", ""), { timeout });
  let result = search(TIMEOUT);
  if (result.status === "unknown" && isBounded(one)) continue;
  // A busy machine can end a search that would find nothing.
  if (result.status === "unknown") result = search(10 * TIMEOUT);
  if (result.status === "safe") continue;
  const name = `${one.path} ${source}`;
  if (BOUNDED.has(name)) used.add(name);
  else
    problems.push(
      `${name}: ${result.complexity?.summary ?? result.error?.kind}, ${JSON.stringify(result.attack?.pattern)}`,
    );
}
for (const name of BOUNDED.keys())
  if (!used.has(name)) problems.push(`${name}: is linear or gone; take it out of the list`);
for (const problem of problems) console.error(problem);
console.log(`${seen.size} regular expressions, ${used.size} of them on bounded texts, ${problems.length} problems`);
if (problems.length > 0 || all.length < 100) process.exitCode = 1;
