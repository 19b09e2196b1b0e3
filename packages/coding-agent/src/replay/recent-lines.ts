// The last lines of a session that others than the model wrote, as bytes: asked only when a model printed a call, to tell a
// quotation from a call. A ring of fixed size; a line that does not fit into a part of it is not kept.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { conversationOf } from "../text-calls/conversation.ts";
import { parsedLine } from "./formats/json-line.ts";

const ROOM = 1024 * 1024;
/** How often, on average, each byte may be looked at. */
const LOOKS = 8;
const MAX_LINE = 128 * 1024;

export class RecentLines {
  #ring: Buffer | undefined;
  #end = 0;
  /** Bytes that may be looked at: what was kept, several times. */
  #credit = ROOM;
  readonly #lines: { readonly start: number; readonly end: number }[] = [];

  keep(line: Buffer): void {
    if (line.length > MAX_LINE) return;
    this.#ring ??= Buffer.allocUnsafe(ROOM);
    if (this.#end + line.length > ROOM) this.#end = 0;
    this.#credit = Math.min(ROOM, this.#credit + line.length * LOOKS);
    const start = this.#end;
    this.#end = start + line.length;
    while (this.#lines.length > 0 && overlaps(this.#lines[0]!, start, this.#end)) this.#lines.shift();
    line.copy(this.#ring, start);
    this.#lines.push({ start, end: this.#end });
  }

  /**
   * What was said in those of them that hold one of `words`, oldest first. Words of letters and digits of ASCII only. Where
   * it is asked more often than there is something new, the older lines are not looked at: it stays linear.
   */
  textsWith(words: readonly string[]): readonly string[] {
    const ring = this.#ring;
    if (ring === undefined) return [];
    const needles = words.map((word) => Buffer.from(word));
    const entries: SessionEntry[] = [];
    for (const { start, end } of this.#lines.toReversed()) {
      if (this.#credit < end - start) break;
      this.#credit -= end - start;
      const line = ring.subarray(start, end);
      const entry = needles.some((needle) => line.includes(needle)) ? parsedLine(line) : undefined;
      if (entry !== undefined) entries.push(entry as unknown as SessionEntry);
    }
    return conversationOf(entries.reverse(), []).texts;
  }
}

function overlaps(line: { readonly start: number; readonly end: number }, start: number, end: number): boolean {
  return line.start < end && start < line.end;
}
