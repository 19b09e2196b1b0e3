// Where the user's own sessions are: as pi finds them, without pi. Looks at the environment and at pi's user settings.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDir } from "../memory/memory-paths.ts";
import { type Environment, expandPath } from "../settings/environment.ts";

export function sessionFolder(env: Environment, cwd: string): string {
  const agent = agentDir(env, cwd);
  const named = env["PI_CODING_AGENT_SESSION_DIR"] || settledFolder(join(agent, "settings.json"));
  return named ? expandPath(named, cwd) : join(agent, "sessions");
}

function settledFolder(settings: string): string | undefined {
  try {
    const { sessionDir } = JSON.parse(readFileSync(settings, "utf8"));
    return typeof sessionDir === "string" ? sessionDir : undefined;
  } catch {
    return undefined;
  }
}
