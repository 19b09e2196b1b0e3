// The vocabulary of replay: one turn of a model as any transcript format tells it, and what takes turns. Types only.
import type { ToolCall } from "@earendil-works/pi-ai";
import type { ToolLookup } from "@pi-mend/agent/prepare-tool-call";
import type { FailureRecord } from "../memory/failures/failure.schema.ts";

/** What a transcript says about a call's end. */
export interface CallResult {
  /** `undefined` where the format does not say. */
  readonly isError: boolean | undefined;
  /** Start of the result's text; `""` where nobody looked. */
  readonly text: string;
}

/** One call of a turn, with its result as soon as that is read. */
export interface ReplayCall {
  readonly block: ToolCall;
  /** Made by a tool, not by the model itself: it cost no turn. */
  readonly isNested: boolean;
  result?: CallResult;
}

/** The tools that a model could call at one point of a transcript. */
export interface Toolset {
  readonly lookup: ToolLookup;
  /** Whether the transcript declares them. Otherwise they are known ones of the program that wrote it. */
  readonly isDeclared: boolean;
  /** The same tools as other releases had them: for calls that ran. */
  readonly others: readonly ToolLookup[];
}

/** Tokens and money of one turn. */
export interface TurnUsage {
  readonly tokens: number;
  /** Billionths of a dollar, so that sums do not depend on their order. */
  readonly nanodollars: number;
}

export interface ReplayTurn {
  readonly provider: string;
  readonly model: string;
  /** Milliseconds since 1970, 0 where unknown: when the request began, and when its last result was there. */
  readonly started: number;
  ended: number;
  /** `cut`: the response hit its limit, so that no call of it runs. `failed`: it failed or was stopped. */
  readonly stop: "done" | "cut" | "failed";
  readonly usage: TurnUsage;
  readonly calls: ReplayCall[];
  readonly tools: Toolset;
  /** Calls that the turn printed as text. */
  readonly printed: number;
}

export interface TurnSink {
  readonly turn: (turn: ReplayTurn) => void;
  readonly failure: (record: FailureRecord) => void;
  /** A line that is no JSON, or not what the format knows. */
  readonly damaged: () => void;
  /** A line above the bound that might have held calls. */
  readonly oversized: () => void;
}

/** Reads one file of one format. */
export interface TranscriptReader {
  readonly line: (line: Buffer) => void;
  readonly longLine: (head: Buffer, tail: Buffer) => void;
  /** No more lines come. */
  readonly end: () => void;
}
