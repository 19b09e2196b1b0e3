// Runs the installed pi binary once in print mode against a given chat-completions server, for demos and tests. The
// configuration lives in the home folder that the caller names. It never reads the user's own settings, keys, sessions or
// extensions, and never reaches for the network beyond that server.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** The pi binary that the workspace pins. */
export const PI_CLI = join(
  dirname(fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent"))),
  "bundle",
  "cli.js",
);

/** The Node that pi runs on: the workspace's own, or this process's when that one is missing. */
export const NODE = nodeBinary();

export const PROVIDER = "scripted";
export const MODEL = "scripted";

/**
 * Runs pi with one prompt and waits for its end.
 *
 * @param {object} run
 * @param {string} run.home temporary HOME; `.pi/agent` is made below it and its `models.json` is overwritten
 * @param {string} [run.agentDir] pi's agent folder, where it is not the one below `home`
 * @param {string} run.cwd folder pi works in
 * @param {string} run.serverUrl base URL of the chat-completions server, ending in `/v1`
 * @param {readonly string[]} [run.extensions] files or package folders, loaded with `-e`; nothing else is loaded
 * @param {boolean} [run.alone] `false`: with the extensions that pi itself brings, MCP and codemode among them
 * @param {string} run.prompt
 * @param {Record<string, string>} [run.env] added last, so it may replace what is set here
 * @param {readonly string[]} [run.args] further command-line arguments
 * @param {string} [run.cli] the script of another pi than the one that the workspace pins
 * @param {readonly string[]} [run.via] a command that starts pi, with its arguments
 * @param {{ uid?: number, gid?: number }} [run.as] the user that pi runs as; default is this process's
 * @param {() => void} [run.beforeStart] called when all files are written and pi is not yet started
 * @param {number} [run.timeoutMs] default 60,000; afterwards pi is killed and `code` is `null`
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, sessionFile?: string }>} whatever pi's exit
 *   code is; rejects only when the process cannot be started
 */
export function runPi({
  home,
  agentDir = join(home, ".pi", "agent"),
  cwd,
  serverUrl,
  extensions = [],
  alone = true,
  prompt,
  env = {},
  args = [],
  cli = PI_CLI,
  via = [],
  as = {},
  beforeStart,
  timeoutMs = 60_000,
}) {
  const sessionDir = join(agentDir, "sessions");
  mkdirSync(agentDir, { recursive: true });
  writeFileSync(join(agentDir, "models.json"), JSON.stringify(modelsConfig(serverUrl), null, 2));

  const before = new Set(sessionFiles(sessionDir));
  beforeStart?.();
  const argv = [
    cli,
    ...["--print", "--offline", "--provider", PROVIDER, "--model", MODEL],
    ...(alone ? ["--no-extensions"] : []),
    ...["--no-skills", "--no-prompt-templates", "--no-context-files"],
    ...extensions.flatMap((path) => ["-e", path]),
    ...args,
    prompt,
  ];

  return new Promise((resolve, reject) => {
    const [command, ...words] = [...via, NODE, ...argv];
    const child = spawn(command, words, {
      ...as,
      cwd,
      env: { ...inheritedEnv(), ...isolatedEnv(home, agentDir), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      stdout += piece;
    });
    child.stderr.setEncoding("utf8").on("data", (piece) => {
      stderr += piece;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      const sessionFile = sessionFiles(sessionDir).find((file) => !before.has(file));
      resolve({ code, stdout, stderr, ...(sessionFile ? { sessionFile } : {}) });
    });
  });
}

function modelsConfig(serverUrl) {
  const model = { id: MODEL, name: "Scripted model", contextWindow: 128_000, maxTokens: 8_192 };
  const provider = { baseUrl: serverUrl, api: "openai-completions", apiKey: "unused", models: [model] };
  return { providers: { [PROVIDER]: provider } };
}

// Only what a process needs to start: no PI_* variable and no provider key of the caller gets through.
function inheritedEnv() {
  const names = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot", "ComSpec", "PATHEXT"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function isolatedEnv(home, agentDir) {
  return {
    HOME: home,
    USERPROFILE: home,
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
    PI_SKIP_VERSION_CHECK: "1",
    NO_COLOR: "1",
  };
}

function sessionFiles(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
}

function nodeBinary() {
  try {
    const installed = join(dirname(require.resolve("node/package.json")), "bin", "node");
    return existsSync(installed) ? installed : process.execPath;
  } catch {
    return process.execPath;
  }
}
