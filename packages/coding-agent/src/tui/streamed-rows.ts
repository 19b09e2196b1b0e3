// Rows that were drawn while a message streamed and whose call then got an id of its own. pi draws the call again under the new
// id, and the first row would wait for a result for ever: it is to be drawn as nothing.
// Knows rows by the state object that pi keeps for each, and forgets them with it.
export class StreamedRows {
  readonly #seen = new WeakSet<object>();
  readonly #abandoned = new WeakSet<object>();
  #streamed: Map<string, { readonly state: object; readonly redraw: () => void }> | undefined;

  /** An assistant message begins. */
  begin(): void {
    this.#streamed = new Map();
  }

  /**
   * A row is being drawn.
   *
   * @returns whether it is to be drawn as nothing
   */
  isAbandoned(id: string, state: object, redraw: () => void): boolean {
    if (!this.#seen.has(state)) {
      this.#seen.add(state);
      this.#streamed?.set(id, { state, redraw });
    }
    return this.#abandoned.has(state);
  }

  /**
   * The message ended with calls of these ids. Rows of other calls are drawn again, as nothing.
   *
   * @param ids `undefined` leaves all rows as they are
   */
  end(ids: ReadonlySet<string> | undefined): void {
    const streamed = this.#streamed;
    this.#streamed = undefined;
    for (const [id, { state, redraw }] of streamed ?? []) {
      if (ids === undefined || ids.has(id)) continue;
      this.#abandoned.add(state);
      redraw();
    }
  }
}
