// The fuzz of every change: 2,000 cases from a fixed seed. `npm run fuzz` runs more.

import { expect, test } from "vitest";
import { BATCH, runBatch } from "./run-fuzz.ts";

const SEED = 20261130;

test("2,000 generated calls, texts and streams keep every invariant", { timeout: 120_000 }, async () => {
  const counts: Record<string, number> = {};
  for (let batch = 0; batch < 2_000 / BATCH; batch++) {
    const report = await runBatch(SEED + batch);
    expect(report.failures).toEqual([]);
    for (const [name, count] of Object.entries(report.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  expect(counts["call"]! + counts["text"]! + counts["leak"]! + counts["stream"]!).toBe(2_000);
  // A fuzz that reaches only one outcome checks nothing.
  for (const outcome of [
    "call.clean",
    "call.repaired",
    "call.undone",
    "call.bounced",
    "text.read",
    "text.refused",
    "leak.calls",
  ]) {
    expect(counts[outcome], outcome).toBeGreaterThan(50);
  }
});
