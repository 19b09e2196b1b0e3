// Whether the end of a text that comes in pieces stands in code: a fence, inline code on its line, a quoted or indented line.
// The streaming counterpart of `code-mask.ts`; it keeps one line, never the text.

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LONGEST_LINE = 512;

/** Follows shown text. */
export class ShownCode {
  private line = "";
  private fence: { readonly mark: string; readonly length: number } | undefined;
  /** Length of the run of backticks that opened inline code, 0 outside of any. */
  private opened = 0;
  /** Length of the run that the text ends in. */
  private run = 0;

  /** Takes the next piece of shown text. */
  push(text: string): void {
    for (let from = 0; from <= text.length; ) {
      const end = text.indexOf("\n", from);
      const piece = text.slice(from, end === -1 ? text.length : end);
      this.countRuns(piece);
      if (this.line.length < LONGEST_LINE) this.line += piece.slice(0, LONGEST_LINE);
      if (end === -1) return;
      this.endLine();
      from = end + 1;
    }
  }

  /** A call was taken out here: the line goes on as if it began. */
  call(): void {
    this.line = "";
    this.opened = 0;
    this.run = 0;
  }

  /** The line that the text ends in, or the start of a long one. */
  get lineSoFar(): string {
    return this.line;
  }

  /** Whether a text that comes next is code. */
  get isCode(): boolean {
    if (this.fence !== undefined || this.openedAfterRun() !== 0) return true;
    return FENCE.test(this.line) || /^ {0,3}>(?!>>\S)/.test(this.line) || /^(?: {4}|\t)[ \t]*$/.test(this.line);
  }

  private countRuns(piece: string): void {
    for (let from = 0; from < piece.length; ) {
      const at = piece.indexOf("`", from);
      if (at !== from) {
        this.opened = this.openedAfterRun();
        this.run = 0;
      }
      if (at === -1) return;
      this.run += 1;
      from = at + 1;
    }
  }

  /** A run opens inline code, or ends it when it is as long as the one that opened it. */
  private openedAfterRun(): number {
    if (this.run === 0) return this.opened;
    if (this.opened === 0) return this.run;
    return this.opened === this.run ? 0 : this.opened;
  }

  private endLine(): void {
    const mark = FENCE.exec(this.line)?.[1];
    if (this.fence === undefined) {
      if (mark !== undefined) this.fence = { mark: mark.charAt(0), length: mark.length };
    } else if (mark?.charAt(0) === this.fence.mark && mark.length >= this.fence.length) {
      if (this.line.trim() === mark) this.fence = undefined;
    }
    this.line = "";
    this.opened = 0;
    this.run = 0;
  }
}
