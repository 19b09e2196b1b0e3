// The call that a text is cut in: its opening names an active tool and nothing closes it. What looks like a call behind it may
// stand in its value (a file that shows the format), so it never runs. Asked by the scanner, moving forward.

import { toolNamedAt } from "./dangling-markers.ts";
import type { Range } from "./grammar.ts";
import type { Source } from "./source.ts";

/** What closes a call, whatever its family. */
const CALL_ENDS = [
  "</tool_call>",
  "</function>",
  "invoke>",
  "<tool_call|>",
  "<end_function_call>",
  "<|tool_call_end|>",
  "call▁end",
  "call_end｜>",
  "<|call|>",
  "<|close|>call",
  "<|END_ACTION|>",
  "</pi:call>",
];

/** The open call of one text. */
export class CutCall {
  readonly #source: Source;
  #from = -1;
  /** Where the open call names its tool. */
  #named = -1;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Takes an opener at which nothing could be read. */
  open({ start, end }: Range): void {
    if (this.holds(start)) return;
    this.#named = toolNamedAt(this.#source, end);
    if (this.#named !== -1) this.#from = end;
  }

  /** Takes a call that has no arguments one can read, whose text ends at `end`. */
  broken({ start, end }: Range): void {
    if (this.holds(start) || this.#source.findFirst(CALL_ENDS, start) < end) return;
    this.#from = start;
    this.#named = start;
  }

  /** Whether what stands at `at` stands in a call that is open. */
  holds(at: number): boolean {
    if (this.#from === -1) return false;
    if (this.#named < at && this.#source.findFirst(CALL_ENDS, this.#from) >= at) return true;
    this.#from = -1;
    return false;
  }
}
