// Starts the user's pi once with the probe extension and a model on loopback, and hands back what both saw. The session is
// not stored. Ends the process that it started, whatever happens.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../settings/environment.ts";
import type { FoundPi } from "./find-pi.ts";
import { PROBE_EXTENSION, PROBE_TOOL, type Sighting } from "./probe-extension.ts";
import { startProbeServer } from "./probe-server.ts";

export interface Probe {
  readonly sighting: Sighting;
  /** What pi sent to its model. */
  readonly requests: readonly string[];
}

const TIMEOUT_MS = 60_000;
/** A call that the probe replaces, one whose arguments are no JSON, one that it refuses, one that it leaves to pi. */
const CALLS = [
  [PROBE_TOOL, '{"wrong":1}'],
  [PROBE_TOOL, '{"text":'],
  [PROBE_TOOL, '{"text":"refuse"}'],
  [PROBE_TOOL, '{"text":null}'],
] as const;

/**
 * @param isolated true: pi alone, in temporary folders. false: as the user starts it, with the user's extensions, and
 * without a tool call
 */
export async function probePi(
  pi: FoundPi,
  env: Environment,
  cwd: string,
  isolated: boolean,
): Promise<Probe | undefined> {
  const root = mkdtempSync(join(tmpdir(), "pi-mend-doctor-"));
  const server = await startProbeServer(isolated ? CALLS : []);
  try {
    const extension = join(root, "probe.mjs");
    const file = join(root, "seen.json");
    writeFileSync(extension, PROBE_EXTENSION);
    for (const name of ["home", "work"]) mkdirSync(join(root, name));
    const agent = join(root, "home", ".pi", "agent");
    const alone = isolated
      ? { HOME: join(root, "home"), USERPROFILE: join(root, "home"), PI_CODING_AGENT_DIR: agent }
      : {};
    const probed = { PI_MEND_PROBE_FILE: file, PI_MEND_PROBE_URL: server.url, PI_OFFLINE: "1", PI_TELEMETRY: "0" };
    const args = [
      ...["--print", "--offline", "--no-session", "--provider", "pi-mend-probe", "--model", "probe"],
      ...(isolated ? ["--no-extensions", "--no-skills", "--no-prompt-templates", "--no-context-files"] : []),
      ...["-e", extension, "probe"],
    ];
    await run(pi, args, isolated ? join(root, "work") : cwd, { ...env, ...alone, ...probed });
    return { sighting: JSON.parse(readFileSync(file, "utf8")) as Sighting, requests: server.requests };
  } catch {
    return undefined;
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function run(pi: FoundPi, args: readonly string[], cwd: string, env: Environment): Promise<void> {
  const [command, ...first] = pi.isScript ? [process.execPath, pi.file] : [pi.file];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { cwd, env: { ...env }, stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
