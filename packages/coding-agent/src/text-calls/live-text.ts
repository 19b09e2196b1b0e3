// What is shown of a text while it streams: nothing of a call in it. Display only; when the message is whole, what is left of
// its text is shown in full.
import { createMarkupFilter, type MarkupFilter, type RepairTool } from "@pi-mend/ai/tool-repair";

const OPENERS = ["<pi:call", "<tool_call>", "```tool"] as const;

/** Text mode: what stands before the first envelope, without what may still become an opener at its end. */
export function shownWhileStreaming(markdown: string): string {
  let end = markdown.length;
  for (const opener of OPENERS) {
    const at = markdown.indexOf(opener);
    if (at !== -1 && at < end) end = at;
  }
  return end < markdown.length ? markdown.slice(0, end) : markdown.slice(0, end - openTail(markdown));
}

/** Length of the longest end of the text that begins an opener. */
function openTail(text: string): number {
  for (let length = Math.min(text.length, 10); length > 0; length--) {
    const tail = text.slice(text.length - length);
    if (OPENERS.some((opener) => opener.startsWith(tail))) return length;
  }
  return 0;
}

/** The text that grows right now, without calls of any grammar. Every character is looked at once, as long as it only grows. */
export class GrowingText {
  readonly #tools: () => readonly RepairTool[];
  #filter: MarkupFilter | undefined;
  #seen = "";
  #shown = "";

  /** @param tools asked once for every text */
  constructor(tools: () => readonly RepairTool[]) {
    this.#tools = tools;
  }

  /** What may be shown of `text`: another text than before, or the same one with more behind it. */
  show(text: string): string {
    if (this.#filter === undefined || !text.startsWith(this.#seen)) {
      this.#filter = createMarkupFilter(this.#tools());
      this.#seen = "";
      this.#shown = "";
    }
    this.#shown += this.#filter.push(text.slice(this.#seen.length));
    this.#seen = text;
    return this.#shown;
  }
}
