// The fuzz of both doors in every change, from a fixed seed; `npm run fuzz` runs more, and the core's cases with them.

import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDoor, doorCase } from "./door-case.ts";

test("2,000 generated messages keep every invariant at both doors", { timeout: 120_000 }, () => {
  const counts: Record<string, number> = { unchanged: 0, mended: 0, refused: 0 };
  const property = fc.property(doorCase, (drawn) => {
    counts[checkDoor(drawn)]! += 1;
  });
  fc.assert(property, { seed: 20261130, numRuns: 2_000 });
  for (const [outcome, count] of Object.entries(counts)) expect(count, outcome).toBeGreaterThan(100);
});
