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
  /** Aborted when the user asks to stop. Asked only by commands that can; without it they run to their end. */
  readonly interruption?: () => AbortSignal;
  /** Shows where a long command is, in place of what it showed before; `""` takes it away. Only on a terminal. */
  readonly progress?: (line: string) => void;
}

/** 0: done. 1: done, and something is not as it should be. 2: not understood. 130: the user stopped it. */
export type ExitCode = 0 | 1 | 2 | 130;

/** A command behind its name. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** Options that `usage` leaves out, each with what it does. */
  readonly options?: readonly (readonly [option: string, about: string])[];
  readonly run: (args: readonly string[], shell: Shell) => ExitCode | Promise<ExitCode>;
}
