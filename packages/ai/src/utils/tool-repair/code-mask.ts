// Which places of a message are code or quotation in Markdown: fences, inline code, block quotes, indented code, the HTML
// elements for the same, and the elements in which documents and results are handed to a model. Asked by a scanner that moves forward and jumps over the calls it reads, so a fence inside
// a call's value never counts. Linear over all questions of one text.

import { withoutInvisibleStart } from "./grammars/invisible.ts";

const BLANK_LINE = /^[ \t\r]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/;
/** The same inside of a list, where what belongs to an item is indented. */
const LIST_FENCE = /^[ \t]*(`{3,}|~{3,})([^\n]*)/;
const LIST_FENCE_END = /^[ \t]*(`{3,}|~{3,})[ \t\r]*$/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** A quote marker; three or more of them in a row, with a word behind them, open no quotation (a merge marker). */
const QUOTED = /^ {0,3}>(?!>>\S)/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const ELEMENT =
  /<(pre|code|samp|kbd|tt|xmp|listing|nowiki|syntaxhighlight|textarea|q|blockquote|examples?|documents?|tool_responses?|tool_results?|function_results)(?:\s[^<>\n]{0,200})?>|<!--|<!\[CDATA\[/gi;
const OTHER_CLOSE: Readonly<Record<string, string>> = { "<!--": "-->", "<![CDATA[": "]]>" };
const LONGEST_PREFIX = 400;

interface Run {
  readonly at: number;
  readonly length: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The code and quotation of one text. Positions asked for must not go backwards. */
export class CodeMask {
  private readonly text: string;
  private readonly runs: readonly Run[];
  /** For every run, the index of the next run of the same length, or -1. */
  private readonly partner: readonly number[];
  private readonly elements: readonly Span[];
  private readonly allIndented: boolean;
  private run = 0;
  private element = 0;
  /** The line under the cursor, and what is known about it. */
  private lineStart = 0;
  private lineEnd = -1;
  private fence:
    | {
        readonly mark: string;
        readonly length: number;
        readonly start: number;
        readonly end: RegExp;
        /** What counted as read before the fence. */
        readonly floor: number;
      }
    | undefined;
  private lineIsFence = false;
  private lineIsQuoted = false;
  private previousWasBlank = true;
  private indentedBlock = false;
  private inList = false;
  private floor = 0;
  private blankFrom = 0;
  private blankAt = -2;

  constructor(text: string) {
    this.text = text;
    this.runs = backtickRuns(text);
    this.partner = partners(this.runs);
    this.elements = elementSpans(text);
    this.allIndented = isAllIndented(text);
  }

  /**
   * Where the code or quotation around `at` ends, or -1 outside of any. The first character of a fence counts as
   * outside of it. An unclosed fence ends with the text.
   */
  codeEnd(at: number): number {
    while (this.lineEnd < at && this.nextLine()) {}
    if (this.fence !== undefined) {
      if (at <= this.fence.start) return this.elementEnd(at, this.fence.floor);
      return this.fenceEnd();
    }
    if (this.lineIsFence || this.lineIsQuoted || this.indentedBlock) return this.lineEnd;
    return this.inlineEnd(at);
  }

  /** Forgets what stands before `to`: a call was read up to there. */
  skip(to: number): void {
    while (this.lineEnd < to && this.stepLine()) {}
    this.fence = undefined;
    this.lineIsFence = false;
    this.lineIsQuoted = false;
    this.indentedBlock = false;
    this.previousWasBlank = false;
    this.floor = to;
  }

  /** Moves the cursor to the next line without looking at it. False behind the last one. */
  private stepLine(): boolean {
    const { text } = this;
    if (this.lineEnd >= text.length) return false;
    this.lineStart = this.lineEnd < 0 ? text.length - withoutInvisibleStart(text).length : this.lineEnd + 1;
    const next = text.indexOf("\n", this.lineStart);
    this.lineEnd = next === -1 ? text.length : next;
    return true;
  }

  private nextLine(): boolean {
    const { text } = this;
    if (!this.stepLine()) return false;
    // A long line is told by its start; only a closing fence must be the whole line.
    const line = text.slice(this.lineStart, Math.min(this.lineEnd, this.lineStart + LONGEST_PREFIX));
    this.lineIsFence = false;
    if (this.fence !== undefined) {
      const close = this.fence.end.exec(line);
      const mark = close?.[1];
      if (mark?.charAt(0) === this.fence.mark && mark.length >= this.fence.length) {
        this.fence = undefined;
        this.lineIsFence = true;
        // The end of a fence opens no inline code.
        this.floor = this.lineEnd;
        this.previousWasBlank = false;
      }
      return true;
    }
    const isBlank = line.length < LONGEST_PREFIX && BLANK_LINE.test(line);
    if (LIST_ITEM.test(line)) this.inList = true;
    else if (!isBlank && !/^[ \t]/.test(line)) this.inList = false;
    const open = isBlank ? null : (this.inList ? LIST_FENCE : FENCE).exec(line);
    const mark = open?.[1];
    if (mark !== undefined && !(mark.charAt(0) === "`" && open?.[2]?.includes("`"))) {
      const end = this.inList ? LIST_FENCE_END : FENCE_END;
      const start = this.lineStart + line.indexOf(mark);
      this.fence = { mark: mark.charAt(0), length: mark.length, start, end, floor: this.floor };
      this.floor = this.lineEnd;
    }
    this.lineIsQuoted = QUOTED.test(line);
    const isIndented = !isBlank && INDENTED.test(line);
    this.indentedBlock = !this.allIndented && isIndented && (this.previousWasBlank || this.indentedBlock);
    this.previousWasBlank = isBlank;
    return true;
  }

  private fenceEnd(): number {
    let state = this.fence;
    while (state !== undefined && this.nextLine()) state = this.fence;
    this.floor = this.lineEnd;
    return this.lineEnd;
  }

  private elementEnd(at: number, floor: number): number {
    while (this.element < this.elements.length) {
      const span = this.elements[this.element] as Span;
      if (span.start >= at) break;
      if (span.start >= floor && span.end > at) return span.end;
      this.element += 1;
    }
    return -1;
  }

  private inlineEnd(at: number): number {
    const { runs, partner } = this;
    const element = this.elementEnd(at, this.floor);
    if (element !== -1) return element;
    while (this.run < runs.length) {
      const open = runs[this.run] as Run;
      if (open.at >= at) return -1;
      const close = open.at < this.floor ? undefined : runs[partner[this.run] ?? -1];
      if (close === undefined || close.at > this.paragraphEnd(open.at)) {
        this.run += 1;
        continue;
      }
      const end = close.at + close.length;
      if (end > at) return end;
      this.run = (partner[this.run] as number) + 1;
    }
    return -1;
  }

  /** The next blank line after `at`; kept until the cursor has passed it. */
  private paragraphEnd(at: number): number {
    if (this.blankAt !== -2 && this.blankFrom <= at && (this.blankAt === -1 || this.blankAt > at)) {
      return this.blankAt === -1 ? this.text.length : this.blankAt;
    }
    const found = this.text.indexOf("\n\n", at);
    this.blankFrom = at;
    this.blankAt = found;
    return found === -1 ? this.text.length : found;
  }
}

function backtickRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  for (let at = text.indexOf("`"); at !== -1; ) {
    let end = at + 1;
    while (text.charCodeAt(end) === 96) end += 1;
    runs.push({ at, length: end - at });
    at = text.indexOf("`", end);
  }
  return runs;
}

function partners(runs: readonly Run[]): readonly number[] {
  const next = new Map<number, number>();
  const found = new Array<number>(runs.length).fill(-1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] as Run;
    found[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  return found;
}

function elementSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  const absent = new Set<string>();
  const find = (close: string): number => {
    const at = absent.has(close) ? -1 : text.indexOf(close, ELEMENT.lastIndex);
    // What is absent from here on is not looked for again.
    if (at === -1) absent.add(close);
    return at;
  };
  ELEMENT.lastIndex = 0;
  for (let match = ELEMENT.exec(text); match !== null; match = ELEMENT.exec(text)) {
    const close = OTHER_CLOSE[match[0]] ?? `</${match[1]}>`;
    const small = close.toLowerCase();
    const as = find(close);
    const end = as === -1 && small !== close ? find(small) : as;
    if (end === -1) continue;
    spans.push({ start: match.index, end: end + close.length });
    ELEMENT.lastIndex = end + close.length;
  }
  return spans;
}

/** A message whose every line is indented is a message that came indented, not one code block. */
function isAllIndented(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, Math.min(end, start + LONGEST_PREFIX));
    if (!BLANK_LINE.test(line) && !INDENTED.test(line)) return false;
    start = end + 1;
  }
  return true;
}
