// Which files a replay reads, in which format and from when on. A session that was forked from another file begins with a
// copy of that file's entries: they count once. Runs before the reading; looks at first lines only.
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Format, formatOf } from "./formats/format.ts";
import { bareLine, parsedLine, textOf } from "./formats/json-line.ts";
import { timeOf } from "./line-head.ts";

export interface InputFile {
  readonly path: string;
  readonly bytes: number;
  readonly format: Format;
  /** Milliseconds since 1970; entries before it are copies that another file's count. */
  readonly countFrom: number;
}

export interface InputFiles {
  /** The largest first, so that workers end at about the same time. */
  readonly files: readonly InputFile[];
  readonly missing: readonly string[];
  /** Paths that are there and cannot be looked at. */
  readonly unreadable: readonly string[];
}

const FIRST_LINE = 64 * 1024;

/** @param paths files, and folders that are searched for `.jsonl` files */
export function inputFiles(
  paths: readonly string[],
  format: Format | undefined,
  since: number | undefined,
): InputFiles {
  const found = new Map<string, { readonly bytes: number; readonly changed: number }>();
  const unreadable: string[] = [];
  const missing = paths.filter((path) => !collect(path, found, unreadable));
  const files = [...found]
    .filter(([, { changed }]) => since === undefined || changed >= since)
    .map(([path, { bytes }]) => ({
      path,
      bytes,
      head: format === undefined || format === "pi" ? firstLine(path) : EMPTY,
    }));
  const known = new Set(files.map(({ path }) => basename(path)));
  const described = files.map(({ path, bytes, head }) => ({
    ...{ path, bytes, format: format ?? formatOf(head) },
    ...forkOf(head),
  }));
  // Of several forks of a file that is gone, the latest has the most of it.
  const keepers = new Map<string, (typeof described)[number]>();
  for (const file of described) {
    const rival = keepers.get(file.parent);
    if (file.parent !== "" && !known.has(file.parent) && (rival === undefined || file.began > rival.began)) {
      keepers.set(file.parent, file);
    }
  }
  return {
    files: described
      .map((file) => ({
        ...{ path: file.path, bytes: file.bytes, format: file.format },
        countFrom: file.parent === "" || keepers.get(file.parent) === file ? 0 : file.began,
      }))
      .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1)),
    missing,
    unreadable,
  };
}

const EMPTY = Buffer.alloc(0);

/** @returns false for a path that does not exist; what cannot be looked at is added to `unreadable` */
function collect(path: string, found: Map<string, { bytes: number; changed: number }>, unreadable: string[]): boolean {
  try {
    const about = statSync(path, { throwIfNoEntry: false });
    if (about === undefined) return false;
    if (about.isFile()) found.set(path, { bytes: about.size, changed: about.mtimeMs });
    else if (!about.isDirectory()) unreadable.push(path);
    for (const item of about.isDirectory() ? readdirSync(path, { withFileTypes: true }) : []) {
      // Links may lead in circles.
      const isWanted = item.isDirectory() || (item.isFile() && item.name.endsWith(".jsonl"));
      if (isWanted) collect(join(path, item.name), found, unreadable);
    }
  } catch {
    unreadable.push(path);
  }
  return true;
}

function firstLine(path: string): Buffer {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(FIRST_LINE);
      const read = bytes.subarray(0, readSync(file, bytes, 0, FIRST_LINE, 0));
      const end = read.indexOf(0x0a);
      return bareLine(end < 0 ? read : read.subarray(0, end));
    } finally {
      closeSync(file);
    }
  } catch {
    return EMPTY;
  }
}

/** The name of the file that a session was forked from, and when. */
function forkOf(head: Buffer): { readonly parent: string; readonly began: number } {
  const { type, parentSession, branchedFrom, timestamp } = parsedLine(head) ?? {};
  const parent = type === "session" ? textOf(parentSession) || textOf(branchedFrom) : "";
  return { parent: parent.split(/[\\/]/).at(-1) ?? "", began: timeOf(timestamp) };
}
