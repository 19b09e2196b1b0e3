// One writer at a time for one file, across processes: a lock file beside it, made only where there is none.
// A lock that its owner left behind is broken after a few seconds. Never throws for what the disk does.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { removeDrafts } from "./atomic-file.ts";

const LOCK = ".lock";
/** A lock this old belongs to nobody: what is done under it takes milliseconds. */
const STALE_MS = 5_000;
/** How long a writer waits for its turn, unless told otherwise; longer than a stale lock lives. */
const WAIT_MS = 10_000;

/** How patient a writer is while others hold the lock. */
export interface Waiting {
  readonly ms?: number;
  /** Once it is aborted, a lock that is not free is given up. */
  readonly signal?: AbortSignal;
}

const [PAUSE_MS, MAX_PAUSE_MS] = [1, 20];
/** How often the folder is made again because somebody keeps removing it. */
const MAX_FOLDERS = 3;

/** `busy`: others held the lock all the time. `unwritable`: the disk is full, read-only or no place to write to. */
export type StoreFault = "busy" | "unwritable";

export type StoreResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: StoreFault };

/** The lock while it is held. */
export interface HeldLock {
  /** False where the holder was away so long that somebody else took the lock. Asked right before a write counts. */
  readonly isMine: () => Promise<boolean>;
}

/**
 * Runs `work` while holding the lock of `path`.
 *
 * @returns what `work` returned; a fault where the lock was not to be had or `work` threw
 */
export async function withFileLock<T>(
  path: string,
  work: (lock: HeldLock) => Promise<T>,
  waiting: Waiting = {},
): Promise<StoreResult<T>> {
  const lockPath = `${path}${LOCK}`;
  const token = randomUUID();
  const fault = await acquire(lockPath, token, waiting);
  if (fault !== undefined) return { ok: false, fault };
  const isMine = async () => (await textOf(lockPath)) === token;
  try {
    return { ok: true, value: await work({ isMine }) };
  } catch {
    return { ok: false, fault: "unwritable" };
  } finally {
    if (await isMine()) await rm(lockPath, { force: true }).catch(ignore);
  }
}

async function acquire(
  lockPath: string,
  token: string,
  { ms = WAIT_MS, signal }: Waiting,
): Promise<StoreFault | undefined> {
  const deadline = performance.now() + ms;
  let pause = PAUSE_MS;
  let folders = 0;
  for (;;) {
    const made = await create(lockPath, token);
    if (made === "made") return undefined;
    if (made === "refused") return "unwritable";
    if (made === "no-folder") {
      if (++folders > MAX_FOLDERS || !(await createFolder(dirname(lockPath)))) return "unwritable";
      continue;
    }
    if (await isStale(lockPath)) await breakLock(lockPath);
    else if (signal?.aborted || performance.now() >= deadline) return "busy";
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

async function create(path: string, text: string): Promise<"made" | "exists" | "no-folder" | "refused"> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return "made";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return "exists";
    if (code === "ENOENT") return "no-folder";
    // A lock that could be made but not written, as on a full disk, must not stay.
    if (code === "ENOSPC" || code === "EDQUOT") await rm(path, { force: true }).catch(ignore);
    return "refused";
  }
}

async function createFolder(path: string): Promise<boolean> {
  return mkdir(path, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
}

async function isStale(path: string): Promise<boolean> {
  try {
    // A clock that was set back makes an old lock one of the future.
    return Math.abs(Date.now() - (await stat(path)).mtimeMs) > STALE_MS;
  } catch {
    return false;
  }
}

/** Removes a stale lock. Under a lock of its own, so that two who saw it stale do not remove a new one between them. */
async function breakLock(lockPath: string): Promise<void> {
  const guard = `${lockPath}.break`;
  if ((await create(guard, "")) !== "made") {
    if (await isStale(guard)) await rm(guard, { force: true }).catch(ignore);
    return;
  }
  if (await isStale(lockPath)) {
    // Its owner was killed, perhaps between writing a draft and renaming it.
    await removeDrafts(lockPath.slice(0, -LOCK.length));
    await rm(lockPath, { force: true }).catch(ignore);
  }
  await rm(guard, { force: true }).catch(ignore);
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function ignore(): void {}
