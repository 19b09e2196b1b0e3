// One value in one JSON file that many processes read and change. Reads never wait; changes are made one at a time.
// A file that holds something else is set aside, and the store starts empty. Never throws for what the disk does.
import { statSync } from "node:fs";
import type { SchemaCheck } from "../schema-check.ts";
import { replaceFile } from "./atomic-file.ts";
import { type StoreFault, type StoreResult, type Waiting, withFileLock } from "./file-lock.ts";
import { readText } from "./read-text.ts";
import { setAside } from "./set-aside.ts";

export interface JsonStoreOptions<T> {
  readonly path: string;
  readonly check: SchemaCheck<T>;
  /** What the store holds where there is no file. */
  readonly empty: () => T;
  readonly now: () => number;
  /** Whether a value that is not accepted is one of a later pi-mend: it is then left alone, neither read nor replaced. */
  readonly isNewer?: ((value: unknown) => boolean) | undefined;
  /** Hears about a file that was set aside, or that is a later version's. */
  readonly warn?: ((warning: string) => void) | undefined;
}

/** Files larger than this are not ours. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How often a change is made again because the lock was lost on the way. */
const ATTEMPTS = 3;

export class JsonStore<T> {
  readonly #options: JsonStoreOptions<T>;
  #cached: { readonly stamp: string; readonly value: T } | undefined;

  constructor(options: JsonStoreOptions<T>) {
    this.#options = options;
  }

  /** What the file holds; read again only where it changed. Not to be modified. */
  read(): T {
    const stamp = stampOf(this.#options.path);
    if (stamp !== undefined && stamp === this.#cached?.stamp) return this.#cached.value;
    const value = this.#load("to read");
    this.#cached = stamp === undefined ? undefined : { stamp, value };
    return value;
  }

  /**
   * Replaces the value by what `change` makes of it. Nothing that another process wrote in between is lost.
   *
   * @param change pure; asked again when the lock was lost. The value itself as an answer means that nothing is written
   * @returns the value that holds now
   */
  async update(change: (value: T) => T, waiting?: Waiting): Promise<StoreResult<T>> {
    let fault: StoreFault = "busy";
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const result = await withFileLock(this.#options.path, (lock) => this.#change(change, lock.isMine), waiting);
      if (result.ok && result.value !== undefined) return { ok: true, value: result.value.value };
      if (!result.ok) {
        fault = result.fault;
        break;
      }
    }
    return { ok: false, fault };
  }

  async #change(change: (value: T) => T, isMine: () => Promise<boolean>): Promise<{ value: T } | undefined> {
    const before = this.#load("to change");
    const after = change(before);
    if (after === before) return { value: before };
    const replaced = await replaceFile(this.#options.path, `${JSON.stringify(after, null, 1)}\n`, isMine);
    return replaced ? { value: after } : undefined;
  }

  #load(why: "to read" | "to change"): T {
    const { path, check, empty, now, warn, isNewer } = this.#options;
    const file = readText(path, MAX_BYTES);
    if (!file.ok && file.why !== "too-large") return empty();
    const value = file.ok ? parsed(file.text) : undefined;
    if (check.accepts(value)) return value;
    if (isNewer?.(value)) {
      if (why === "to change") throw new Error("written by a later version");
      warn?.(`${path} was written by a later pi-mend; it is left as it is, and nothing is read from it`);
      return empty();
    }
    const aside = setAside(path, now());
    warn?.(`${path} was not readable${aside === undefined ? "" : ` and is now ${aside}`}; starting without it`);
    return empty();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stampOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
