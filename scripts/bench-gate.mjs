// npm run bench:gate: fails when a call that was right got slower, or a repair stopped being cheap. Every limit is a ratio
// measured in one run, interleaved; each gate passes on the best of three attempts, so that load on the machine cannot
// fail it, while a real regression fails all three.

import { cleanPathRatiosApart, heapGrowth, sizeRatio } from "../packages/ai/bench/clean-path.mjs";
import { errorGrowth, repairCost } from "../packages/ai/bench/repair-cost.mjs";

const ATTEMPTS = 3;
const TOOLS = ["read", "bash", "edit"];

/** `measure` gives one number; `within` says whether it is good enough; `better` picks the better of two. */
const GATES = [
  ...TOOLS.flatMap((name) =>
    ["plain", "hinted"].map((kind) => ({
      name: `clean ${name} (${kind}) over a cached bare check`,
      limit: "<= 1.15",
      measure: () => cleanPathRatiosApart(name, kind).mendOverBare,
      within: (ratio) => ratio <= 1.15,
    })),
  ),
  ...TOOLS.map((name) => ({
    name: `stock validateToolArguments over clean ${name}`,
    limit: ">= 15",
    measure: () => cleanPathRatiosApart(name, "plain").stockOverMend,
    within: (ratio) => ratio >= 15,
  })),
  { name: "clean 200 kB write over a small one", limit: "<= 1.2", measure: sizeRatio, within: (ratio) => ratio <= 1.2 },
  {
    name: "heap growth of 1,000,000 clean calls, bytes",
    limit: "<= 65536",
    measure: heapGrowth,
    within: (bytes) => bytes <= 65_536,
  },
  {
    name: "one repair over a bare check",
    limit: "<= 100",
    measure: () => repairCost().repairOverBare,
    within: (ratio) => ratio <= 100,
  },
  { name: "1,000 errors over 100 errors", limit: "<= 13", measure: errorGrowth, within: (ratio) => ratio <= 13 },
];

let failed = 0;
for (const { name, limit, measure, within } of GATES) {
  const values = [];
  do values.push(measure());
  while (values.length < ATTEMPTS && !within(values.at(-1)));
  const passed = within(values.at(-1));
  if (!passed) failed++;
  console.log(
    `${passed ? "ok  " : "FAIL"} ${name}: ${values.map((value) => value.toFixed(3)).join(", ")} (limit ${limit})`,
  );
}
console.log(`${GATES.length - failed} gates passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
