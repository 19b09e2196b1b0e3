// Reads the files and computes health from them. Runs on a command, never on a call.
import { AdaptationStore } from "../adaptation/adaptation-store.ts";
import type { MemoryPaths } from "../memory-paths.ts";
import { telemetryLog } from "../telemetry/telemetry-log.ts";
import { type Health, healthOf } from "./health.ts";

export interface ReadHealth {
  readonly health: Health;
  /** Files or lines that could not be read, one sentence each. */
  readonly warnings: readonly string[];
}

/** @param model `provider/model`; without it all models */
export function readHealth(paths: MemoryPaths, now: number, model?: string): ReadHealth {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const store = new AdaptationStore({ path: paths.adaptation, now: () => now, warn });
  const { records, warnings: lines } = telemetryLog(paths.telemetry, paths.isTelemetryNamed).read(now);
  const health = healthOf(records, store.models(), now);
  const shown = model === undefined ? health : onlyModel(health, model);
  return { health: shown, warnings: [...warnings, ...lines] };
}

function onlyModel(health: Health, model: string): Health {
  return {
    ...health,
    models: health.models.filter((one) => one.model === model),
    deadRepairs: [],
    deadNotes: health.deadNotes.filter((note) => note.model === model),
  };
}
