// Follows one reply event by event: ids and names are right from the first event of a call, arguments from its end.
// Runs inside the stream's `push`, so it sees every block as it is at that moment. Work per delta is one list append.
import type { AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import { type GuardedToolCall, type OpenedCall, rawTextOf } from "./call-block.ts";
import { readForeignFinish } from "./finish-reason.ts";
import { type GuardContext, GuardTurn } from "./guard-context.ts";
import { type StreamedCall, settleMessage } from "./settle-message.ts";
import { withObject, withText } from "./with-text.ts";

/** One call while it streams. */
class OpenCall implements StreamedCall, OpenedCall {
  readonly id: string;
  readonly sentId: string | undefined;
  /** Arguments that came with the block's start, before any text. */
  readonly initial: GuardedToolCall["arguments"] | undefined;
  readonly pieces: string[] = [];
  lateName?: string;
  ended = false;

  constructor(id: string, sentId: string | undefined, initial: GuardedToolCall["arguments"] | undefined) {
    this.id = id;
    this.sentId = sentId;
    this.initial = initial;
  }

  get text(): string {
    return this.pieces.join("");
  }

  /** Takes the arguments that came with the start for the text, where no other came. */
  takeInitial(): void {
    if (this.ended || this.initial === undefined || this.text !== "") return;
    this.pieces.push(typeof this.initial === "string" ? this.initial : JSON.stringify(this.initial));
  }

  /** Text of some call was lost: a call that has none is not known to be whole. */
  doubt(): void {
    if (this.initial === undefined && this.text.trim() === "") this.ended = false;
  }
}

/**
 * The guard of one reply. `next` takes every event once, in order, and gives back what the consumer gets.
 *
 * Upstream's `partial` is the live reply, shared by all events: ids, names and settled arguments are written into its
 * blocks, so that every event shows them. The final message is replaced by a copy where it needs more than that.
 */
export class MessageGuard {
  readonly #turn: GuardTurn;
  readonly #calls: (OpenCall | undefined)[] = [];
  readonly #opened: OpenedCall[] | undefined;
  #partial: AssistantMessage | undefined;
  /** Whether the terminal event has passed. */
  finished = false;

  /** @param opened gets each call as it opens, with its pieces as they arrive */
  constructor(context: GuardContext, opened?: OpenedCall[]) {
    this.#turn = new GuardTurn(context);
    this.#opened = opened;
  }

  /** @returns the event itself, or a new terminal event when the final message had to change */
  next(event: AssistantMessageEvent): AssistantMessageEvent {
    switch (event.type) {
      case "toolcall_delta": {
        const call = this.#calls[event.contentIndex] ?? this.#open(event.partial, event.contentIndex);
        // Servers that send arguments as an object reach here with that object as the delta.
        const text: unknown = event.delta;
        if (typeof text === "string") {
          call?.pieces.push(text);
          return event;
        }
        const delta = JSON.stringify(text) ?? "";
        call?.pieces.push(delta);
        return { ...event, delta };
      }
      case "toolcall_start":
        this.#open(event.partial, event.contentIndex);
        return event;
      case "toolcall_end":
        this.#end(event.partial, event.contentIndex, event.toolCall);
        return event;
      case "start":
        this.#partial = event.partial;
        return event;
      case "done":
      case "error":
        return this.#finish(event);
      default:
        return event;
    }
  }

  /** A result that was handed over without a terminal event, settled like one. */
  settle(message: AssistantMessage): AssistantMessage {
    this.finished = true;
    return this.#prepared(this.#settled(message));
  }

  /**
   * The terminal event of a stream that ended without one.
   *
   * @param cause what the stream threw, if it did: its words tell a host whether to try again
   */
  abandoned(model: Model<string> | undefined, timestamp: number, cause?: unknown): AssistantMessageEvent {
    const partial = this.#partial ?? emptyReply(model, timestamp);
    const reason = cause instanceof Error && cause.name === "AbortError" ? "aborted" : "error";
    const errorMessage = messageOf(cause) || "The stream ended without a final event";
    return this.next({ type: "error", reason, error: { ...partial, stopReason: reason, errorMessage } });
  }

  #open(partial: AssistantMessage, index: number): OpenCall | undefined {
    this.#partial = partial;
    const block = partial.content[index];
    if (block?.type !== "toolCall") return undefined;
    const id = this.#turn.claimId(block.id, block.name);
    const sentId = block.id === id || block.id === "" ? undefined : block.id;
    if (block.id !== id) block.id = id;
    this.#rename(block);
    const call = new OpenCall(id, sentId, holdsSomething(block.arguments) ? block.arguments : undefined);
    this.#calls[index] = call;
    this.#opened?.push(call);
    return call;
  }

  #end(partial: AssistantMessage, index: number, toolCall: GuardedToolCall): void {
    const call = this.#calls[index] ?? this.#open(partial, index);
    if (call === undefined) return;
    call.ended = true;
    this.#close(toolCall, call);
    const shown = partial.content[index];
    if (shown !== toolCall && shown?.type === "toolCall") this.#close(shown, call);
  }

  /** Writes id, name and settled arguments into the block; a call that was right is left alone. */
  #close(block: GuardedToolCall, call: OpenCall): void {
    if (block.id !== call.id) block.id = call.id;
    if (call.lateName !== undefined) block.name = call.lateName;
    this.#rename(block);
    if (!holdsSomething(block.arguments)) this.#fill(block, call);
    const settled = settledAtEnd(block, call);
    if (settled === block) return;
    delete block.argumentsError;
    Object.assign(block, settled);
  }

  /** Arguments for a call that upstream takes for one without: what came with the start, or what streamed. */
  #fill(block: GuardedToolCall, call: OpenCall): void {
    const text = call.text.trim();
    // Some servers put the whole input into the start event, and no text or a placeholder behind it.
    if (text === "" || text === "{}") {
      if (call.initial !== undefined) block.arguments = call.initial;
    } else if (block.argumentsError === undefined) {
      // An empty text at the end does not take back what was sent.
      Object.assign(block, withText(block, text));
    }
  }

  #rename(block: GuardedToolCall): void {
    if (typeof block.name !== "string") block.name = "";
    if (block.name === "") return;
    const name = this.#turn.toolName(block.name);
    if (name !== block.name) block.name = name;
  }

  #finish(event: Extract<AssistantMessageEvent, { type: "done" | "error" }>): AssistantMessageEvent {
    this.finished = true;
    const sent = event.type === "done" ? event.message : event.error;
    const settled = this.#settled(sent);
    if (event.type === "done") {
      const message = this.#prepared(settled);
      if (message === sent) return event;
      // Calls that were found in the text change what the reply stopped for.
      const reason = message.stopReason === sent.stopReason ? event.reason : message.stopReason;
      return { ...event, reason: reason as typeof event.reason, message };
    }
    const meant = event.reason === "error" ? readForeignFinish(settled) : undefined;
    if (meant === undefined) return settled === sent ? event : { ...event, error: settled };
    const reason = meant.stopReason as "stop" | "length" | "toolUse";
    return { type: "done", reason, message: this.#prepared(meant) };
  }

  #settled(message: AssistantMessage): AssistantMessage {
    const { startHoldsInput, blocks } = this.#turn.context;
    if (startHoldsInput === true) for (const call of this.#calls) call?.takeInitial();
    if (blocks?.lostText) for (const call of this.#calls) call?.doubt();
    return settleMessage(message, this.#turn, this.#calls);
  }

  #prepared(message: AssistantMessage): AssistantMessage {
    const { prepare, messages } = this.#turn.context;
    return prepare === undefined ? message : prepare(message, messages);
  }
}

function settledAtEnd(block: GuardedToolCall, call: OpenCall): GuardedToolCall {
  if (block.argumentsError === undefined) return withObject(block);
  const raw = rawTextOf(block, call.text);
  if (raw === undefined) return block;
  // An object sent as a delta became "[object Object]" upstream; the pieces hold what was sent. So they do where the end says
  // that there was nothing.
  const fromPieces = raw.includes("[object Object]") || (raw.trim() === "null" && call.text.trim() !== "");
  return withText(block, fromPieces ? call.text : raw);
}

/** Whether arguments are more than a placeholder: fields, items, or JSON that was encoded once too often. */
function holdsSomething(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (typeof value !== "object" || value === null) return false;
  for (const _ in value) return true;
  return false;
}

function messageOf(cause: unknown): string {
  if (cause === undefined || cause === null) return "";
  return cause instanceof Error ? cause.message : String(cause);
}

/** A reply of which nothing has come yet. */
export function emptyReply(model: Model<string> | undefined, timestamp: number): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content: [],
    api: model?.api ?? "unknown",
    provider: model?.provider ?? "unknown",
    model: model?.id ?? "unknown",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: "pending",
    timestamp,
  };
}
