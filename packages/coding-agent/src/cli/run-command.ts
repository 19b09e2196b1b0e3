// The shell command: finds the command that is meant and runs it. The menu inside pi calls it with the same words.
import { doctorCommand } from "./doctor-command.ts";
import { forgetCommand } from "./forget-command.ts";
import { healthCommand, refused, reportCommand, rulesCommand } from "./health-command.ts";
import { OWN_VERSION } from "./own-version.ts";
import { replayCommand } from "./replay-command.ts";
import { safeShell } from "./safe-shell.ts";
import { settingsCommand } from "./settings-command.ts";
import type { Command, ExitCode, Shell } from "./shell.ts";

export type { Command, ExitCode, Shell } from "./shell.ts";

export const COMMANDS: readonly Command[] = [
  healthCommand,
  rulesCommand,
  forgetCommand,
  settingsCommand,
  reportCommand,
  replayCommand,
  doctorCommand,
];

/** @param words the command's name and its arguments */
export async function runCommand(words: readonly string[], given: Shell): Promise<ExitCode> {
  const shell = safeShell(given);
  const [name, ...args] = words;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    shell.write(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    shell.write(`pi-mend ${OWN_VERSION}\n`);
    return 0;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) return refused(shell, `There is no such command\n\n${usage()}`);
  if (args.includes("--help") || args.includes("-h")) {
    shell.write(`pi-mend ${command.usage}\n  ${command.about}\n${optionsText(command)}`);
    return 0;
  }
  return command.run(args, shell);
}

function optionsText({ options = [] }: Command): string {
  const width = Math.max(0, ...options.map(([option]) => option.length));
  return options
    .map(([option, about], index) => `${index === 0 ? "\n" : ""}  ${option.padEnd(width)}  ${about}\n`)
    .join("");
}

function usage(): string {
  const rows = [...COMMANDS, { usage: "--version", about: "pi-mend's own version" }];
  const width = Math.max(...rows.map((row) => row.usage.length));
  const lines = rows.map(({ usage: words, about }) => `  pi-mend ${words.padEnd(width)}  ${about}`);
  return `${lines.join("\n")}\n`;
}
