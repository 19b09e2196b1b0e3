// The last lines of a session that others than the model wrote, as bytes: asked only when a model printed a call, to tell a
// quotation from a call. A ring of fixed size; a line that does not fit into a part of it is not kept.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { conversationOf } from "../text-calls/conversation.ts";

const ROOM = 2 * 1024 * 1024;
const MAX_LINE = 256 * 1024;

export class RecentLines {
  #ring: Buffer | undefined;
  #end = 0;
  readonly #lines: { readonly start: number; readonly end: number }[] = [];

  keep(line: Buffer): void {
    if (line.length > MAX_LINE) return;
    this.#ring ??= Buffer.allocUnsafe(ROOM);
    if (this.#end + line.length > ROOM) this.#end = 0;
    const start = this.#end;
    this.#end = start + line.length;
    while (this.#lines.length > 0 && overlaps(this.#lines[0]!, start, this.#end)) this.#lines.shift();
    line.copy(this.#ring, start);
    this.#lines.push({ start, end: this.#end });
  }

  /** What was said in them, oldest first. */
  texts(): readonly string[] {
    const entries = this.#lines.flatMap(({ start, end }): SessionEntry[] => {
      try {
        return [JSON.parse(this.#ring!.toString("utf8", start, end))];
      } catch {
        return [];
      }
    });
    return conversationOf(entries, []).texts;
  }
}

function overlaps(line: { readonly start: number; readonly end: number }, start: number, end: number): boolean {
  return line.start < end && start < line.end;
}
