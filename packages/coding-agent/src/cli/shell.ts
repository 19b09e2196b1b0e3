// What a command gets from the shell that runs it, and how it answers. Commands use nothing else of the process, so that the
// menu inside pi and tests run the same code.
import type { Environment } from "../settings/environment.ts";

export interface Shell {
  readonly env: Environment;
  readonly cwd: string;
  readonly now: () => number;
  /** Whether pi trusts the project in `cwd`; settings of the project count only then. */
  readonly trusted: boolean;
  /** Takes a piece of output, line breaks included. */
  readonly write: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** 0: done. 1: done, and something is not as it should be. 2: not understood. */
export type ExitCode = 0 | 1 | 2;

/** A command behind its name. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  readonly run: (args: readonly string[], shell: Shell) => ExitCode | Promise<ExitCode>;
}
