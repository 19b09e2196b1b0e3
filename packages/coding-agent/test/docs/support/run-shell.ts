// Runs one line in a shell, with exactly the environment given, and waits for its end.
import { execFile } from "node:child_process";

export interface ShellRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const TIMEOUT_MS = 240_000;

/** Never rejects for what the line does; a line that takes too long is killed and has no code. */
export function runShell(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<ShellRun> {
  return new Promise((done) => {
    const options = { cwd, env: { ...env }, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 };
    const child = execFile("bash", ["-c", line], options, (_error, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
    child.stdin?.end();
  });
}
