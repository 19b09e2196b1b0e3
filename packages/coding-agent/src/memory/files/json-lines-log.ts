// Records appended to a file, one JSON line each, by many processes. Bounded: a full file becomes `name.1.jsonl`, that one
// `name.2.jsonl`, and what was there goes. A line that is no record is skipped and counted. Never throws for the disk.
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import type { SchemaCheck } from "../schema-check.ts";
import { type StoreResult, type Waiting, withFileLock } from "./file-lock.ts";
import { readText } from "./read-text.ts";
import { setAside } from "./set-aside.ts";

/** A file this many times as large as it may grow was not written by us. */
const TOO_LARGE = 8;

export interface JsonLinesOptions<T> {
  readonly path: string;
  readonly check: SchemaCheck<T>;
  /** Bytes after which the file is rotated. */
  readonly maxBytes: number;
  /** Older files kept beside the current one. */
  readonly olderFiles: number;
  /** Whether somebody named the path, and may have named a file of theirs: it is never moved for what it holds. */
  readonly isNamed?: boolean | undefined;
}

export interface ReadRecords<T> {
  /** Oldest first. */
  readonly records: readonly T[];
  /** Lines that hold no record. */
  readonly skipped: number;
  readonly warnings: readonly string[];
}

export class JsonLinesLog<T> {
  readonly #options: JsonLinesOptions<T>;

  constructor(options: JsonLinesOptions<T>) {
    this.#options = options;
  }

  /** Appends all records or none. */
  async append(records: readonly T[], waiting?: Waiting): Promise<StoreResult<undefined>> {
    if (records.length === 0) return { ok: true, value: undefined };
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const { path, maxBytes } = this.#options;
    const append = async (): Promise<undefined> => {
      const size = await stat(path).then(
        (file) => (file.isFile() ? file.size : 0), // Only a file is rotated, never a device that somebody named.
        () => 0,
      );
      if (size > 0 && size + Buffer.byteLength(text) > maxBytes) await this.#rotate();
      const file = await open(path, "a+", 0o600);
      try {
        await file.appendFile((await endsLine(file)) ? text : `\n${text}`);
      } finally {
        await file.close();
      }
    };
    return withFileLock(path, append, waiting);
  }

  /** All records there are. A file of ours without a single one, of this version or a later one, is set aside. */
  read(now: number): ReadRecords<T> {
    const records: T[] = [];
    const warnings: string[] = [];
    let skipped = 0;
    const { check, maxBytes, isNamed } = this.#options;
    for (const path of this.files().toReversed()) {
      let good = 0;
      let bad = 0;
      let isWriting = false;
      for (const { line, isEnded } of linesOf(path, TOO_LARGE * maxBytes)) {
        const value = parsed(line);
        const isRecord = check.accepts(value);
        if (isRecord) records.push(value);
        else bad++;
        if (isRecord || isLater(value)) good++;
        isWriting = !isEnded;
      }
      skipped += bad;
      if (bad === 0) continue;
      const stays = good > 0 || isWriting || isNamed === true;
      const aside = stays ? undefined : setAside(path, now);
      warnings.push(`${path}: ${bad} unreadable line${bad === 1 ? "" : "s"} skipped${aside ? `; now ${aside}` : ""}`);
    }
    return { records, skipped, warnings };
  }

  /** The files, newest first, whether they exist or not. */
  files(): readonly string[] {
    const { path, olderFiles } = this.#options;
    return Array.from({ length: olderFiles + 1 }, (_, age) => generation(path, age));
  }

  async #rotate(): Promise<void> {
    const files = this.files();
    for (let age = files.length - 1; age > 0; age--) {
      await rename(files[age - 1]!, files[age]!).catch(() => undefined);
    }
  }
}

function generation(path: string, age: number): string {
  if (age === 0) return path;
  return path.endsWith(".jsonl") ? `${path.slice(0, -".jsonl".length)}.${age}.jsonl` : `${path}.${age}`;
}

interface Line {
  readonly line: string;
  /** False for what stands behind the last line break: it may not be finished. */
  readonly isEnded: boolean;
}

/** The lines of a file; one that is no record for a file that we cannot have written. */
function* linesOf(path: string, maxBytes: number): Generator<Line> {
  const file = readText(path, maxBytes);
  if (!file.ok) {
    if (file.why === "too-large") yield { line: file.why, isEnded: true };
    return;
  }
  const lines = file.text.split("\n");
  for (const [index, line] of lines.entries()) if (line !== "") yield { line, isEnded: index < lines.length - 1 };
}

/** A record as a later pi-mend may write it. */
function isLater(value: unknown): boolean {
  return typeof value === "object" && value !== null && "v" in value && Number(value.v) > 1;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** False where the last line was cut off, as by a full disk: it must not swallow the next one. */
async function endsLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return last.buffer[0] === 0x0a;
}
