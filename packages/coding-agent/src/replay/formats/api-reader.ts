// What the readers of API transcripts share: lines to rows, and what a row says about the messages after it. Tools and model are
// those of the last row that named some. Never reads a message; each API does that its own way.
import { toolsetOf } from "../toolset-track.ts";
import type { Toolset, TranscriptReader, TurnSink } from "../turn.ts";
import { isObject, objectsIn, parsedLine, type Row } from "./json-line.ts";
import { OpenTurns } from "./open-turns.ts";

export abstract class ApiReader implements TranscriptReader {
  protected readonly turns: OpenTurns;
  protected tools: Toolset = toolsetOf([]);
  protected model = "";
  readonly #sink: TurnSink;

  constructor(sink: TurnSink) {
    this.#sink = sink;
    this.turns = new OpenTurns(sink);
  }

  line(line: Buffer): void {
    const row = parsedLine(line);
    if (row === undefined) this.#sink.damaged();
    else this.#read(row);
  }

  longLine(): void {
    this.#sink.oversized();
  }

  end(): void {
    this.turns.end();
  }

  /** Name and parameters of a tool as the API declares it. */
  protected abstract declaration(tool: Row): Row;

  /** The messages that stand in a row itself. */
  protected abstract messages(row: Row): void;

  /** A record that holds `request` and `response` is read as those two, in that order. */
  #read(row: Row): void {
    for (const part of [row["request"], row["response"]]) if (isObject(part)) this.#read(part);
    const tools = objectsIn(row["tools"]);
    if (tools.length > 0) this.tools = toolsetOf(tools.map((tool) => this.declaration(tool)));
    if (typeof row["model"] === "string") this.model = row["model"];
    this.messages(row);
  }
}
