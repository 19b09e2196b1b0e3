// Whether a text that arrives in pieces has become a whole JSON value. Asked only about calls that a server numbers
// wrongly; reads each piece once however often it is asked. Never looks at what the text means.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `empty` holds nothing but space, `open` stops inside a value, `whole` closed its outermost bracket or quote. */
export type TextState = "empty" | "open" | "whole";

/** Reads along a growing list of pieces. */
export class JsonEnd {
  #read = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: TextState = "empty";

  /** The state after all of `pieces`; only those added since the last call are read. */
  state(pieces: readonly string[]): TextState {
    for (; this.#read < pieces.length; this.#read++) this.#scan(pieces[this.#read] as string);
    return this.#state;
  }

  #scan(text: string): void {
    for (let index = 0; index < text.length && this.#state !== "whole"; index++) {
      const code = text.charCodeAt(index);
      if (this.#inString) this.#inside(code);
      else if (code > 0x20) this.#outside(code);
    }
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      this.#inString = false;
      this.#closeAtRoot();
    }
  }

  #outside(code: number): void {
    this.#state = "open";
    if (code === QUOTE) this.#inString = true;
    else if (code === 0x7b || code === 0x5b) this.#depth++;
    else if (code === 0x7d || code === 0x5d) {
      this.#depth--;
      this.#closeAtRoot();
    }
  }

  #closeAtRoot(): void {
    if (this.#depth <= 0) this.#state = "whole";
  }
}
