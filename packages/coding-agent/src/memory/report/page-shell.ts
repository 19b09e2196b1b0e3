// What every report is made of: one self-contained HTML page with figures on top, sections below and its data at the end.
// Pure. A page loads nothing and runs nothing.
import { htmlText, scriptJson } from "./html-text.ts";
import { REPORT_STYLE } from "./report-style.ts";

/** Nothing may be loaded, whatever a record holds. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export interface PageParts {
  readonly title: string;
  /** When the page was made, in milliseconds since 1970. */
  readonly at: number;
  /** What stands behind the time, as text. */
  readonly about?: string;
  /** Names and figures. */
  readonly tiles: readonly (readonly [name: string, figure: string])[];
  /** Sections, as HTML. */
  readonly content: string;
  readonly data: { readonly id: string; readonly value: unknown };
}

export function htmlPage({ title, at, about = "", tiles, content, data }: PageParts): string {
  const figures = tiles.map(
    ([name, figure]) => `<div><b>${htmlText(figure)}</b><span class="soft">${htmlText(name)}</span></div>`,
  );
  const time = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="${htmlText(POLICY)}"/>
<title>${htmlText(title)}</title>
<style>
${REPORT_STYLE}
</style>
</head>
<body>
<main>
<h1>${htmlText(title)}</h1>
<p class="soft">${htmlText([time, about].filter((part) => part !== "").join(" · "))}</p>
<div class="tiles">${figures.join("")}</div>
${content}
</main>
<script type="application/json" id="${data.id}">${scriptJson(data.value)}</script>
</body>
</html>
`;
}

/** The colours of a chart and what they mean. */
export function chartLegend(items: readonly { readonly kind: string; readonly name?: string }[]): string {
  const list = items.map(({ kind, name = kind }) => `<li><i class="${kind}"></i>${htmlText(name)}</li>`);
  return `<ul class="legend">${list.join("")}</ul>`;
}

/** @param numbers columns that hold numbers */
export function htmlTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: ReadonlySet<number> = new Set(),
): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell, column) => `<${tag}${numbers.has(column) ? ' class="n"' : ""}>${htmlText(cell)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
  return `<div class="wide"><table><thead><tr>${cells("th", head)}</tr></thead><tbody>${body}</tbody></table></div>`;
}
