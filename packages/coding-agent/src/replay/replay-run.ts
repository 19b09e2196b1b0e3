// Runs a replay over many files: in this thread where there is little to read, else in workers, a file each. Ends early when
// it is asked to; what was read by then counts.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type CountOptions, TurnCounter } from "./count-turns.ts";
import { addGroups, type FailureGroup } from "./failure-groups.ts";
import { addRow, type FixtureRow } from "./fixture-rows.ts";
import type { InputFile } from "./input-files.ts";
import { type Found, foundBy, replayFile } from "./replay-file.ts";
import type { WorkerStart, WorkerTask } from "./replay-worker.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";

export interface RunOptions extends CountOptions {
  readonly files: readonly InputFile[];
  /** Threads; by default what the machine has, up to four, and one where there is little to read. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes were read so far. */
  readonly progress?: ((bytes: number) => void) | undefined;
}

export interface ReplayFound {
  readonly tally: Tally;
  readonly groups: readonly FailureGroup[];
  readonly rows: ReadonlyMap<string, readonly FixtureRow[]>;
  readonly isStopped: boolean;
}

/** Bytes below which starting a thread costs more than it saves. */
const WORTH_A_THREAD = 32 * 1024 * 1024;
const MOST_THREADS = 4;
/** A thread keeps a line and counts; the bound makes it collect garbage early. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 };

export async function runReplay(options: RunOptions): Promise<ReplayFound> {
  const { files, signal } = options;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const worth = total < WORTH_A_THREAD ? 1 : Math.min(availableParallelism(), MOST_THREADS);
  const threads = Math.min(options.threads ?? worth, files.length);
  const found = threads > 1 ? await inWorkers(options, threads) : [await inThisThread(options)];
  const all = { tally: emptyTally(), groups: new Map<string, FailureGroup>(), rows: new Map<string, FixtureRow[]>() };
  for (const { tally, groups, rows } of found) {
    addTally(all.tally, tally);
    addGroups(all.groups, groups);
    for (const [folder, list] of rows) for (const row of list) addRow(all.rows, folder, row);
  }
  return { ...all, groups: [...all.groups.values()], isStopped: signal?.aborted === true };
}

async function inThisThread({ files, signal, progress, ...options }: RunOptions): Promise<Found> {
  const counter = new TurnCounter(options);
  let read = 0;
  for (const file of files) {
    if (signal?.aborted) break;
    await replayFile(file, counter, (bytes) => {
      read += bytes;
      progress?.(read);
      return signal?.aborted === true;
    });
  }
  return foundBy(counter);
}

async function inWorkers({ files, signal, progress, ...options }: RunOptions, threads: number): Promise<Found[]> {
  const { since, model, tool, fixtures, showValues } = options;
  const stopped = new SharedArrayBuffer(4);
  const start: WorkerStart = { options: { since, model, tool, fixtures, showValues }, stopped };
  const stop = () => void Atomics.store(new Int32Array(stopped), 0, 1);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const waiting = [...files];
  let read = 0;
  const next = () => (signal?.aborted ? undefined : waiting.shift());
  const said = (bytes: number) => {
    read += bytes;
    progress?.(read);
  };
  try {
    const workers = Array.from({ length: threads }, () => oneWorker(start, next, said));
    return (await Promise.all(workers)).flat();
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** One thread's work. A thread that dies takes its counts along: its files are counted as unreadable. */
function oneWorker(
  start: WorkerStart,
  next: () => InputFile | undefined,
  said: (bytes: number) => void,
): Promise<Found> {
  return new Promise((resolve) => {
    const worker = new Worker(workerFile(), { workerData: start, resourceLimits: LIMITS, execArgv: [] });
    let files = 0;
    let found: Found | undefined;
    const give = () => {
      const file = next();
      if (file !== undefined) files++;
      worker.postMessage({ file } satisfies WorkerTask);
    };
    worker.on("message", (message: { bytes?: number; isDone?: true; found?: Found }) => {
      if (message.bytes !== undefined) said(message.bytes);
      if (message.found !== undefined) found = message.found;
      if (message.isDone) give();
    });
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      const lost = emptyTally();
      Object.assign(lost.input, { files, unreadable: files });
      resolve(found ?? { tally: lost, groups: [], rows: new Map() });
    });
    give();
  });
}

/** The worker beside this file: a source file, or in the package a built one. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./replay-worker.ts" : "./replay-worker.js", import.meta.url);
}
