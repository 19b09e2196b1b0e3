// npm run bench:gate: fails when a call that was right got slower, a repair stopped being cheap, or pi starts late. Every limit
// is a ratio, or for the start a difference, measured in one run, interleaved; each gate passes on the best of three attempts, so that load on the machine cannot
// fail it, while a real regression fails all three.

import { apart } from "../packages/ai/bench/apart.mjs";

const ATTEMPTS = 3;
const TOOLS = ["read", "bash", "edit"];

/** `measure` gives one number; `within` says whether it is good enough; `better` picks the better of two. */
const GATES = [
  ...TOOLS.flatMap((name) =>
    ["plain", "hinted"].map((kind) => ({
      name: `clean ${name} (${kind}) over a cached bare check`,
      limit: "<= 1.15",
      measure: () => apart("./clean-path.mjs", "cleanPathRatios", name, kind).mendOverBare,
      within: (ratio) => ratio <= 1.15,
    })),
  ),
  ...TOOLS.map((name) => ({
    name: `stock validateToolArguments over clean ${name}`,
    limit: ">= 15",
    measure: () => apart("./clean-path.mjs", "cleanPathRatios", name, "plain").stockOverMend,
    within: (ratio) => ratio >= 15,
  })),
  {
    name: "clean 200 kB write over a small one",
    limit: "<= 1.2",
    measure: () => apart("./clean-path.mjs", "sizeRatio"),
    within: (ratio) => ratio <= 1.2,
  },
  {
    name: "heap growth of 1,000,000 clean calls, bytes",
    limit: "<= 65536",
    measure: () => apart("./clean-path.mjs", "heapGrowth"),
    within: (bytes) => bytes <= 65_536,
  },
  {
    name: "one repair over a bare check",
    limit: "<= 100",
    measure: () => apart("./repair-cost.mjs", "repairCost").repairOverBare,
    within: (ratio) => ratio <= 100,
  },
  {
    name: "1,000 errors over 100 errors",
    limit: "<= 13",
    measure: () => apart("./repair-cost.mjs", "errorGrowth"),
    within: (ratio) => ratio <= 13,
  },
  ...readerGates(),
  {
    name: "markup scan of ordinary text and code over a plain indexOf pass",
    limit: "<= 73",
    measure: () => Math.max(...Object.values(apart("./markup-scan.mjs", "markupScanRatios").ordinary)),
    within: (ratio) => ratio <= 73,
  },
  {
    name: "markup scan of hostile text, four times the size over once",
    limit: "<= 11",
    measure: () => Math.max(...Object.values(apart("./markup-scan.mjs", "markupScanRatios").hostile)),
    within: (ratio) => ratio <= 11,
  },
  {
    name: "guarded stream over an unguarded one, 1 MB of arguments",
    limit: "<= 1.03",
    measure: () => apart("./stream-guard.mjs", "streamGuardOverhead").overhead,
    within: (ratio) => ratio <= 1.03,
  },
  {
    name: "stream guard per delta, second half over the first",
    limit: "<= 1.5",
    measure: () => apart("./stream-guard.mjs", "streamGuardFlatness"),
    within: (ratio) => ratio <= 1.5,
  },
  loopGate("one a turn", 1),
  loopGate("ten a turn", 10),
  {
    name: "replay of sessions over parsing their lines",
    limit: "<= 6",
    measure: () => apart("../../coding-agent/bench/replay.mjs", "replayOverParse"),
    within: (ratio) => ratio <= 6,
  },
  {
    name: "pi session of 200 right calls with the package over one without, processor time",
    limit: "<= 1.05",
    measure: () => apart("../../coding-agent/bench/clean-session.mjs", "cleanSession", 3).overhead,
    within: (ratio) => ratio <= 1.05,
  },
  {
    // The smaller of the two: on a busy machine the clock counts what others do, and what is really slower is so in both.
    name: "pi's start with the package over one without, ms on the clock or of the processor",
    limit: "<= 40",
    measure: () => {
      const { clock, processor } = apart("../../coding-agent/bench/start-up.mjs", "startUp");
      return Math.min(clock.difference, processor.difference);
    },
    within: (ms) => ms <= 40,
  },
];

/** The smaller of two figures: the collector falls into some runs and not into others, and what is really slower is so in both. */
function loopGate(share, callsATurn) {
  return {
    name: `decorated agent loop over upstream's, 1,000 clean calls, ${share}: the whole run, or its median turn`,
    limit: "<= 1.02",
    measure: () => {
      const { overhead, turn } = apart("../../agent/bench/loop-overhead.mjs", "loopOverhead", callsATurn);
      return Math.min(overhead, turn);
    },
    within: (ratio) => ratio <= 1.02,
  };
}

/** The lenient reader against JSON.parse on valid text, and against jsonrepair on valid and broken text: the worst case. */
function readerGates() {
  const worst = (group) => () => Math.max(...Object.values(apart("./reader.mjs", "readerRatios")[group]));
  const gate = (name, group, most) => ({
    name: `reader: ${name}`,
    limit: `<= ${most}`,
    measure: worst(group),
    within: (ratio) => ratio <= most,
  });
  return [
    gate("valid text over JSON.parse", "validOverParse", 4),
    gate("valid text over jsonrepair", "validOverRepair", 1),
    gate("broken text over jsonrepair", "brokenOverRepair", 1),
  ];
}

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
