// What became of one tool call, as an event for measuring: which modes fired, what the model was taught, whether it ran.
// Built once per call, and only where somebody listens. Never holds a value, a path or a key that a model made up.
import type { ForgivenName, RepairTool } from "@pi-mend/ai/tool-repair";
import { type CallShape, callShape } from "./call-shape.ts";
import type { PreparedToolCall } from "./prepare-tool-call.ts";

/** Who made the call. */
export interface CallOrigin {
  readonly model: string;
  readonly provider: string;
  readonly api: string;
}

export type Executed = "ok" | "error" | "not-run";
export type Taught = "none" | "note" | "rule";

/** One per call. */
export interface CallOutcome extends CallOrigin {
  /** The tool's name, or `(unknown)` where the call named none. */
  readonly tool: string;
  /** `bounced`: the schema refused the arguments. `refused`: there were no arguments to read, or no such tool. */
  readonly outcome: "clean" | "repaired" | "bounced" | "refused";
  /** Names of the repairs made; for a bounce the schema keywords that failed, for a refusal its reason, `unreadable` where the host gave it. */
  readonly modes: readonly string[];
  /** What the lenient reader overlooked. */
  readonly forgiven: readonly ForgivenName[];
  readonly taught: Taught;
  readonly executed: Executed;
  /** Made when it is first read: a sink that only counts does not pay for it. */
  readonly shape: CallShape;
}

/** The same tool failed in the same way three times, or six, or nine. */
export interface EscalationOutcome extends CallOrigin {
  readonly tool: string;
  readonly outcome: "escalation";
  readonly modes: readonly string[];
  /** How many identical failures there are. */
  readonly failures: number;
  /** Whether a stronger model takes the next turn. */
  readonly strongerModel: boolean;
  readonly shape: CallShape;
}

export type OutcomeEvent = CallOutcome | EscalationOutcome;

/**
 * Takes events. What it throws is ignored: measuring never breaks a run. The verdict behind the event holds what the model
 * sent: it is for sinks that derive value-free records from it, and is never to be stored as it is.
 */
export type OutcomeSink = (event: OutcomeEvent, verdict?: CallVerdict) => void;

const UNKNOWN_TOOL = "(unknown)";

/** What is known about a call before it runs. */
export interface CallVerdict {
  readonly origin: CallOrigin;
  readonly tool: RepairTool | undefined;
  /** The arguments as sent, `undefined` where they could not be read. */
  readonly sent: unknown;
  readonly prepared: PreparedToolCall;
}

export function callOutcome(verdict: CallVerdict, taught: Taught, executed: Executed): CallOutcome {
  const { prepared, tool } = verdict;
  let shape: CallShape | undefined;
  return {
    ...verdict.origin,
    tool: tool?.name ?? UNKNOWN_TOOL,
    outcome: isRefused(prepared) ? "refused" : prepared.outcome,
    modes: modesOf(prepared),
    forgiven: forgivenBy(prepared),
    taught,
    executed,
    get shape() {
      shape ??= shapeFor(verdict);
      return shape;
    },
  };
}

export function escalationOutcome(verdict: CallVerdict, failures: number, strongerModel: boolean): EscalationOutcome {
  return {
    ...verdict.origin,
    tool: verdict.tool?.name ?? UNKNOWN_TOOL,
    outcome: "escalation",
    modes: modesOf(verdict.prepared),
    failures,
    strongerModel,
    shape: shapeFor(verdict),
  };
}

/** The names that a call counts under, each once. */
export function modesOf(prepared: PreparedToolCall): readonly string[] {
  switch (prepared.outcome) {
    case "clean":
      return [];
    case "repaired":
      return [...new Set(prepared.repairs.map((repair) => repair.name))];
    case "bounced":
      if (prepared.unknownTool) return ["unknownTool"];
      if (isRefused(prepared)) return [prepared.unreadable ?? "unreadable"];
      return [...new Set(prepared.failures?.map((failure) => failure.keyword))];
    default:
      return prepared satisfies never;
  }
}

/** Whether there was no tool, or nothing that the tool's schema could have looked at. */
export function isRefused(prepared: PreparedToolCall): boolean {
  return prepared.outcome === "bounced" && (prepared.unreadable !== undefined || prepared.failures === undefined);
}

function forgivenBy(prepared: PreparedToolCall): readonly ForgivenName[] {
  if (prepared.outcome !== "repaired") return [];
  return [...new Set(prepared.repairs.flatMap((repair) => repair.forgiven ?? []))];
}

function shapeFor({ prepared, tool, sent }: CallVerdict): CallShape {
  if (tool === undefined) return { sent: "unknown", at: [] };
  const pointers =
    prepared.outcome === "repaired"
      ? prepared.repairs.map((repair) => repair.path)
      : prepared.outcome === "bounced"
        ? (prepared.failures ?? []).map((failure) => failure.path)
        : [];
  const shape = callShape(tool.parameters, sent, pointers);
  return sent === undefined ? { ...shape, sent: "text" } : shape;
}
