// Loads the part of the package that pi's start has no use for, a moment after the start, and at the latest when a hook
// needs it. The module system keeps it: whoever asks later gets the same one. Never loaded twice.

import { attempt, attemptLater } from "./attempt.ts";

export type LatePart = typeof import("./late-part.ts");

/** Long enough for pi to have drawn its first screen or sent its first request. */
const AFTER_START_MS = 200;

let part: LatePart | undefined;

/** The late part. Rejects only when the package's files are gone. */
export async function latePart(): Promise<LatePart> {
  part ??= await import("./late-part.ts");
  return part;
}

/** The late part where it has loaded, for hooks that cannot wait. */
export function latePartIfLoaded(): LatePart | undefined {
  return part;
}

/**
 * Runs a hook with the late part: at once where it has loaded, as for nearly every call, so that a hook that has nothing to do
 * makes no promise.
 *
 * @returns what `run` returned, `undefined` when it threw
 */
export function withLatePart<R>(run: (part: LatePart) => R): R | undefined | Promise<R | undefined> {
  const loaded = part;
  if (loaded === undefined) return attemptLater(async () => run(await latePart()));
  return attempt(() => run(loaded));
}

/** Loads it while pi waits for the user or for a model; keeps no process alive. */
export function loadLatePartSoon(): void {
  if (part === undefined) setTimeout(() => void latePart().catch(() => undefined), AFTER_START_MS).unref();
}
