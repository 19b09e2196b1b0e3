// The report's charts as inline SVG. Pure. Each has a title that says in words what it shows; colours come from the page.
import type { CallRate } from "../adaptation/adaptation.schema.ts";
import { rateOf } from "../adaptation/learn.ts";
import { callsText, day, percent } from "../health/health-table.ts";
import { htmlText } from "./html-text.ts";

const WIDTH = 840;
const LABEL = 200;
const FIGURES = 170;
const BAR = WIDTH - LABEL - FIGURES;

export interface Share {
  /** The colour. */
  readonly kind: "clean" | "repaired" | "bounced" | "refused" | "other";
  /** What the part is called, where that is not its colour's name. */
  readonly name?: string;
  readonly count: number;
}

/** One bar a row, as long as the whole, in parts. */
export function shareBars(
  rows: readonly { readonly label: string; readonly shares: readonly Share[] }[],
  title = "Outcomes of calls by model",
): string {
  const height = 30;
  const bars = rows.map(({ label, shares }, index) => {
    const total = shares.reduce((sum, { count }) => sum + count, 0);
    const top = index * height;
    let left = LABEL;
    const parts = shares.map(({ kind, name = kind, count }) => {
      const width = total === 0 ? 0 : (count / total) * BAR;
      const part = rect({ x: left, y: top + 5, width: Math.max(0, width - 2), height: 18 }, kind, `${name}: ${count}`);
      left += width;
      return width === 0 ? "" : part;
    });
    const clean = shares.find(({ kind }) => kind === "clean")?.count ?? 0;
    const figures = text(WIDTH, top + 19, `${callsText(total)}, ${percent(clean, total)} clean`, "end", "soft");
    return text(0, top + 19, shortened(label)) + parts.join("") + figures;
  });
  return svg(rows.length * height, title, bars.join(""));
}

/** A week's calls, and those of them that the column is made of, from the bottom. */
export interface WeekColumn {
  readonly start: number;
  readonly calls: number;
  readonly parts: readonly Share[];
}

/** A column a week: its parts as a share of the week's calls. Weeks of one or two calls are as high as the others. */
export function weekColumns(
  weeks: readonly WeekColumn[],
  title = "Share of calls that were not clean, by week",
): string {
  const [height, base, step] = [150, 120, WIDTH / Math.max(1, weeks.length)];
  const sumOf = ({ parts }: WeekColumn) => parts.reduce((sum, { count }) => sum + count, 0);
  const worst = Math.max(...weeks.map((week) => (week.calls === 0 ? 0 : sumOf(week) / week.calls)), 0.01);
  // As many dates and figures as there is room for.
  const every = Math.ceil(80 / step);
  const columns = weeks.map((week, index) => {
    const { start, calls, parts } = week;
    const [x, width] = [index * step + Math.min(4, step / 8), step - Math.min(8, step / 4)];
    const counts = parts.map(({ kind, name = kind, count }) => `${count} ${name}`).join(", ");
    const about = `${day(start)}: ${callsText(calls)}, ${counts}`;
    let top = base;
    const drawn = parts.map(({ kind, count }) => {
      const high = calls === 0 ? 0 : (count / calls / worst) * (base - 20);
      if (high === 0) return "";
      top -= high + (top === base ? 0 : 1);
      return rect({ x, y: top, width, height: high }, kind, about);
    });
    const fits = calls > 0 && step >= 40;
    const share = fits ? text(x + width / 2, top - 6, percent(sumOf(week), calls), "middle") : "";
    const label = index % every === 0 ? text(x, height - 10, day(start), "start", "soft") : "";
    return drawn.join("") + share + label;
  });
  const axis = `<line class="axis" x1="0" y1="${base}" x2="${WIDTH}" y2="${base}"/>`;
  return svg(height, title, axis + columns.join(""));
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
