// When a run goes on because its model printed a call that did not run, and when it no longer does. Each host asks it once
// per message and once per turn. Never lets a run go on more than twice in a row.

/** How often in a row a run goes on for a model that prints its calls. */
const MOST_IN_A_ROW = 2;

export class Continuations {
  #inARow = 0;
  #line: string | undefined;

  /** Whether the last message held a call that did not run, and nothing else carries the run on. */
  get isDue(): boolean {
    return this.#line !== undefined;
  }

  /** Something new begins, a run or a user's message: what happened before no longer counts. */
  startOver(): void {
    this.#inARow = 0;
    this.#line = undefined;
  }

  /** The model is not to be told after all. */
  forget(): void {
    this.#line = undefined;
  }

  /**
   * A reply is there.
   *
   * @param line what the model is to be told of it. A reply without one ends the row, unless it failed
   */
  heard({ stopReason }: { readonly stopReason: string }, line: string | undefined): void {
    this.#line = line;
    if (line === undefined && stopReason !== "error") this.#inARow = 0;
  }

  /**
   * The turn ends, and the host would let the run go on. Takes the line.
   *
   * @returns `undefined` where no line is due; `goesOn` false where the model was told twice already
   */
  take(): { readonly line: string; readonly goesOn: boolean } | undefined {
    const line = this.#line;
    this.#line = undefined;
    if (line === undefined) return undefined;
    const goesOn = this.#inARow < MOST_IN_A_ROW;
    if (goesOn) this.#inARow++;
    return { line, goesOn };
  }
}
