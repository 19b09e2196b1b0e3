// `health [model]`, `rules [model]` and `report [file]`: three views of the same reading.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findModel } from "../memory/health/find-model.ts";
import { healthTable } from "../memory/health/health-table.ts";
import { type ReadHealth, readHealth } from "../memory/health/read-health.ts";
import { rulesTable } from "../memory/health/rules-table.ts";
import { type MemoryPaths, memoryPaths } from "../memory/memory-paths.ts";
import { reportPage } from "../memory/report/report-page.ts";
import { commandArguments } from "./command-arguments.ts";
import type { Command, ExitCode, Shell } from "./shell.ts";

export const healthCommand: Command = {
  name: "health",
  usage: "health [model] [--json]",
  about: "how each model's calls do",
  run: (args, shell) => view(args, shell, ({ health }) => healthTable(health)),
};

export const rulesCommand: Command = {
  name: "rules",
  usage: "rules [model] [--json]",
  about: "what each model's system prompt is told, and what was retired",
  run: (args, shell) => view(args, shell, ({ health }) => rulesTable(health)),
};

export const reportCommand: Command = {
  name: "report",
  usage: "report [file] [--model <model>]",
  about: "writes health as one HTML page with charts",
  run: (args, shell) => {
    const given = commandArguments(args, [], 1, ["model"]);
    if (!given.ok) return refused(shell, given.message);
    const paths = memoryPaths(shell.env, shell.cwd);
    const read = readFor(given.values.get("model"), paths, shell);
    if (read === undefined) return 2;
    const file = resolve(shell.cwd, given.names[0] ?? "pi-mend-report.html");
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, reportPage(read.health));
    } catch {
      shell.warn(`${file} cannot be written\n`);
      return 1;
    }
    shell.write(`${file}\n`);
    return 0;
  },
};

function view(args: readonly string[], shell: Shell, text: (read: ReadHealth) => string): ExitCode {
  const given = commandArguments(args, ["json"], 1);
  if (!given.ok) return refused(shell, given.message);
  const read = readFor(given.names[0], memoryPaths(shell.env, shell.cwd), shell);
  if (read === undefined) return 2;
  shell.write(given.flags.has("json") ? `${JSON.stringify(read.health, null, 2)}\n` : `${text(read)}\n`);
  return 0;
}

/** `undefined` where the model that was named is not known; the shell was told. */
function readFor(typed: string | undefined, paths: MemoryPaths, shell: Shell): ReadHealth | undefined {
  const all = readHealth(paths, shell.now());
  for (const warning of all.warnings) shell.warn(`${warning}\n`);
  if (typed === undefined) return all;
  const found = findModel(
    typed,
    all.health.models.map((model) => model.model),
  );
  if (found.ok) return readHealth(paths, shell.now(), found.model);
  shell.warn(`${found.message}\n`);
  return undefined;
}

export function refused(shell: Shell, message: string): ExitCode {
  shell.warn(`${message}\n`);
  return 2;
}
