// Gives every piece of arguments of the block APIs (Anthropic messages, OpenAI responses) the number of the block it belongs
// to, where a server numbers pieces and blocks differently: upstream drops such a piece and takes the call for one without
// arguments. Runs on each parsed event before upstream reads it. Never moves a piece between two open calls.

/** An event of the wire format, as far as routing goes. Everything in it may be missing or of another type. */
interface BlockEvent {
  type?: unknown;
  index?: unknown;
  content_block?: { type?: unknown } | null;
  delta?: { type?: unknown; partial_json?: unknown } | string | null;
  output_index?: unknown;
  item?: { type?: unknown } | null;
}

/** What a block holds: a call's arguments, no arguments at all, or those of a tool that the server runs itself. */
const KINDS: ReadonlyMap<unknown, "call" | "plain"> = new Map([
  ["tool_use", "call"],
  ["function_call", "call"],
  ["text", "plain"],
  ["thinking", "plain"],
  ["redacted_thinking", "plain"],
  ["message", "plain"],
  ["reasoning", "plain"],
]);

/** The router of one reply. */
export class BlockDeltaRouter {
  /** Numbers of the calls that are open, and of blocks that are neither call nor plain. */
  readonly #calls = new Set<unknown>();
  readonly #others = new Set<unknown>();
  /** Whether a piece came that no call can be told for: then a call without any text is not one without arguments. */
  lostText = false;

  /** Renumbers the event, in place. Anything that is not of these APIs passes. */
  route(chunk: unknown): void {
    const event = chunk as BlockEvent;
    switch (event?.type) {
      case "content_block_delta":
        if (typeof event.delta === "object" && event.delta?.type === "input_json_delta") {
          event.delta.partial_json ??= "";
          if (!this.#calls.has(event.index)) event.index = this.#place(event.index, event.delta.partial_json);
        }
        return;
      case "response.function_call_arguments.delta":
        if (!this.#calls.has(event.output_index)) event.output_index = this.#place(event.output_index, event.delta);
        return;
      case "content_block_start":
        this.#begin(event.index, event.content_block?.type);
        return;
      case "response.output_item.added":
        this.#begin(event.output_index, event.item?.type);
        return;
      case "content_block_stop":
        this.#end(event.index);
        return;
      case "response.output_item.done":
        this.#end(event.output_index);
        return;
    }
  }

  #begin(number: unknown, type: unknown): void {
    this.#end(number);
    const kind = KINDS.get(type);
    if (kind === "call") this.#calls.add(number);
    else if (kind === undefined) this.#others.add(number);
  }

  #end(number: unknown): void {
    this.#calls.delete(number);
    this.#others.delete(number);
  }

  /** The only open call's number for a piece under a number of no call. */
  #place(number: unknown, piece: unknown): unknown {
    if (piece === "" || this.#others.has(number)) return number;
    if (this.#calls.size === 1) for (const only of this.#calls) return only;
    this.lostText = true;
    return number;
  }
}
