// Health as text for a terminal: a line for each model, then what is behind it. Pure; plain text without colours.
import type { CallRate, ProtocolVerdict } from "../adaptation/adaptation.schema.ts";
import { rateOf } from "../adaptation/learn.ts";
import type { Health, ModelHealth } from "./health.ts";
import { faultSparkline } from "./weekly-counts.ts";

const MAX_MODES = 6;

export function healthTable(health: Health): string {
  if (health.models.length === 0) return "No calls were counted yet.";
  const rows = [["model", "calls", "clean", "repaired", "bounced", "refused", "saved"], ...health.models.map(row)];
  const lines = [...aligned(rows), ""];
  for (const model of health.models) lines.push(...details(model), "");
  if (health.deadRepairs.length > 0) lines.push(`No firing for 30 days: ${someOf(health.deadRepairs)}`);
  for (const { model, mode } of health.deadNotes) lines.push(`The note for ${mode} does not reach ${model}.`);
  return lines.join("\n").trimEnd();
}

/** A share as people read it. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

export function callsText(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}

export function day(at: number): string {
  const date = new Date(at);
  // A file may say any time.
  return Number.isNaN(date.getTime()) ? "–" : date.toISOString().slice(0, 10);
}

/** How a model takes tool calls, when that was measured and what it cost. */
export function protocolText(protocol: ProtocolVerdict | undefined): string {
  if (protocol === undefined) return "not measured";
  const { verdict, at, cost } = protocol;
  return `${protocolWords(verdict)}, measured ${day(at)}: ${costText(cost)}`;
}

export function protocolWords(verdict: string): string {
  if (verdict === "native") return "native calls";
  if (verdict === "none") return "neither native calls nor calls as text";
  return verdict.startsWith("text:") ? `calls as text (${verdict.slice(5)})` : verdict;
}

export function costText({ requests, input, output, usd }: ProtocolVerdict["cost"]): string {
  const price = usd > 0 ? `, $${usd.toPrecision(2)}` : "";
  return `${requests} request${requests === 1 ? "" : "s"}, ${input} + ${output} tokens${price}`;
}

export function beforeAfter(before: CallRate, after: CallRate): string {
  const then = `${percent(before.firings, before.calls)} of ${callsText(before.calls)} before`;
  return `${then}, ${percent(after.firings, after.calls)} of ${after.calls} after${verdict(before, after)}`;
}

function verdict(before: CallRate, after: CallRate): string {
  if (after.calls === 0) return "";
  const change = rateOf(after) - rateOf(before);
  return change < 0 ? " (falls)" : change > 0 ? " (rises)" : " (no change)";
}

function row(model: ModelHealth): string[] {
  const { calls, clean, repaired, bounced, refused, roundTripsSaved } = model;
  const shares = [clean, repaired, bounced, refused].map((count) => percent(count, calls));
  return [model.model, String(calls), ...shares, String(roundTripsSaved)];
}

function details(model: ModelHealth): string[] {
  const entries: [string, string][] = [["faults a week", faultSparkline(model.weeks)]];
  if (model.repairedBy.length > 0) entries.push(["repaired", modes(model.repairedBy)]);
  if (model.bouncedBy.length > 0) entries.push(["not run", modes(model.bouncedBy)]);
  if (model.repaired > 0) entries.push(["ran well", `${model.ranWell} of ${model.executedRepaired} repaired calls`]);
  if (model.escalations > 0) entries.push(["escalations", String(model.escalations)]);
  if (model.leakedBy.length > 0) {
    const done = Object.entries(model.leaks).map(([action, count]) => `${count} ${action}`);
    entries.push(["calls in text", `${done.join(", ")} (${modes(model.leakedBy)})`]);
  }
  const { nested } = model;
  if (nested.calls > 0) entries.push(["made by tools", `${callsText(nested.calls)}, ${nested.errors} failed`]);
  for (const { mode, before, after } of model.notes) entries.push(["note", `${mode}: ${beforeAfter(before, after)}`]);
  for (const { mode, since, before, after } of model.rules) {
    entries.push(["rule", `${mode} since ${day(since)}: ${beforeAfter(before, after)}`]);
  }
  if (model.forgotten.length > 0) entries.push(["forgotten", model.forgotten.join(", ")]);
  entries.push(["protocol", protocolText(model.protocol)]);
  return [model.model, ...entries.map(([name, text]) => `  ${name.padEnd(14)} ${text}`)];
}

function modes(counts: readonly (readonly [string, number])[]): string {
  return someOf(counts.map(([mode, count]) => `${mode} ${count}`));
}

function someOf(texts: readonly string[]): string {
  const more = texts.length - MAX_MODES;
  return texts.slice(0, MAX_MODES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Columns of equal width, the first to the left, numbers to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? "").length)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
}
