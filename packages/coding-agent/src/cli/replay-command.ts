// `replay [path…]`: what this package would have made of calls that were recorded. Reads; writes only the files it is told to.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sessionFolder } from "../replay/default-paths.ts";
import { FORMATS, type Format } from "../replay/formats/format.ts";
import { inputFiles } from "../replay/input-files.ts";
import { progressBar } from "../replay/progress-bar.ts";
import { replayCsv } from "../replay/replay-csv.ts";
import { replayPage } from "../replay/replay-page.ts";
import { replayReport } from "../replay/replay-report.ts";
import { type ReplayFound, runReplay } from "../replay/replay-run.ts";
import { replayTable } from "../replay/replay-table.ts";
import { sinceTime } from "../replay/since-time.ts";
import { expandPath } from "../settings/environment.ts";
import { commandArguments } from "./command-arguments.ts";
import { refused } from "./health-command.ts";
import type { Command, Shell } from "./shell.ts";

const FLAGS = ["json", "csv", "show-values"];
const VALUED = ["format", "html", "fixtures", "since", "model", "tool", "threads"];

export const replayCommand: Command = {
  name: "replay",
  usage: "replay [path…] [option…]",
  about: "what pi-mend would have made of recorded calls",
  options: [
    ["--json, --csv", "the whole report as JSON; a row a model and mode"],
    ["--html FILE", "one page with charts"],
    ["--fixtures FOLDER", "rows for the tests of pi-mend, without values"],
    ["--since DAY", "turns from then on: 2026-01-31, 30d, 12h"],
    ["--model TEXT", "models whose provider/model holds the text"],
    ["--tool NAME", "calls of one tool"],
    ["--format NAME", FORMATS.join(", ")],
    ["--threads N", "files that are read side by side"],
    ["--show-values", "one call of each failure as it was sent"],
  ],
  run: async (args, shell) => {
    const given = commandArguments(args, FLAGS, Number.POSITIVE_INFINITY, VALUED);
    if (!given.ok) return refused(shell, given.message);
    const { flags, values, names } = given;
    if (flags.has("json") && flags.has("csv")) return refused(shell, "Either --json or --csv");
    const format = values.get("format");
    if (format !== undefined && !isFormat(format)) return refused(shell, `--format is one of: ${FORMATS.join(", ")}`);
    const since = sinceTime(values.get("since"), shell.now());
    if (since === "unclear") return refused(shell, "--since takes a day like 2026-01-31, or an age like 30d or 12h");
    const threads = values.get("threads") === undefined ? undefined : Number(values.get("threads"));
    if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) {
      return refused(shell, "--threads takes a whole number above 0");
    }
    const paths =
      names.length > 0 ? names.map((name) => expandPath(name, shell.cwd)) : [sessionFolder(shell.env, shell.cwd)];
    const { files, missing, unreadable } = inputFiles(paths, format, since);
    // Paths that the user typed; the folder that was looked in by default is named, too.
    for (const path of missing) shell.warn(`${path} does not exist\n`);
    for (const path of unreadable) shell.warn(`${path} cannot be read\n`);
    if (missing.length === paths.length) return 2;
    const signal = shell.interruption?.();
    const found = await runReplay({
      ...{ files, since, threads, signal, model: values.get("model"), tool: values.get("tool") },
      ...{ fixtures: values.has("fixtures"), showValues: flags.has("show-values") },
      progress: progressOf(
        shell,
        files.reduce((sum, { bytes }) => sum + bytes, 0),
      ),
    });
    shell.progress?.("");
    const isWritten = writeFiles(found, values, shell);
    const report = replayReport(found);
    if (flags.has("json")) shell.write(`${JSON.stringify(report, null, 2)}\n`);
    else shell.write(flags.has("csv") ? replayCsv(report) : `${replayTable(report)}\n`);
    if (found.isStopped) return 130;
    return isWritten && missing.length + unreadable.length === 0 ? 0 : 1;
  },
};

function isFormat(name: string): name is Format {
  return (FORMATS as readonly string[]).includes(name);
}

/** Draws a few times a second; `undefined` where there is no terminal. */
function progressOf({ progress }: Shell, total: number): ((read: number) => void) | undefined {
  if (progress === undefined) return undefined;
  const started = performance.now();
  let drawn = Number.NEGATIVE_INFINITY;
  return (read) => {
    const now = performance.now();
    if (now - drawn < 100) return;
    drawn = now;
    progress(progressBar(read, total, now - started));
  };
}

function writeFiles(found: ReplayFound, values: ReadonlyMap<string, string>, shell: Shell): boolean {
  const [html, fixtures] = [values.get("html"), values.get("fixtures")];
  let isWritten = true;
  const write = (path: string, text: string) => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      shell.warn(`${path}\n`);
    } catch {
      shell.warn(`${path} cannot be written\n`);
      isWritten = false;
    }
  };
  if (html !== undefined) write(resolve(shell.cwd, html), replayPage(replayReport(found), shell.now()));
  if (fixtures !== undefined) {
    for (const [folder, rows] of found.rows) {
      write(join(resolve(shell.cwd, fixtures), folder, "cases.json"), `${JSON.stringify(rows, null, 2)}\n`);
    }
  }
  return isWritten;
}
