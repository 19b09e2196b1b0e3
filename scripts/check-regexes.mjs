// Every regular expression in the packages' sources, literal or made by `RegExp` from constants, asked of an analyser: none
// may take more than linear time, except where the text it runs on is bounded, and that is said here; nor may one be made of
// a text that comes at run time, but where its owner runs it anyway. Runs in `npm run check:regexes`. Never changes anything.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSync } from "recheck";
import { parseAst } from "vite";
import { builtExpressions } from "./regexes/built-expressions.mjs";

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

/** Expressions that are made of a text which comes at run time, and why that is no danger: `file` and what is built. */
const DYNAMIC = new Map([
  [
    "packages/ai/src/utils/tool-repair/schema-pattern.ts new RegExp(pattern, flags)",
    "a tool owner's pattern, which pi runs on the same keys; pattern-cost.test.ts bounds how often it runs here",
  ],
]);

/** Sticky expressions start at one place only; the analyser lets them start anywhere. */
const isSticky = ({ flags }) => flags.includes("y");
/** Without `*`, `+` and `{n,}` the work is bounded by the expression itself. */
const isBounded = ({ pattern }) => !/[^\\][*+]|\{\d+,\}/.test(pattern.replace(/\[(?:\\.|[^\]\\])*\]/g, "c"));

/** Expressions whose pattern is not constant, as `DYNAMIC` names them. */
const dynamic = [];

function expressionsOf(path) {
  const found = [];
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === "Literal" && node.regex) found.push({ path, ...node.regex });
    for (const key in node) if (key !== "regex") visit(node[key]);
  };
  const text = readFileSync(join(ROOT, path), "utf8");
  const program = parseAst(text, { lang: "ts" });
  visit(program);
  for (const built of builtExpressions(program, text)) {
    if (built.pattern === undefined) dynamic.push(`${path} ${built.source}`);
    else found.push({ path, pattern: built.pattern, flags: built.flags });
  }
  return found;
}

const paths = globSync("packages/*/src/**/*.ts", { cwd: ROOT }).sort();
const all = paths.flatMap((path) => expressionsOf(relative(ROOT, join(ROOT, path))));
const seen = new Set();
const problems = dynamic
  .filter((name) => !DYNAMIC.has(name))
  .map((name) => `${name}: made of a text that comes at run time; escape and bound it, and say so here`);
for (const name of DYNAMIC.keys())
  if (!dynamic.includes(name)) problems.push(`${name}: is gone; take it out of the list`);
const used = new Set();
for (const one of all) {
  const source = `/${one.pattern}/`;
  if (seen.has(source + one.flags)) continue;
  seen.add(source + one.flags);
  // At one place only: what a sticky expression can do there is what it does behind an anchor.
  const pattern = isSticky(one) ? `^(?:${one.pattern})` : one.pattern;
  // One clock for the whole search: stages that a busy machine cuts short report attacks that are none.
  const search = (timeout) =>
    checkSync(pattern, one.flags.replace("y", ""), {
      timeout,
      attackTimeout: timeout,
      incubationTimeout: timeout,
      seedingTimeout: timeout,
      recallTimeout: timeout,
    });
  let result = search(TIMEOUT);
  if (result.status === "unknown" && isBounded(one)) continue;
  // A busy machine can end a search that would find nothing.
  if (result.status === "unknown") result = search(30 * TIMEOUT);
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
console.log(
  `${seen.size} regular expressions, ${used.size} of them on bounded texts, and ${dynamic.length} made at run time; ` +
    `${problems.length} problems`,
);
if (problems.length > 0 || all.length < 100) process.exitCode = 1;
