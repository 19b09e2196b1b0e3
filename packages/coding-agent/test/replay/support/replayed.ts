// Replays through the shell's command, as a user does, and reads its JSON.
import { join } from "node:path";
import { runCommand } from "../../../src/cli/run-command.ts";
import type { ReplayReport } from "../../../src/replay/replay-report.ts";

export interface Truth {
  readonly damaged: number;
  readonly unfinished: number;
  readonly models: Readonly<Record<string, ModelTruth>>;
}

interface Cost {
  readonly turns: number;
  readonly tokens: number;
  readonly milliseconds: number;
  readonly nanodollars: number;
}

export interface ModelTruth {
  readonly calls: number;
  readonly nested: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly wrongBounces: number;
  readonly modes: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly printed: number;
  readonly spent: Cost;
  readonly lost: Cost;
  readonly saved: Cost;
  readonly printedLost: Cost;
}

const SCRIPTS = new URL("../../../../../scripts/", import.meta.url);
export const { writeCorpus } = (await import(new URL("replay-corpus.mjs", SCRIPTS).href)) as {
  writeCorpus: (options: { folder: string; bytes: number; seed?: number; files?: number }) => Truth;
};
export const { SECRET } = (await import(new URL("replay-corpus/seeded.mjs", SCRIPTS).href)) as { SECRET: string };

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** @param folder what relative paths are relative to, and the agent's folder */
export async function replay(folder: string, ...words: string[]): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(["replay", ...words], {
    ...{ env: { PI_CODING_AGENT_DIR: join(folder, "agent"), PATH: "" }, cwd: folder, trusted: false },
    now: () => Date.UTC(2026, 8, 1),
    write: (text) => void out.push(text),
    warn: (text) => void err.push(text),
  });
  return { code, out: out.join(""), err: err.join("") };
}

export async function report(folder: string, ...words: string[]): Promise<ReplayReport> {
  return JSON.parse((await replay(folder, "--json", ...words)).out) as ReplayReport;
}
