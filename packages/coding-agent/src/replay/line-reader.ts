// The lines of a file, in order, in fixed memory. Each line is handed over as bytes that are only good until the callback
// returns. Never decodes, and never holds more than one chunk and one line.
import { open } from "node:fs/promises";

/** Longest line that is handed over whole. Of a longer one, its two ends are. */
export const MAX_LINE = 8 * 1024 * 1024;
const CHUNK = 1024 * 1024;
const END = 4 * 1024;
const LINE_FEED = 0x0a;

export interface LineSink {
  /** A line without its line break. The bytes are reused afterwards. */
  readonly line: (line: Buffer) => void;
  /** A line above the bound: its first and its last 4 KiB. */
  readonly longLine: (head: Buffer, tail: Buffer) => void;
  /** What stands behind the last line break, where anything does: a line that may not be finished. */
  readonly lastLine: (line: Buffer) => void;
  /** Told after every chunk. `true` ends the reading. */
  readonly progress: (bytes: number) => boolean;
}

/**
 * Reads a file to where it ended when the reading got there; what a running program appends later is left alone.
 *
 * @throws what the file system says about a file that cannot be read
 */
export async function readLines(path: string, sink: LineSink, maxLine = MAX_LINE): Promise<void> {
  const file = await open(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const carry = new Carry(maxLine);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK, null);
      if (bytesRead === 0) break;
      eachLine(chunk.subarray(0, bytesRead), carry, sink);
      if (sink.progress(bytesRead)) return;
    }
    carry.flush(sink, true);
  } finally {
    await file.close();
  }
}

function eachLine(chunk: Buffer, carry: Carry, sink: LineSink): void {
  let start = 0;
  for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
    if (carry.isEmpty && end - start <= carry.max) {
      if (end > start) sink.line(chunk.subarray(start, end));
    } else {
      carry.add(chunk.subarray(start, end));
      carry.flush(sink, false);
    }
    start = end + 1;
  }
  if (start < chunk.length) carry.add(chunk.subarray(start));
}

/** The part of a line that earlier chunks held. */
class Carry {
  /** Longest line that is kept whole. */
  readonly max: number;
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  /** The last bytes of a line above the bound. */
  #tail: Buffer | undefined;

  constructor(max: number) {
    this.max = max;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Buffer): void {
    if (this.#tail !== undefined) {
      this.#tail = endOf(this.#tail, part);
      return;
    }
    const length = this.#length + part.length;
    if (length > this.max) {
      const head = Buffer.concat([this.#bytes.subarray(0, Math.min(this.#length, END)), part.subarray(0, END)]);
      this.#tail = endOf(this.#bytes.subarray(0, this.#length), part);
      this.#bytes = Buffer.from(head.subarray(0, END));
      this.#length = this.#bytes.length;
      return;
    }
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.max, Math.max(length, this.#bytes.length * 2)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  flush(sink: LineSink, isLast: boolean): void {
    if (this.#length === 0) return;
    const line = this.#bytes.subarray(0, this.#length);
    if (this.#tail !== undefined) {
      sink.longLine(line, this.#tail);
      this.#bytes = Buffer.allocUnsafe(64 * 1024);
    } else if (isLast) sink.lastLine(line);
    else sink.line(line);
    this.#tail = undefined;
    this.#length = 0;
    // One long line must not cost its memory for the rest of the file.
    if (this.#bytes.length > CHUNK) this.#bytes = Buffer.allocUnsafe(64 * 1024);
  }
}

function endOf(before: Buffer, part: Buffer): Buffer {
  if (part.length >= END) return Buffer.from(part.subarray(part.length - END));
  return Buffer.concat([before.subarray(Math.max(0, before.length - (END - part.length))), part]);
}
