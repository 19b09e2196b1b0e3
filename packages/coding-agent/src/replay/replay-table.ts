// A replay's report as text for a terminal. Pure; plain text without colours.
import { aligned, percent } from "../memory/health/health-table.ts";
import { VERDICTS, type Verdict } from "./judge-call.ts";
import type { ReplayReport, ReportedCost, ReportedModel } from "./replay-report.ts";

/** Verdicts as people read them. */
export const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  clean: "clean",
  alike: "ran, runs the same",
  wouldRun: "bounced then, would run now",
  ranWrong: "ran wrong then",
  stillBounces: "still bounces",
  mended: "mended then",
  unjudged: "unknown tool",
  notRun: "not run",
};

/** The same in the head of a table. */
export const SHORT_NAMES: Readonly<Record<Verdict, string>> = {
  ...{ clean: "clean", alike: "same", wouldRun: "would run", ranWrong: "ran wrong", stillBounces: "bounces" },
  ...{ mended: "mended", unjudged: "unknown", notRun: "not run" },
};

const MOST_MODES = 12;
const MOST_WIDTH = 160;

export function replayTable(report: ReplayReport): string {
  const { models, total, unrepaired, isStopped } = report;
  const lines = [inputLine(report), ...(isStopped ? ["Stopped before the end: this is what was read."] : []), ""];
  if (models.length === 0) return [...lines, "No turns of a model were found."].join("\n");
  lines.push("What it would have saved you", `  ${costText(total.saved)}`);
  lines.push(`  of what failed round trips cost: ${costText(total.lost)}`);
  if (total.verdicts.ranWrong > 0) lines.push(`  ${wrongText(total)}`);
  if (total.printed > 0) {
    lines.push(`  ${plural(total.printed, "call")} printed as text ended ${costText(total.printedLost)}`);
  }
  const shown = VERDICTS.filter((verdict) => CORE.has(verdict) || total.verdicts[verdict] > 0);
  const head = ["model", "calls", ...shown.map((verdict) => SHORT_NAMES[verdict]), "as text", "turns lost", "saved"];
  lines.push("", ...aligned([head, ...models.map((model) => modelRow(model, shown)), modelRow(total, shown)]));
  const explained = shown.filter((verdict) => SHORT_NAMES[verdict] !== VERDICT_NAMES[verdict]);
  lines.push("", ...explained.map((verdict) => `  ${SHORT_NAMES[verdict].padEnd(10)} ${VERDICT_NAMES[verdict]}`));
  for (const model of models) lines.push(...modeLines(model));
  if (unrepaired.length > 0) {
    lines.push("", "Most frequent failures that nothing repairs");
    for (const { tool, places, count, skeleton, example } of unrepaired) {
      lines.push(`  ${String(count).padStart(6)}  ${tool}: ${places.join(", ")}`);
      if (skeleton !== "") lines.push(`          ${oneLine(skeleton)}`);
      if (example !== undefined) lines.push(`          sent: ${oneLine(example)}`);
    }
  }
  return lines.join("\n");
}

/** Verdicts that are shown even where there are none. */
const CORE: ReadonlySet<Verdict> = new Set(["clean", "wouldRun", "ranWrong", "stillBounces"]);

function inputLine({ input, total }: ReplayReport): string {
  const { files, bytes, damaged, unfinished, oversized, unreadable, from, to } = input;
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  const parts = [plural(files, "file"), size, plural(total.spent.turns, "turn"), plural(total.calls, "call")];
  if (from !== "") parts.push(periodText({ from, to }));
  if (damaged > 0) parts.push(`${plural(damaged, "damaged line")} skipped`);
  if (oversized > 0) parts.push(`${plural(oversized, "line")} above 8 MB skipped`);
  if (unfinished > 0) parts.push(`${plural(unfinished, "line")} not finished yet`);
  if (unreadable > 0) parts.push(`${plural(unreadable, "file")} not readable`);
  return parts.join(", ");
}

/** The days that were read, `""` where none is known. */
export function periodText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? from : `${from} to ${to}`;
}

export function costText({ turns, tokens, seconds, dollars }: ReportedCost): string {
  const parts = [plural(turns, "turn")];
  if (tokens > 0) parts.push(`${grouped(tokens)} tokens`);
  if (seconds > 0) parts.push(timeText(seconds));
  if (dollars > 0) parts.push(dollarText(dollars));
  return parts.join(", ");
}

export function wrongText({ verdicts, wrongBounces }: ReportedModel): string {
  const now = wrongBounces > 0 ? `; ${wrongBounces} of them would bounce now` : "";
  return `${plural(verdicts.ranWrong, "call")} ran with other arguments than were meant${now}`;
}

export function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function dollarText(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function modelRow(model: ReportedModel, shown: readonly Verdict[]): string[] {
  const { calls, verdicts, printed, lost, saved } = model;
  const cells = shown.map((verdict) =>
    verdict === "clean" ? percent(verdicts.clean, calls) : String(verdicts[verdict]),
  );
  return [model.model, String(calls), ...cells, String(printed), String(lost.turns), String(saved.turns)];
}

function modeLines({ model, modes }: ReportedModel): string[] {
  if (modes.length === 0) return [];
  const columns = ["wouldRun", "ranWrong", "alike", "stillBounces", "mended"] as const;
  const shown = columns.filter((verdict) => modes.some(({ verdicts }) => verdicts[verdict] > 0));
  const rows = modes
    .slice(0, MOST_MODES)
    .map(({ mode, verdicts }) => [`  ${mode}`, ...shown.map((one) => String(verdicts[one]))]);
  const more = modes.length > MOST_MODES ? [`  and ${modes.length - MOST_MODES} more`] : [];
  return ["", ...aligned([[model, ...shown.map((verdict) => SHORT_NAMES[verdict])], ...rows]), ...more];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MOST_WIDTH ? `${line.slice(0, MOST_WIDTH - 1)}…` : line;
}
