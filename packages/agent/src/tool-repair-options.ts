// What a host may say about repair in the agent loop. Types only; every field is optional.
import type { ThinkingLevel, AgentLoopConfig as UpstreamLoopConfig } from "@earendil-works/pi-agent-core";
import type { Api, Model } from "@earendil-works/pi-ai";
import type { TelemetryContext } from "@earendil-works/pi-telemetry";
import type { ToolHints } from "@pi-mend/ai/tool-repair";
import type { RepairProfile } from "./leak-profiles.ts";
import type { LeakOutcome } from "./leaked-message.ts";
import type { CallOrigin, OutcomeSink } from "./outcome.ts";
import type { RepairSession } from "./repair-session.ts";

export interface TeachOptions {
  /** After the first note, every how many firings the note is repeated (default 5). */
  readonly repeatEvery?: number | undefined;
}

/** The model that takes one turn when another one failed three times in the same way. */
export interface StrongerModel {
  // biome-ignore lint/suspicious/noExplicitAny: models of all APIs fit, as in upstream's own configuration
  readonly model: Model<any>;
  /** Its thinking level; the run's own where absent. */
  readonly thinkingLevel?: ThinkingLevel | undefined;
}

/** What was done about a reply that printed calls as text. Holds nothing of the text. */
export interface LeakReport extends CallOrigin {
  readonly action: Exclude<LeakOutcome["action"], "none">;
  /** The grammars, each once. */
  readonly families: readonly string[];
}

export interface ToolRepairOptions {
  /** What becomes of calls that a model prints as text. Default `adaptive`: they are taken out, and the model is told. */
  readonly profile?: RepairProfile | undefined;
  /** `false` appends nothing to results; bounces keep their text. Default on. */
  readonly teach?: boolean | TeachOptions | undefined;
  /** Hints by tool name; they take the place of what the tool itself carries as `hints`. */
  readonly hints?: Readonly<Record<string, ToolHints>> | undefined;
  /** Gates for tools whose hints declare none. */
  readonly modelGates?: NonNullable<ToolHints["modelGates"]> | undefined;
  /** Gets one event per call. */
  readonly onOutcome?: OutcomeSink | undefined;
  /** Hears of each reply that printed calls as text: what was done, and in which grammars. */
  readonly onLeak?: ((leak: LeakReport) => void) | undefined;
  /** Where counters and span events go; default the `telemetry` span of the loop's configuration. */
  readonly telemetry?: TelemetryContext | undefined;
  /** State to go on with, and to share; by default it is read from the transcript. */
  readonly session?: RepairSession | undefined;
  readonly strongerModel?: StrongerModel | undefined;
}

/** `false` is upstream, byte for byte. */
export type ToolRepair = ToolRepairOptions | false;

/** Upstream's configuration, and repair. */
export interface AgentLoopConfig extends UpstreamLoopConfig {
  toolRepair?: ToolRepair | undefined;
}

export type LoopModel = Model<Api>;
