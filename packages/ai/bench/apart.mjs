// Runs one measurement in a process of its own: what else a process has run decides how the engine compiles a function,
// and would be measured along.

import { execFileSync } from "node:child_process";

/** Imports `file`, calls its export `name` with `args` and gives back what it returns, as JSON carries it. */
export function apart(file, name, ...args) {
  const url = JSON.stringify(new URL(file, import.meta.url).href);
  const code = `const m = await import(${url}); console.log(JSON.stringify(await m.${name}(...${JSON.stringify(args)})));`;
  const flags = ["--expose-gc", "--input-type=module", "-e", code];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: "utf8" }));
}
