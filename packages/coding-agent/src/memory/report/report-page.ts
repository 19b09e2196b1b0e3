// Health as one self-contained HTML page: charts, tables and the data itself. Pure. The page loads nothing and runs nothing.
import type { CallRate } from "../adaptation/adaptation.schema.ts";
import type { Health, ModelHealth } from "../health/health.ts";
import { beforeAfter, callsText, day, percent, protocolText } from "../health/health-table.ts";
import type { WeekCounts } from "../health/weekly-counts.ts";
import { countBars, effectBars, type Share, shareBars, type WeekColumn, weekColumns } from "./charts.ts";
import { htmlText } from "./html-text.ts";
import { chartLegend, htmlPage, htmlTable as table } from "./page-shell.ts";

const MAX_MODES = 12;

export function reportPage(health: Health): string {
  const { models, at } = health;
  const total = (count: (model: ModelHealth) => number) => models.reduce((sum, model) => sum + count(model), 0);
  const calls = total((model) => model.calls);
  const tiles = [
    ["calls", String(calls)],
    [
      "clean",
      percent(
        total((model) => model.clean),
        calls,
      ),
    ],
    [
      "repaired",
      percent(
        total((model) => model.repaired),
        calls,
      ),
    ],
    [
      "not run",
      percent(
        total((model) => model.bounced + model.refused),
        calls,
      ),
    ],
    ["round trips saved", String(total((model) => model.roundTripsSaved))],
  ] as const;
  const content =
    models.length === 0
      ? "<section><p>No calls were counted yet.</p></section>"
      : overview(models) + models.map(modelSection).join("") + endSection(health);
  return htmlPage({
    ...{ title: "pi-mend report", at, tiles, content },
    data: { id: "health", value: health },
  });
}

function overview(models: readonly ModelHealth[]): string {
  const rows = models.map((model) => ({ label: model.model, shares: sharesOf(model) }));
  return `<section><h2>Outcomes by model</h2>${shareBars(rows)}${legend("clean", "repaired", "bounced", "refused")}</section>`;
}

function sharesOf({ clean, repaired, bounced, refused }: ModelHealth): Share[] {
  return [
    { kind: "clean", count: clean },
    { kind: "repaired", count: repaired },
    { kind: "bounced", count: bounced },
    { kind: "refused", count: refused },
  ];
}

function modelSection(model: ModelHealth): string {
  const parts = [`<section><h2>${htmlText(model.model)}</h2>`];
  parts.push(`<p class="soft">${htmlText(summary(model))}</p>`);
  if (model.weeks.some((week) => week.calls > 0)) {
    parts.push(
      "<h3>Calls that were not clean, by week</h3>",
      weekColumns(model.weeks.map(weekColumn)),
      legend("repaired", "bounced"),
    );
  }
  if (model.repairedBy.length > 0) {
    parts.push("<h3>Repaired</h3>", countBars("Repairs by mode", "repaired", model.repairedBy.slice(0, MAX_MODES)));
  }
  if (model.bouncedBy.length > 0) {
    parts.push("<h3>Not run</h3>", countBars("Bounces by mode", "bounced", model.bouncedBy.slice(0, MAX_MODES)));
  }
  parts.push(effects("Notes: does telling help?", model.notes), effects("Rules: does the rule help?", model.rules));
  if (model.rules.length > 0) {
    const rows = model.rules.map(({ mode, sentence, since }) => [mode, sentence, day(since)]);
    parts.push(table(["Rule", "What the model reads", "Since"], rows));
  }
  if (model.retired.length > 0) {
    const rows = model.retired.map(({ mode, why, at, before, after }) => [
      mode,
      why,
      beforeAfter(before, after),
      day(at),
    ]);
    parts.push("<h3>Retired rules</h3>", table(["Rule", "Why", "Measured", "When"], rows));
  }
  parts.push("</section>");
  return parts.join("");
}

function summary(model: ModelHealth): string {
  const parts = [`${callsText(model.calls)}, ${percent(model.clean, model.calls)} clean`];
  if (model.repaired > 0) parts.push(`${model.ranWell} of ${model.executedRepaired} repaired calls ran well`);
  if (model.escalations > 0) parts.push(`escalated ${model.escalations === 1 ? "once" : `${model.escalations} times`}`);
  const leaks = Object.entries(model.leaks).map(([action, count]) => `${count} ${action}`);
  const { nested } = model;
  if (nested.calls > 0) parts.push(`made by tools: ${callsText(nested.calls)}, ${nested.errors} failed`);
  if (leaks.length > 0) parts.push(`calls in text: ${leaks.join(", ")}`);
  parts.push(`protocol: ${protocolText(model.protocol)}`);
  if (model.forgotten.length > 0) parts.push(`forgotten: ${model.forgotten.join(", ")}`);
  return parts.join(" · ");
}

function effects(
  title: string,
  rows: readonly { readonly mode: string; readonly before: CallRate; readonly after: CallRate }[],
): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, MAX_MODES).map(({ mode, before, after }) => ({ label: mode, before, after }));
  return `<h3>${htmlText(title)}</h3>${effectBars(title, shown)}${chartLegend([{ kind: "before" }, { kind: "after" }])}`;
}

function endSection({ deadRepairs, deadNotes }: Health): string {
  if (deadRepairs.length + deadNotes.length === 0) return "";
  const notes = deadNotes.map(
    ({ model, mode }) => `<p>The note for ${htmlText(mode)} does not reach ${htmlText(model)}.</p>`,
  );
  const repairs = deadRepairs.length === 0 ? "" : `<p class="soft">${htmlText(deadRepairs.join(", "))}</p>`;
  return `<section><h2>Without effect</h2>${notes.join("")}${repairs && `<h3>No firing for 30 days</h3>${repairs}`}</section>`;
}

function weekColumn({ start, calls, repaired, bounced }: WeekCounts): WeekColumn {
  const parts: Share[] = [
    { kind: "repaired", count: repaired },
    { kind: "bounced", name: "not run", count: bounced },
  ];
  return { start, calls, parts };
}

function legend(...kinds: readonly Share["kind"][]): string {
  // A chart without refusals of its own counts them among the bounces.
  const notRun = !kinds.includes("refused");
  return chartLegend(kinds.map((kind) => ({ kind, name: kind === "bounced" && notRun ? "not run" : kind })));
}
