// What is shown of a text while it streams, where calls may leak into it: nothing of a call in it. Display only; when the
// message is whole, what is left of its text is shown in full.
import { createMarkupFilter, type MarkupFilter, type RepairTool } from "@pi-mend/ai/tool-repair";

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
