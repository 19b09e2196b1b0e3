// Reads Claude Code's session files. One response is written as several lines, a block each, with its usage so far: they are
// one turn here, and the largest usage is the whole. The tools are not in the file; those that replay knows are judged.
import { timeOf } from "../line-head.ts";
import type { ReplayTurn, TranscriptReader, TurnSink } from "../turn.ts";
import { anthropicTurn } from "./anthropic.ts";
import { CLAUDE_CODE_TOOLS } from "./claude-code-tools.ts";
import { isObject, objectsIn, parsedLine, type Row, textIn, textOf } from "./json-line.ts";

/** A turn of a response's earlier lines with the turn of the next one. */
function joined(turn: ReplayTurn, part: ReplayTurn, at: number): ReplayTurn {
  const known = new Set(turn.calls.map(({ block }) => block.id));
  return {
    ...turn,
    calls: [...turn.calls, ...part.calls.filter(({ block }) => block.id === "" || !known.has(block.id))],
    printed: turn.printed + part.printed,
    ended: Math.max(turn.ended, at),
    stop: part.stop === "done" ? turn.stop : part.stop,
    usage: part.usage.tokens > turn.usage.tokens ? part.usage : turn.usage,
  };
}

/** Markup that the program puts around an error. */
const ERROR_TAG = /^<tool_use_error>/;

export class ClaudeCodeReader implements TranscriptReader {
  readonly #sink: TurnSink;
  #turn: ReplayTurn | undefined;
  #responseId = "";
  /** When the conversation last waited for the model. */
  #asked = 0;

  constructor(sink: TurnSink) {
    this.#sink = sink;
  }

  line(line: Buffer): void {
    // Snapshots of files and the like.
    if (line.indexOf(ASSISTANT) < 0 && line.indexOf(RESULT) < 0 && line.indexOf(USER) < 0)
      return void this.#other(line);
    const row = parsedLine(line);
    if (row === undefined) return void this.#sink.damaged();
    const { message, type, timestamp } = row;
    if (!isObject(message)) return;
    const at = timeOf(timestamp);
    if (type === "assistant") this.#assistant(row, message, at);
    else if (type === "user") this.#results(message, at);
  }

  longLine(): void {
    this.#sink.oversized();
  }

  end(): void {
    if (this.#turn !== undefined) this.#sink.turn(this.#turn);
    this.#turn = undefined;
    this.#responseId = "";
  }

  #other(line: Buffer): void {
    if (line[0] !== 0x7b || line[line.length - 1] !== 0x7d) this.#sink.damaged();
  }

  #assistant(row: Row, message: Row, at: number): void {
    const id = `${textOf(message["id"])} ${textOf(row["requestId"])}`;
    const part = anthropicTurn(message, {
      ...{ provider: "claude-code", model: textOf(message["model"]), tools: CLAUDE_CODE_TOOLS },
      at: this.#asked || at,
    });
    if (this.#turn !== undefined && id === this.#responseId && id.trim() !== "") {
      this.#turn = joined(this.#turn, part, at);
      return;
    }
    this.end();
    this.#responseId = id;
    this.#turn = { ...part, ended: at };
  }

  #results(message: Row, at: number): void {
    this.#asked = at;
    for (const block of objectsIn(message["content"])) {
      if (block["type"] !== "tool_result") continue;
      const callId = textOf(block["tool_use_id"]);
      const call = this.#turn?.calls.find((one) => one.result === undefined && one.block.id === callId);
      if (this.#turn === undefined || call === undefined) continue;
      call.result = { isError: block["is_error"] === true, text: textIn(block["content"]).replace(ERROR_TAG, "") };
      this.#turn.ended = Math.max(this.#turn.ended, at);
    }
  }
}

const ASSISTANT = Buffer.from('"assistant"');
const RESULT = Buffer.from('"tool_result"');
const USER = Buffer.from('"user"');
