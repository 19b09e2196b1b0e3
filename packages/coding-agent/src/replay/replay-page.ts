// A replay's report as one self-contained HTML page: what it would have saved, by model and by week. Pure.
import { countBars, type Share, shareBars, type WeekColumn, weekColumns } from "../memory/report/charts.ts";
import { htmlText } from "../memory/report/html-text.ts";
import { chartLegend, htmlPage, htmlTable } from "../memory/report/page-shell.ts";
import type { Verdict } from "./judge-call.ts";
import type { ReplayReport, ReportedModel, ReportedWeek } from "./replay-report.ts";
import {
  costText,
  dollarText,
  grouped,
  periodText,
  plural,
  SHORT_NAMES,
  timeText,
  VERDICT_NAMES,
  wrongText,
} from "./replay-table.ts";

/** Verdicts in the order of the bars, with their colours. */
const BARS: readonly (readonly [Verdict, Share["kind"]])[] = [
  ["clean", "clean"],
  ["wouldRun", "repaired"],
  ["ranWrong", "refused"],
  ["stillBounces", "bounced"],
];
/** Verdicts that are neither good nor bad: one part of a bar. */
const REST: readonly Verdict[] = ["alike", "mended", "unjudged", "notRun"];
const FAULTS = BARS.slice(1);
const MAX_MODES = 12;
const MAX_WEEKS = 52;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** @param at when the page is made, in milliseconds since 1970 */
export function replayPage(report: ReplayReport, at: number): string {
  const { total, models, input, isStopped, unrepaired } = report;
  const { saved } = total;
  const tiles: [string, string][] = [
    ["turns", grouped(saved.turns)],
    ["tokens", grouped(saved.tokens)],
    ["waiting", timeText(saved.seconds)],
    ...(saved.dollars > 0 ? [["paid", dollarText(saved.dollars)] as [string, string]] : []),
    ["calls that ran wrong", grouped(total.verdicts.ranWrong)],
  ];
  const counts = [plural(input.files, "file"), plural(total.spent.turns, "turn"), plural(total.calls, "call")];
  const content =
    models.length === 0
      ? "<section><p>No turns of a model were found.</p></section>"
      : overview(report) + models.map(modelSection).join("") + failureSection(unrepaired);
  return htmlPage({
    ...{ title: "What it would have saved you", at, tiles, content },
    about: [...counts, periodText(input), isStopped ? "stopped before the end" : ""]
      .filter((part) => part !== "")
      .join(" · "),
    data: { id: "replay", value: report },
  });
}

function overview({ total, models }: ReplayReport): string {
  const parts = [
    "<section><h2>By model</h2>",
    `<p>Failed round trips cost ${htmlText(costText(total.lost))}; calls that would run now were behind ${htmlText(costText(total.saved))} of it.</p>`,
  ];
  if (total.verdicts.ranWrong > 0) parts.push(`<p>${htmlText(wrongText(total))}.</p>`);
  if (total.printed > 0) {
    const text = `${plural(total.printed, "call")} printed as text ended ${costText(total.printedLost)}.`;
    parts.push(`<p>${htmlText(text)}</p>`);
  }
  const rows = models.map((model) => ({ label: model.model, shares: sharesOf(model) }));
  parts.push(
    shareBars(rows, "What became of calls, by model"),
    legend([...BARS, ["alike", "other"]], { alike: "everything else" }),
  );
  const cells = models.map(({ model, calls, verdicts, printed, lost, saved }) => [
    ...[model, grouped(calls), ...FAULTS.map(([verdict]) => grouped(verdicts[verdict])), grouped(printed)],
    ...[
      grouped(lost.turns),
      grouped(saved.turns),
      grouped(saved.tokens),
      saved.dollars > 0 ? dollarText(saved.dollars) : "",
    ],
  ]);
  const head = ["model", "calls", ...FAULTS.map(([verdict]) => SHORT_NAMES[verdict]), "as text", "turns lost"];
  const titles = [...head, "turns saved", "tokens saved", "paid"];
  parts.push(htmlTable(titles, cells, new Set(titles.map((_, column) => column).slice(1))));
  parts.push(
    "<h3>By week</h3>",
    weekColumns(weeksOf(models), "Calls that were not clean, by week"),
    legend(FAULTS),
    savedByWeek(total.weeks),
    "</section>",
  );
  return parts.join("");
}

