// Health as one self-contained HTML page: charts, tables and the data itself. Pure. The page loads nothing and runs nothing.
import type { CallRate } from "../adaptation/adaptation.schema.ts";
import type { Health, ModelHealth } from "../health/health.ts";
import { beforeAfter, callsText, day, percent } from "../health/health-table.ts";
import { countBars, effectBars, type Share, shareBars, weekColumns } from "./charts.ts";
import { htmlText, scriptJson } from "./html-text.ts";
import { REPORT_STYLE } from "./report-style.ts";

const MAX_MODES = 12;
/** Nothing may be loaded, whatever a record holds. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

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
  ].map(([name, figure]) => `<div><b>${figure}</b><span class="soft">${name}</span></div>`);
  const content =
    models.length === 0
      ? "<section><p>No calls were counted yet.</p></section>"
      : overview(models) + models.map(modelSection).join("") + endSection(health);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="${htmlText(POLICY)}"/>
<title>pi-mend report</title>
<style>
${REPORT_STYLE}
</style>
</head>
<body>
<main>
<h1>pi-mend report</h1>
<p class="soft">${htmlText(new Date(at).toISOString().slice(0, 16).replace("T", " "))} UTC</p>
<div class="tiles">${tiles.join("")}</div>
${content}
</main>
<script type="application/json" id="health">${scriptJson(health)}</script>
</body>
</html>
`;
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
    parts.push("<h3>Calls that were not clean, by week</h3>", weekColumns(model.weeks), legend("repaired", "bounced"));
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
  parts.push(`protocol: ${model.protocol ?? "not measured"}`);
  if (model.forgotten.length > 0) parts.push(`forgotten: ${model.forgotten.join(", ")}`);
  return parts.join(" · ");
}

function effects(
  title: string,
  rows: readonly { readonly mode: string; readonly before: CallRate; readonly after: CallRate }[],
): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, MAX_MODES).map(({ mode, before, after }) => ({ label: mode, before, after }));
  return `<h3>${htmlText(title)}</h3>${effectBars(title, shown)}${legend("before", "after")}`;
}

function endSection({ deadRepairs, deadNotes }: Health): string {
  if (deadRepairs.length + deadNotes.length === 0) return "";
  const notes = deadNotes.map(
    ({ model, mode }) => `<p>The note for ${htmlText(mode)} does not reach ${htmlText(model)}.</p>`,
  );
  const repairs = deadRepairs.length === 0 ? "" : `<p class="soft">${htmlText(deadRepairs.join(", "))}</p>`;
  return `<section><h2>Without effect</h2>${notes.join("")}${repairs && `<h3>No firing for 30 days</h3>${repairs}`}</section>`;
}

function legend(...kinds: readonly string[]): string {
  // A chart without refusals of its own counts them among the bounces.
  const names = kinds.includes("refused") || !kinds.includes("bounced") ? {} : { bounced: "not run" };
  const items = kinds.map(
    (kind) => `<li><i class="${kind}"></i>${(names as Record<string, string>)[kind] ?? kind}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${htmlText(cell)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
  return `<div class="wide"><table><thead><tr>${cells("th", head)}</tr></thead><tbody>${body}</tbody></table></div>`;
}
