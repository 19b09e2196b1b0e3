// Turns of a transcript whose results come in later messages: keeps the last ones open until their calls are answered.
// Bounded; also knows which calls were seen, for logs that repeat the conversation with every request.
import { createHash } from "node:crypto";
import { isShallow } from "../too-deep.ts";
import type { CallResult, ReplayTurn, TurnSink } from "../turn.ts";

const MAX_OPEN = 64;
const MAX_SEEN = 50_000;

export class OpenTurns {
  readonly #sink: TurnSink;
  #open: ReplayTurn[] = [];
  readonly #seen = new Set<string>();

  constructor(sink: TurnSink) {
    this.#sink = sink;
  }

  /**
   * Takes a turn, unless an equal one was taken: what it said and called, whatever else a client keeps, drops or adds when it
   * sends a message again.
   *
   * @param content the whole message's, for a turn without either
   */
  add(turn: ReplayTurn, text: string, content: unknown): void {
    const calls = turn.calls.map(({ block }) => [block.id, block.name, block.arguments, block.argumentsError]);
    const told = text === "" && calls.length === 0 ? content : [text, calls];
    let json = "";
    const isTold = isShallow(() => {
      json = JSON.stringify(told) ?? "";
    });
    if (!isTold) return void this.#sink.damaged();
    const print = createHash("sha1").update(json).digest("base64");
    if (this.#seen.has(print)) return;
    this.#seen.add(print);
    if (this.#seen.size > MAX_SEEN) this.#forgetOldest();
    this.#open.push(turn);
    if (this.#open.length > MAX_OPEN) this.#sink.turn(this.#open.shift()!);
  }

  answer(callId: string, result: CallResult, at: number): void {
    for (const turn of this.#open.toReversed()) {
      const call = turn.calls.find(({ block, result }) => result === undefined && block.id === callId);
      if (call === undefined) continue;
      call.result = result;
      turn.ended = Math.max(turn.ended, at);
      return;
    }
  }

  end(): void {
    for (const turn of this.#open) this.#sink.turn(turn);
    this.#open = [];
  }

  #forgetOldest(): void {
    for (const oldest of this.#seen) {
      this.#seen.delete(oldest);
      return;
    }
  }
}
