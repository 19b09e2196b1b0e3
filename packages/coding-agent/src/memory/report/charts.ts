// The report's charts as inline SVG. Pure. Each has a title that says in words what it shows; colours come from the page.
import type { CallRate } from "../adaptation/adaptation.schema.ts";
import { rateOf } from "../adaptation/learn.ts";
import { callsText, day, percent } from "../health/health-table.ts";
import type { WeekCounts } from "../health/weekly-counts.ts";
import { htmlText } from "./html-text.ts";

const WIDTH = 840;
const LABEL = 200;
const FIGURES = 170;
const BAR = WIDTH - LABEL - FIGURES;

export interface Share {
  readonly kind: "clean" | "repaired" | "bounced" | "refused";
  readonly count: number;
}

/** One bar a row, as long as the whole, in parts. */
export function shareBars(rows: readonly { readonly label: string; readonly shares: readonly Share[] }[]): string {
  const height = 30;
  const bars = rows.map(({ label, shares }, index) => {
    const total = shares.reduce((sum, { count }) => sum + count, 0);
    const top = index * height;
    let left = LABEL;
    const parts = shares.map(({ kind, count }) => {
      const width = total === 0 ? 0 : (count / total) * BAR;
      const part = rect({ x: left, y: top + 5, width: Math.max(0, width - 2), height: 18 }, kind, `${kind}: ${count}`);
      left += width;
      return width === 0 ? "" : part;
    });
    const clean = shares.find(({ kind }) => kind === "clean")?.count ?? 0;
    const figures = text(WIDTH, top + 19, `${callsText(total)}, ${percent(clean, total)} clean`, "end", "soft");
    return text(0, top + 19, shortened(label)) + parts.join("") + figures;
  });
  return svg(rows.length * height, "Outcomes of calls by model", bars.join(""));
}

/** A column a week: what was not clean, as a share of the week's calls. */
export function weekColumns(weeks: readonly WeekCounts[]): string {
  const [height, base, step] = [150, 120, WIDTH / Math.max(1, weeks.length)];
  const worst = Math.max(...weeks.map(({ calls, clean }) => (calls === 0 ? 0 : 1 - clean / calls)), 0.01);
  const columns = weeks.map((week, index) => {
    const { start, calls, repaired, bounced } = week;
    const x = index * step + 4;
    const heightOf = (count: number) => (calls === 0 ? 0 : (count / calls / worst) * (base - 20));
    const [low, high] = [heightOf(repaired), heightOf(bounced)];
    const about = `${day(start)}: ${callsText(calls)}, ${repaired} repaired, ${bounced} not run`;
    const width = step - 8;
    const parts = [
      low > 0 ? rect({ x, y: base - low, width, height: low }, "repaired", about) : "",
      high > 0 ? rect({ x, y: base - low - high - 1, width, height: high }, "bounced", about) : "",
    ];
    const share =
      calls === 0 ? "" : text(x + width / 2, base - low - high - 6, percent(repaired + bounced, calls), "middle");
    const label = index % 3 === 0 ? text(x, height - 10, day(start), "start", "soft") : "";
    return parts.join("") + share + label;
  });
  const axis = `<line class="axis" x1="0" y1="${base}" x2="${WIDTH}" y2="${base}"/>`;
  return svg(height, "Share of calls that were not clean, by week", axis + columns.join(""));
}

/** A bar a row, the longest as wide as there is room. */
export function countBars(title: string, kind: Share["kind"], rows: readonly (readonly [string, number])[]): string {
  const height = 24;
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const bars = rows.map(([label, count], index) => {
    const top = index * height;
    const width = Math.max(2, (count / most) * BAR);
    return (
      text(0, top + 16, shortened(label)) +
      rect({ x: LABEL, y: top + 4, width, height: 16 }, kind, `${label}: ${count}`) +
      text(LABEL + width + 8, top + 16, String(count), "start", "soft")
    );
  });
  return svg(rows.length * height, title, bars.join(""));
}

/** Two bars a row: how often a mode came before it was taught, and after. */
export function effectBars(
  title: string,
  rows: readonly { readonly label: string; readonly before: CallRate; readonly after: CallRate }[],
): string {
  const height = 40;
  const most = Math.max(0.001, ...rows.flatMap(({ before, after }) => [rateOf(before), rateOf(after)]));
  const bars = rows.map(({ label, before, after }, index) => {
    const top = index * height;
    const line = (rate: CallRate, kind: "before" | "after", y: number) => {
      const width = Math.max(2, (rateOf(rate) / most) * BAR);
      const figures = rate.calls === 0 ? "no calls yet" : `${percent(rate.firings, rate.calls)} of ${rate.calls}`;
      return (
        rect({ x: LABEL, y, width, height: 12 }, kind, `${label}, ${kind}: ${figures}`) +
        text(LABEL + width + 8, y + 10, figures, "start", "soft")
      );
    };
    return text(0, top + 22, shortened(label)) + line(before, "before", top + 4) + line(after, "after", top + 19);
  });
  return svg(rows.length * height, title, bars.join(""));
}

function svg(height: number, title: string, content: string): string {
  const label = htmlText(title);
  return `<div class="chart"><svg viewBox="0 0 ${WIDTH} ${Math.max(1, Math.round(height))}" role="img" aria-label="${label}">${content}</svg></div>`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function rect(box: Box, kind: string, title: string): string {
  const { x, y, width, height } = box;
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"`;
  return `<rect class="${kind}" ${place} rx="3"><title>${htmlText(title)}</title></rect>`;
}

function text(x: number, y: number, content: string, anchor = "start", kind = ""): string {
  const look = `text-anchor="${anchor}"${kind === "" ? "" : ` class="${kind}"`}`;
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${look}>${htmlText(content)}</text>`;
}

function shortened(label: string): string {
  return label.length > 28 ? `…${label.slice(-27)}` : label;
}
