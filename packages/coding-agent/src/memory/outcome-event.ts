// What memory takes in: one event per tool call, as the agent package reports them, and for a bounce what was sent.
// Types only. Declared by structure, so that any door's events fit.
import type { BounceFailure, RepairTool } from "@pi-mend/ai/tool-repair";

interface Origin {
  readonly model: string;
  readonly provider: string;
  readonly api: string;
  readonly tool: string;
  readonly modes: readonly string[];
}

/** What became of one call. */
export interface CallEvent extends Origin {
  readonly outcome: "clean" | "repaired" | "bounced" | "refused";
  readonly forgiven: readonly string[];
  readonly taught: "none" | "note" | "rule";
  readonly executed: "ok" | "error" | "not-run";
}

/** The same call failed in the same way again and again. */
export interface EscalationEvent extends Origin {
  readonly outcome: "escalation";
  readonly failures: number;
  readonly strongerModel: boolean;
}

export type MemoryEvent = CallEvent | EscalationEvent;

/** A message held calls as text: what was done about them, never what they say. */
export interface LeakEvent extends Pick<Origin, "model" | "provider" | "api"> {
  readonly action: "observed" | "kept" | "stripped" | "recovered";
  /** The grammars. */
  readonly families: readonly string[];
  /** Why some of them could not have run. */
  readonly refused: readonly string[];
}

/** Calls that one call's tool made itself. */
export interface NestedEvent extends Pick<Origin, "model" | "provider" | "api"> {
  readonly calls: readonly { readonly name: string; readonly status: string }[];
}

/** What is known about the call of an event. Only ever held in memory: it carries the arguments. */
export interface CallDetail {
  readonly tool: RepairTool | undefined;
  /** The arguments as sent; `undefined` where they were text. */
  readonly sent: unknown;
  readonly prepared: { readonly outcome: string; readonly failures?: readonly BounceFailure[] };
}

export type MemorySink = (event: MemoryEvent, detail?: CallDetail) => void;