function modelSection(model: ReportedModel): string {
  const faults = FAULTS.reduce((sum, [verdict]) => sum + model.verdicts[verdict], 0);
  const parts = [`<section><h2>${htmlText(model.model)}</h2>`];
  parts.push(`<p class="soft">${htmlText(summary(model))}</p>`);
  if (faults > 0) {
    parts.push("<h3>Calls that were not clean, by week</h3>");
    parts.push(weekColumns(weeksOf([model]), `Calls of ${model.model} that were not clean, by week`), legend(FAULTS));
  }
  for (const [verdict, kind] of FAULTS) {
    const rows = model.modes
      .map(({ mode, verdicts }) => [mode, verdicts[verdict]] as const)
      .filter(([, count]) => count > 0)
      .toSorted(([, a], [, b]) => b - a);
    if (rows.length === 0) continue;
    const title = `${VERDICT_NAMES[verdict].replace(/^./, (first) => first.toUpperCase())}, by what the model did`;
    parts.push(`<h3>${htmlText(title)}</h3>`, countBars(title, kind, rows.slice(0, MAX_MODES)));
  }
  return `${parts.join("")}</section>`;
}

function summary({ calls, nested, verdicts, spent, lost, saved }: ReportedModel): string {
  const parts = [`${plural(calls, "call")} in ${plural(spent.turns, "turn")}`];
  if (nested > 0) parts.push(`${grouped(nested)} of them made by tools`);
  parts.push(`lost ${costText(lost)}`, `would have saved ${costText(saved)}`);
  for (const verdict of ["alike", "mended", "unjudged", "notRun"] as const) {
    if (verdicts[verdict] > 0) parts.push(`${VERDICT_NAMES[verdict]}: ${grouped(verdicts[verdict])}`);
  }
  return parts.join(" · ");
}

function failureSection(unrepaired: ReplayReport["unrepaired"]): string {
  if (unrepaired.length === 0) return "";
  const items = unrepaired.map(({ tool, places, count, skeleton, example }) => {
    const about = `<p><b>${grouped(count)} ×</b> ${htmlText(tool)}: ${htmlText(places.join(", "))}</p>`;
    const shown = [skeleton, example ?? ""].filter((text) => text !== "");
    return about + shown.map((text) => `<pre>${htmlText(text)}</pre>`).join("");
  });
  return `<section><h2>Most frequent failures that nothing repairs</h2><p class="soft">Calls of the same shape; every word and number that is not the tool's own is a stand-in.</p>${items.join("")}</section>`;
}

function sharesOf({ verdicts }: ReportedModel): Share[] {
  const shares = BARS.map(
    ([verdict, kind]): Share => ({ kind, name: VERDICT_NAMES[verdict], count: verdicts[verdict] }),
  );
  const rest = REST.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  return [...shares, { kind: "other", name: "everything else", count: rest }];
}

function legend(kinds: typeof BARS, names: Partial<Record<Verdict, string>> = {}): string {
  return chartLegend(kinds.map(([verdict, kind]) => ({ kind, name: names[verdict] ?? VERDICT_NAMES[verdict] })));
}

/** Turns saved in each of the last weeks in which there were any. */
function savedByWeek(weeks: readonly ReportedWeek[]): string {
  const rows = weeks.filter(({ saved }) => saved.turns > 0).map(({ week, saved }) => [week, saved.turns] as const);
  if (rows.length === 0) return "";
  return `<h3>Turns it would have saved, by week</h3>${countBars("Turns it would have saved, by week", "repaired", rows.slice(-MAX_MODES))}`;
}

/** The last weeks that there are, those without calls included. */
function weeksOf(models: readonly ReportedModel[]): WeekColumn[] {
  const byStart = new Map<number, ReportedWeek[]>();
  for (const week of models.flatMap((model) => model.weeks)) {
    const start = Date.parse(week.week);
    byStart.set(start, [...(byStart.get(start) ?? []), week]);
  }
  const [first, last] = [Math.min(...byStart.keys()), Math.max(...byStart.keys())];
  if (byStart.size === 0) return [];
  const columns: WeekColumn[] = [];
  for (let start = Math.max(first, last - (MAX_WEEKS - 1) * WEEK_MS); start <= last; start += WEEK_MS) {
    const weeks = byStart.get(start) ?? [];
    const parts = FAULTS.map(([verdict, kind]): Share => {
      const count = weeks.reduce((sum, { verdicts }) => sum + verdicts[verdict], 0);
      return { kind, name: VERDICT_NAMES[verdict], count };
    });
    columns.push({ start, calls: weeks.reduce((sum, { calls }) => sum + calls, 0), parts });
  }
  return columns;
}
