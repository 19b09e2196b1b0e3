// `npm run fuzz -- --cases N --seed S`: generated calls, texts, streams and doors over all cores, in batches that can be run again
// by their seed. Prints counts and every failure with its seed and shrunk input; exits with 1 when there was one. A batch
// that does not end is a failure too. Never changes the sources.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const BATCH = 200;
/** Seconds after which a batch counts as one that hangs. It takes well under one, and a minute when it shrinks a failure. */
const HANGS_AFTER = 180;
const MAX_FAILURES = 20;

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    threads: { type: "string", default: String(availableParallelism()) },
  },
});
const cases = count("cases");
const seed = count("seed");
const threads = count("threads");
const worker = new URL("../packages/coding-agent/test/fuzz/fuzz-worker.ts", import.meta.url);

function count(name) {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0) {
    console.error(`--${name} takes a whole number`);
    process.exit(2);
  }
  return number;
}

const counts = new Map();
const failures = [];
const total = Math.ceil(cases / BATCH);
const started = Date.now();
let next = 0;
let done = 0;

function take() {
  if (next >= total || failures.length >= MAX_FAILURES) return undefined;
  const batch = { seed: seed + next, cases: Math.min(BATCH, cases - next * BATCH) };
  next += 1;
  return batch;
}

function record(report) {
  done += 1;
  for (const [name, number] of Object.entries(report.counts)) counts.set(name, (counts.get(name) ?? 0) + number);
  for (const failure of report.failures) {
    failures.push(failure);
    console.error(
      `\n${failure.kind} fails at seed ${failure.seed}, path ${failure.path}\n${failure.error}\ninput: ${failure.input}`,
    );
    console.error(`again: npm run fuzz -- --cases ${BATCH} --seed ${failure.seed}`);
  }
  if (done % Math.ceil(total / 20) === 0) {
    console.log(`${done * BATCH} cases, ${failures.length} failures, ${Math.round((Date.now() - started) / 1000)} s`);
  }
}

function runThread() {
  return new Promise((resolve) => {
    const thread = new Worker(worker);
    let watch;
    const give = (batch) => {
      if (batch === undefined) {
        resolve();
        void thread.terminate();
        return;
      }
      watch = setTimeout(() => {
        record({
          counts: {},
          failures: [{ kind: "hang", seed: batch.seed, path: "", input: "", error: `no end in ${HANGS_AFTER} s` }],
        });
        void thread.terminate().then(() => runThread().then(resolve));
      }, HANGS_AFTER * 1000);
      thread.postMessage(batch);
    };
    thread.on("message", (report) => {
      clearTimeout(watch);
      record(report);
      give(take());
    });
    thread.on("error", (error) => {
      clearTimeout(watch);
      record({
        counts: {},
        failures: [{ kind: "crash", seed, path: "", input: "", error: String(error?.stack ?? error) }],
      });
      void runThread().then(resolve);
    });
    give(take());
  });
}

await Promise.all(Array.from({ length: threads }, runThread));

const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
const ran = sorted.filter(([name]) => !name.includes(".")).reduce((sum, [, number]) => sum + number, 0);
for (const [name, number] of sorted) console.log(`${name.padEnd(16)} ${number}`);
console.log(
  `${ran} cases from seed ${seed} in ${Math.round((Date.now() - started) / 1000)} s, ${failures.length} failures`,
);
process.exitCode = failures.length > 0 || ran < cases ? 1 : 0;
