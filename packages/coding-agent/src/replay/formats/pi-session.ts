// Reads a pi session file: any version of the format, forks and compactions included. Lines that hold no call, no tool and
// no usage are known by their ends and not parsed.
import type { AssistantMessage, ToolCall, ToolResultMessage } from "@earendil-works/pi-ai";
import { LineHead, timeOf } from "../line-head.ts";
import { printedCalls } from "../printed-calls.ts";
import { RecentLines } from "../recent-lines.ts";
import { type ToolDeclarations, ToolsetTrack } from "../toolset-track.ts";
import type { CallResult, ReplayCall, ReplayTurn, TranscriptReader, TurnSink, TurnUsage } from "../turn.ts";
import { countOf, isObject, objectsIn, parsedLine, textIn, textOf } from "./json-line.ts";

/** A line of a session file, as far as replay reads it. */
interface Entry {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly parentId?: unknown;
  readonly timestamp?: unknown;
  readonly message?: unknown;
  readonly systemMessage?: unknown;
}

export class PiSessionReader implements TranscriptReader {
  readonly #sink: TurnSink;
  readonly #countFrom: number;
  readonly #recent = new RecentLines();
  #tools = new ToolsetTrack(0);
  #turn: ReplayTurn | undefined;

  /** @param countFrom entries before it are copies of another file's; they only say what tools there are */
  constructor(sink: TurnSink, countFrom = 0) {
    this.#sink = sink;
    this.#countFrom = countFrom;
  }

  line(line: Buffer): void {
    const head = new LineHead(line);
    if (head.kind === "parse") return void this.#parse(line);
    if (this.#tools.isForked) this.#tools.enter(...head.entry);
    if (head.kind === "nothing") return;
    this.#recent.keep(line);
    if (head.kind === "result") this.#answer(head.callId, FINE, head.time);
  }

  longLine(head: Buffer, tail: Buffer): void {
    const ends = new LineHead(head, tail);
    if (ends.kind === "parse") return void this.#sink.oversized();
    if (this.#tools.isForked) this.#tools.enter(...ends.entry);
    if (ends.kind === "result") this.#answer(ends.callId, FINE, ends.time);
  }

  end(): void {
    if (this.#turn !== undefined) this.#sink.turn(this.#turn);
    this.#turn = undefined;
  }

  #parse(line: Buffer): void {
    const entry = parsedLine(line);
    if (entry === undefined) return void this.#sink.damaged();
    const { type, message, timestamp, systemMessage } = entry as Entry;
    if (type === "session") {
      this.#tools = new ToolsetTrack(timeOf(timestamp));
      return;
    }
    const id = textOf((entry as Entry).id);
    this.#tools.enter(id, textOf((entry as Entry).parentId));
    if (type === "compaction" && isObject(systemMessage)) this.#tools.declare(id, systemMessage, true);
    if (type !== "message" || !isObject(message)) {
      this.#recent.keep(line);
      return;
    }
    const role = message["role"];
    if (role === "system") this.#tools.declare(id, message as ToolDeclarations, false);
    else if (role === "assistant") this.#begin(message as unknown as AssistantMessage, timeOf(timestamp));
    else {
      this.#recent.keep(line);
      if (role === "toolResult") this.#finish(message as unknown as ToolResultMessage, timeOf(timestamp));
    }
  }

  #begin(message: AssistantMessage, written: number): void {
    this.end();
    if (!Array.isArray(message.content) || written < this.#countFrom) return;
    const tools = this.#tools.current;
    const { stopReason, provider, model } = message;
    const stop =
      stopReason === "length" ? "cut" : stopReason === "error" || stopReason === "aborted" ? "failed" : "done";
    const content = message.content.filter(isObject);
    const calls = content.filter((block) => (block as { type?: unknown }).type === "toolCall");
    this.#turn = {
      ...{ provider: textOf(provider), model: textOf(model), stop, tools },
      started: timeOf(message.timestamp) || written,
      ended: written || timeOf(message.timestamp),
      usage: usageOf(message.usage),
      calls: calls.map((block) => ({ block: block as ToolCall, isNested: false })),
      printed:
        stop === "done" ? printedCalls({ ...message, content }, tools, (words) => this.#recent.textsWith(words)) : 0,
    };
  }

  #answer(callId: string, result: CallResult, at: number): ReplayCall | undefined {
    const turn = this.#turn;
    const call = turn?.calls.find((one) => !one.isNested && one.result === undefined && one.block.id === callId);
    if (turn === undefined || call === undefined) return undefined;
    call.result = result;
    turn.ended = Math.max(turn.ended, at);
    return call;
  }

  #finish(message: ToolResultMessage, written: number): void {
    const { toolCallId, isError, content, nestedCalls } = message;
    const text = isError ? textIn(content) : "";
    this.#answer(toolCallId, { isError: isError === true, text }, written);
    const nested = objectsIn(nestedCalls?.calls) as unknown as NonNullable<typeof nestedCalls>["calls"];
    for (const { id, name, arguments: args, status, error } of nested) {
      // Arguments that pi left out of the record cannot be looked at.
      if (!isObject(args) || status === "unfinished") continue;
      const block = { type: "toolCall", id, name, arguments: args } as ToolCall;
      const isError = status === "error";
      this.#turn?.calls.push({ block, isNested: true, result: { isError, text: textIn(error) } });
    }
  }
}

const FINE: CallResult = { isError: false, text: "" };

function usageOf(usage: Partial<AssistantMessage["usage"]> | undefined): TurnUsage {
  const { input, output, cacheRead, cacheWrite, cost } = usage ?? {};
  const tokens = [input, output, cacheRead, cacheWrite].reduce<number>((sum, count) => sum + countOf(count), 0);
  const dollars = Math.min(1e6, countOf(cost?.total));
  return { tokens, nanodollars: Math.round(dollars * 1e9) };
}
