// Reads `failures.jsonl`: the records of bounced calls that this package keeps. Each holds its tool's schema and a call
// without values that fails as the real one did.
import { type FailureRecord, FailureRecordSchema } from "../../memory/failures/failure.schema.ts";
import { schemaCheck } from "../../memory/schema-check.ts";
import type { TranscriptReader, TurnSink } from "../turn.ts";
import { parsedLine } from "./json-line.ts";

const CHECK = schemaCheck<FailureRecord>(FailureRecordSchema);

export class FailureFileReader implements TranscriptReader {
  readonly #sink: TurnSink;

  constructor(sink: TurnSink) {
    this.#sink = sink;
  }

  line(line: Buffer): void {
    const record = parsedLine(line);
    if (CHECK.accepts(record)) this.#sink.failure(record);
    else this.#sink.damaged();
  }

  longLine(): void {
    this.#sink.damaged();
  }

  end(): void {}
}
