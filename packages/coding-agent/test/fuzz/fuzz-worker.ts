// One thread of `npm run fuzz`: takes batch seeds, sends reports. Runs only under scripts/fuzz.mjs.

import { parentPort } from "node:worker_threads";
import { runBatch } from "../../../ai/test/fuzz/run-fuzz.ts";
import { DOOR } from "./door-case.ts";

parentPort?.on("message", (batch: { seed: number; cases: number }) => {
  void runBatch(batch.seed, batch.cases, [DOOR]).then(
    (report) => parentPort?.postMessage(report),
    // A fault of the harness itself must be seen too.
    (error) =>
      parentPort?.postMessage({
        counts: {},
        failures: [{ kind: "harness", ...batch, path: "", input: "", error: String(error) }],
      }),
  );
});
