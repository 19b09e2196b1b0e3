// What is asked about the leaked calls of a message, and what comes back. Types only.

import type { Range } from "./grammar.ts";

/** A message: its text, and its reasoning where the host keeps that apart. */
export type LeakedMessage = string | { readonly thinking?: string | undefined; readonly content?: string | undefined };

export interface LeakedCallOptions {
  /** Model id, for the gates of the argument repair. */
  readonly model?: string | undefined;
  /**
   * Text behind a call: `allow` (default) leaves that to the family. `refuse` takes no call then, and a call that a sentence
   * goes on behind is a mention, as `quoted` as one in quotation marks: it stays in the text.
   */
  readonly trailingText?: "allow" | "refuse" | undefined;
}

/** A call that the message allows. */
export interface LeakedCall {
  /** The active tool's name. */
  readonly name: string;
  /** Arguments that pass its schema. */
  readonly arguments: unknown;
  /** The arguments as the grammar gives them, before their repair; the same reference where none was needed. */
  readonly printed: unknown;
  readonly family: string;
  /** Where it stood, as offsets in `part`. */
  readonly range: Range;
  readonly part: "content" | "thinking";
}

/** A call that was read and is not allowed. */
export interface RefusedCall {
  readonly name: string;
  readonly family: string;
  readonly range: Range;
  readonly part: "content" | "thinking";
  readonly reason: "unknown-tool" | "arguments" | "unreadable" | "quoted" | "trailing-text";
  /** For `arguments`: what the model needs to send it again. Absent behind more calls than a model makes. */
  readonly message?: string;
}

export interface LeakedCalls {
  readonly calls: readonly LeakedCall[];
  readonly refused: readonly RefusedCall[];
  /** The content without the markup of calls to active tools; the same string where nothing was taken out. */
  readonly text: string;
  /** The reasoning, with what stood as reasoning in the content before it. */
  readonly thinking: string;
}
