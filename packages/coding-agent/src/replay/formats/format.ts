// The formats that replay reads, and which one a file is in. A pi session and a file of failure records are known by their
// first line; the others have to be named.
import type { TranscriptReader, TurnSink } from "../turn.ts";
import { AnthropicReader } from "./anthropic.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import { FailureFileReader } from "./failure-file.ts";
import { parsedLine, textOf } from "./json-line.ts";
import { OpenAiReader } from "./openai.ts";
import { PiSessionReader } from "./pi-session.ts";

export const FORMATS = ["pi", "failures", "openai", "anthropic", "claude-code"] as const;

export type Format = (typeof FORMATS)[number];

/** @param countFrom milliseconds since 1970: what a pi session holds of an earlier time is another file's */
export function readerFor(format: Format, sink: TurnSink, countFrom: number): TranscriptReader {
  switch (format) {
    case "pi":
      return new PiSessionReader(sink, countFrom);
    case "failures":
      return new FailureFileReader(sink);
    case "openai":
      return new OpenAiReader(sink);
    case "anthropic":
      return new AnthropicReader(sink);
    case "claude-code":
      return new ClaudeCodeReader(sink);
    default:
      return format satisfies never;
  }
}

/** The format that a first line tells; a session for one that tells nothing, as where the first line is damaged. */
export function formatOf(firstLine: Buffer): Format {
  const row = parsedLine(firstLine);
  return row?.["v"] === 1 && textOf(row["tool"]) !== "" && Array.isArray(row["places"]) ? "failures" : "pi";
}
