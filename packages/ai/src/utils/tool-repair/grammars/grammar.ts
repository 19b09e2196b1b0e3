// What a grammar of calls is: the literal texts that open one, and a reader that says what stands there. Types only.

import type { Source } from "./source.ts";

/** One call as its grammar spells it; nothing is known yet about whether it may run. */
export interface RawCall {
  readonly name: string;
  /** The arguments; undefined where the call has none that can be read, so that it must not run. */
  readonly arguments: unknown;
  /** Where the call itself stands, without its wrapper. */
  readonly start: number;
  readonly end: number;
  /** The name of the grammar, where a shared opener has several. */
  readonly family?: string;
}

/** What was read at an opener: calls in document order, and the range that they and their wrapper take. */
export interface Block {
  readonly calls: readonly RawCall[];
  readonly end: number;
  /** Where the wrapper begins, when that is before the opener. */
  readonly start?: number;
  /** Text inside the range that is prose for the user, not markup. */
  readonly prose?: readonly Range[];
  /** Text inside the range that is reasoning. */
  readonly reasoning?: readonly Range[];
  /** Calls may only run from here when nothing but white space follows the block. */
  readonly endsMessage?: boolean;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One family of calls. */
export interface Grammar {
  readonly family: string;
  /** Literal texts, each begins with one of `TRIGGERS` (see `openers.ts`). */
  readonly openers: readonly string[];
  /** What cut calls of this family leave behind is stripped: its markers are no ordinary text. */
  readonly marked: boolean;
  /**
   * What stands at `at`, where `opener` was found outside of code; undefined where that is no call. Linear in what it
   * reads, and charges the source for it.
   */
  readonly read: (source: Source, at: number, opener: string) => Block | undefined;
}
