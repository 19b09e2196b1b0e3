// The state of pi-mend's files: there or not, sound or not, writable or not, and what is left over beside them.
// Broken files are set aside by reading them, as everywhere.
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AdaptationStore } from "../../memory/adaptation/adaptation-store.ts";
import { replaysTruly } from "../../memory/failures/failure-record.ts";
import { failureLog } from "../../memory/failures/failure-records.ts";
import type { MemoryPaths } from "../../memory/memory-paths.ts";
import { telemetryLog } from "../../memory/telemetry/telemetry-log.ts";
import { plural } from "../../replay/replay-table.ts";
import { readSettingsFile } from "../../settings/resolve-settings.ts";

export interface FileState {
  readonly path: string;
  /** Bytes; 0 where there is no file. */
  readonly size: number;
  readonly about: string;
  readonly problems: readonly string[];
}

export function fileStates(paths: MemoryPaths, now: number): readonly FileState[] {
  return [
    state(paths.settings, () => ({ about: "settings", problems: readSettingsFile(paths.settings).warnings })),
    state(paths.telemetry, () => {
      const { records, warnings } = telemetryLog(paths.telemetry, paths.isTelemetryNamed).read(now);
      return { about: plural(records.length, "record"), problems: warnings };
    }),
    state(paths.failures, () => {
      const { records, warnings } = failureLog(paths.failures).read(now);
      const untrue = records.filter((record) => !replaysTruly(record)).length;
      const changed = untrue === 0 ? "" : `, ${untrue} of them settled by today's repairs`;
      return { about: `${plural(records.length, "bounce")}${changed}`, problems: warnings };
    }),
    state(paths.adaptation, () => {
      const problems: string[] = [];
      const warn = (warning: string) => void problems.push(warning);
      const models = new AdaptationStore({ path: paths.adaptation, now: () => now, warn }).models();
      const rules = [...models.values()].reduce((sum, memory) => sum + memory.rules.length, 0);
      return { about: `${plural(models.size, "model")}, ${plural(rules, "rule")}`, problems };
    }),
  ];
}

function state(path: string, look: () => { about: string; problems: readonly string[] }): FileState {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  const beside = leftOver(path);
  const locked = isWritable(path) ? [] : [`${path} cannot be written; nothing is kept`];
  if (size === undefined) return { path, size: 0, about: "not there yet", problems: [...locked, ...beside] };
  const { about, problems } = look();
  return { path, size, about, problems: [...problems, ...locked, ...beside] };
}

/** Whether the file, or the nearest folder above it that exists, takes writes. */
function isWritable(path: string): boolean {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    accessSync(at, constants.W_OK);
    return at === path || statSync(at).isDirectory();
  } catch {
    return false;
  }
}

function leftOver(path: string): string[] {
  const name = basename(path);
  try {
    return readdirSync(dirname(path))
      .filter((other) => other.startsWith(`${name}.broken-`))
      .map((other) => `set aside earlier: ${join(dirname(path), other)}`);
  } catch {
    return [];
  }
}
