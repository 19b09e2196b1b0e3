// Calls of one model by week, and the row of blocks that shows them in a terminal. Pure.
import type { TelemetryRecord } from "../telemetry/telemetry.schema.ts";

export interface WeekCounts {
  /** Start of the week, in milliseconds since 1970. Weeks end now. */
  readonly start: number;
  readonly calls: number;
  readonly clean: number;
  readonly repaired: number;
  /** Bounced and refused. */
  readonly bounced: number;
}

export const WEEKS = 12;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const BLOCKS = "▁▂▃▄▅▆▇█";

/** The last twelve weeks, oldest first, weeks without calls included. */
export function weeklyCounts(records: readonly TelemetryRecord[], now: number): readonly WeekCounts[] {
  const weeks = Array.from({ length: WEEKS }, (_, age) => ({
    start: now - (WEEKS - age) * WEEK_MS,
    calls: 0,
    clean: 0,
    repaired: 0,
    bounced: 0,
  }));
  for (const record of records) {
    const week = weeks[WEEKS - 1 - Math.floor((now - record.at) / WEEK_MS)];
    if (week === undefined || (record.kind !== "call" && record.kind !== "clean")) continue;
    const calls = record.kind === "clean" ? record.calls : 1;
    week.calls += calls;
    if (record.kind === "clean") week.clean += calls;
    else if (record.outcome === "repaired") week.repaired++;
    else week.bounced++;
  }
  return weeks;
}

/** The share of calls that were not clean, a block a week, as high as the worst week; a dot where there was no call. */
export function faultSparkline(weeks: readonly WeekCounts[]): string {
  const shares = weeks.map(({ calls, clean }) => (calls === 0 ? undefined : 1 - clean / calls));
  const worst = Math.max(...shares.map((share) => share ?? 0));
  return shares.map((share) => (share === undefined ? "·" : blockOf(share, worst))).join("");
}

function blockOf(share: number, worst: number): string {
  return BLOCKS[worst === 0 ? 0 : Math.round((share / worst) * (BLOCKS.length - 1))]!;
}
