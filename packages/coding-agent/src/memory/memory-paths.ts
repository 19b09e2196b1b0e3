// Where pi-mend's files are. Asked once per session or command. Nothing here touches the disk.
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, expandPath, readEnvironment } from "../settings/environment.ts";

export interface MemoryPaths {
  readonly folder: string;
  readonly settings: string;
  readonly telemetry: string;
  /** Whether the environment named that file: it may be somebody else's. */
  readonly isTelemetryNamed: boolean;
  readonly failures: string;
  readonly adaptation: string;
  /** Settings of the project; they count only where pi trusts the project. */
  readonly projectSettings: string;
}

/** pi's agent folder: `PI_CODING_AGENT_DIR`, or `~/.pi/agent`. */
export function agentDir(env: Environment, cwd: string): string {
  const named = env["PI_CODING_AGENT_DIR"];
  return named ? expandPath(named, cwd) : join(env["HOME"] || homedir(), ".pi", "agent");
}

export function memoryPaths(env: Environment, cwd: string): MemoryPaths {
  const folder = join(agentDir(env, cwd), "pi-mend");
  const named = readEnvironment(env, cwd);
  return {
    folder,
    settings: named.settingsPath ?? join(folder, "settings.json"),
    telemetry: named.telemetryPath ?? join(folder, "telemetry.jsonl"),
    isTelemetryNamed: named.telemetryPath !== undefined,
    failures: join(folder, "failures.jsonl"),
    adaptation: join(folder, "adaptation.json"),
    projectSettings: join(cwd, ".pi", "pi-mend", "settings.json"),
  };
}
