// One text under reading: searches that remember, a budget that keeps hostile texts linear, and small steps over blanks.

import { isInvisible } from "./invisible.ts";
import type { ToolTable } from "./tool-table.ts";
import { type Tag, tagsOf } from "./xml-tags.ts";

const SPARE_STEPS = 100_000;
const STEPS_PER_UNIT = 3;

/** The text of one message part and the tools it may call. */
export class Source {
  readonly text: string;
  readonly tools: ToolTable;
  private steps: number;
  private readonly found = new Map<string, { from: number; at: number }>();
  private tags: ReadonlyMap<string, readonly Tag[]> | undefined;

  constructor(text: string, tools: ToolTable) {
    this.text = text;
    this.tools = tools;
    this.steps = text.length * STEPS_PER_UNIT + SPARE_STEPS;
  }

  /** Charges `steps` of work. False when the budget is used up: the reader must give up. */
  spend(steps: number): boolean {
    this.steps -= steps;
    return this.steps >= 0;
  }

  get exhausted(): boolean {
    return this.steps < 0;
  }

  /** `indexOf` that remembers: questions that move forward cost one pass over the text in all. */
  find(needle: string, from: number): number {
    const last = this.found.get(needle);
    if (last !== undefined && last.from <= from && (last.at === -1 || last.at >= from)) return last.at;
    const at = this.text.indexOf(needle, from);
    this.found.set(needle, { from, at });
    return at;
  }

  /** Where the first of `needles` from `from` on stands; the end of the text when there is none. */
  findFirst(needles: readonly string[], from: number): number {
    let first = this.text.length;
    for (const needle of needles) {
      const at = this.find(needle, from);
      if (at !== -1 && at < first) first = at;
    }
    return first;
  }

  /** The tags of the XML grammars that have this prefix, in order. Found in one pass over the text. */
  tagsWith(prefix: string): readonly Tag[] {
    this.tags ??= tagsOf(this.text);
    return this.tags.get(prefix) ?? [];
  }

  /** The first position from `at` on that is neither white space (U+0120, a leaked space token, counts as such) nor invisible. */
  skipBlank(at: number): number {
    const { text } = this;
    let next = at;
    for (; next < text.length; next++) {
      const code = text.charCodeAt(next);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 0x120 && !isInvisible(code)) break;
    }
    return next;
  }

  startsWith(needle: string, at: number): boolean {
    return this.text.startsWith(needle, at);
  }

  /** Whether only white space stands between the two positions. */
  isBlank(from: number, to: number): boolean {
    return this.skipBlank(from) >= to;
  }
}
