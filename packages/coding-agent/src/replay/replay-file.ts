// Replays one file into a counter. Damage never ends a replay: what cannot be read is counted and passed by.
import type { TurnCounter } from "./count-turns.ts";
import { readerFor } from "./formats/format.ts";
import { bareLine, parsedLine } from "./formats/json-line.ts";
import type { InputFile } from "./input-files.ts";
import { readLines } from "./line-reader.ts";
import { isShallow } from "./too-deep.ts";

/** @param progress told how many bytes were read; `true` ends the reading, and what was read counts */
export async function replayFile(
  file: InputFile,
  counter: TurnCounter,
  progress: (bytes: number) => boolean,
): Promise<void> {
  const { input } = counter.tally;
  const reader = readerFor(file.format, counter, file.countFrom);
  input.files++;
  const take = (line: Buffer) => {
    if (line.length === 0) return;
    input.lines++;
    if (!isShallow(() => reader.line(line))) input.damaged++;
  };
  try {
    await readLines(file.path, {
      line: (line) => take(bareLine(line)),
      longLine: (head, tail) => {
        input.lines++;
        reader.longLine(head, tail);
      },
      lastLine: (given) => {
        const line = bareLine(given);
        // A program that still writes the file has not ended this line, or was stopped while it wrote.
        if (line.length > 0 && parsedLine(line) === undefined) input.unfinished++;
        else take(line);
      },
      progress: (bytes) => {
        input.bytes += bytes;
        return progress(bytes);
      },
    });
  } catch (error) {
    if (!isFileError(error)) throw error;
    input.unreadable++;
  }
  reader.end();
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** What a counter found, as data that a worker can send. */
export type Found = Pick<TurnCounter, "tally"> & {
  readonly groups: ReturnType<TurnCounter["failures"]["groups"]>;
  readonly rows: ReadonlyMap<string, readonly import("./fixture-rows.ts").FixtureRow[]>;
};

export function foundBy({ tally, failures, fixtures }: TurnCounter): Found {
  return { tally, groups: failures.groups(), rows: fixtures?.folders() ?? new Map() };
}
