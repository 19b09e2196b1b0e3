// The thread that replays files: takes one file after another, sends what it read so far, and at the end what it found.
import { parentPort, workerData } from "node:worker_threads";
import { type CountOptions, TurnCounter } from "./count-turns.ts";
import type { InputFile } from "./input-files.ts";
import { foundBy, replayFile } from "./replay-file.ts";

export interface WorkerStart {
  readonly options: CountOptions;
  /** One number: other than 0 when the work is to end. Shared, so that a busy thread sees it. */
  readonly stopped: SharedArrayBuffer;
}

/** What the thread is told: a file, or that there is none left. */
export type WorkerTask = { readonly file: InputFile } | { readonly file: undefined };

const { options, stopped } = workerData as WorkerStart;
const flag = new Int32Array(stopped);
const counter = new TurnCounter(options);
const port = parentPort;
/** Bytes between two messages. */
const STEP = 8 * 1024 * 1024;

port?.on("message", async ({ file }: WorkerTask) => {
  if (file === undefined) {
    port.postMessage({ found: foundBy(counter) });
    port.close();
    return;
  }
  let unsaid = 0;
  await replayFile(file, counter, (bytes) => {
    unsaid += bytes;
    if (unsaid >= STEP) {
      port.postMessage({ bytes: unsaid });
      unsaid = 0;
    }
    return Atomics.load(flag, 0) !== 0;
  });
  port.postMessage({ bytes: unsaid, isDone: true });
});
