// A replay's report as comma-separated values, for spreadsheets. Pure.
import { VERDICTS } from "./judge-call.ts";
import type { ReplayReport } from "./replay-report.ts";

/** A row a model and mode; the mode is empty in a model's own row, which alone holds what its turns cost. */
export function replayCsv({ models }: ReplayReport): string {
  const costs = ["turns", "tokens", "seconds", "dollars"] as const;
  const kinds = ["lost", "saved"] as const;
  const head = ["model", "mode", "calls", ...VERDICTS, "printed"];
  const rows: (string | number)[][] = [[...head, ...kinds.flatMap((kind) => costs.map((cost) => `${kind}_${cost}`))]];
  for (const model of models) {
    const figures = kinds.flatMap((kind) => costs.map((cost) => model[kind][cost]));
    rows.push([model.model, "", model.calls, ...VERDICTS.map((one) => model.verdicts[one]), model.printed, ...figures]);
    for (const { mode, verdicts } of model.modes) {
      const counts = VERDICTS.map((one) => verdicts[one]);
      const calls = counts.reduce((sum, count) => sum + count, 0);
      rows.push([model.model, mode, calls, ...counts, ...Array(1 + figures.length).fill("")]);
    }
  }
  return rows.map((row) => `${row.map(csvCell).join(",")}\n`).join("");
}

/** Quoted where it has to be; a text that a spreadsheet would run as a formula does not begin with its sign. */
function csvCell(cell: string | number): string {
  const text = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
