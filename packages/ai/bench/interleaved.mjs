// Compares functions in one run: rounds of each in turn, the median of every round's median, so that load on the machine
// hits all of them alike. Times are only ever used as ratios.

import { Bench } from "tinybench";

/**
 * @param {Record<string, () => unknown>} tasks name → synchronous function
 * @param {{rounds?: number, time?: number}} [options] rounds, and milliseconds a task and round
 * @returns {Record<string, number>} name → median milliseconds a run
 */
export function interleavedMedians(tasks, { rounds = 9, time = 40 } = {}) {
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Every other round runs backwards: no task is always the first after a pause.
    const names = round % 2 === 0 ? Object.keys(tasks) : Object.keys(tasks).reverse();
    for (const name of names) {
      const bench = new Bench({ time, iterations: 4, warmup: round === 0, warmupTime: 60, throws: true });
      bench.add(name, tasks[name], { async: false });
      bench.runSync();
      samples[name].push(bench.getTask(name).result.latency.p50);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, median(list)]));
}

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
