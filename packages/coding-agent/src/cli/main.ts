// The program behind `pi-mend` in a shell. Runs one command and ends with its exit code.
import { runCommand } from "./run-command.ts";

// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  // Outside pi nobody can say that the project is trusted.
  trusted: false,
  write: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
  interruption,
  ...(process.stderr.isTTY && { progress: (line: string) => void process.stderr.write(`\r\x1b[2K${line}`) }),
});

/** The first Ctrl-C asks the command to stop, the second one ends the process as usual. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}
