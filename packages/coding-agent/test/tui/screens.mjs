// Looks at the real pi in tmux, with the package in it, and compares what is on the screen with the texts in `screens/`. Run
// after a build, where tmux is installed: npm run test:screens [-- --record] [-- --package FOLDER]
// Lives in a temporary home and a tmux server of its own, and ends both. `--record` writes the texts anew.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NODE, PI_CLI } from "../../../../scripts/demo/run-pi.mjs";
import { startScriptedServer } from "../../../../scripts/demo/scripted-server.mjs";

const { values: options } = parseArgs({ options: { record: { type: "boolean" }, package: { type: "string" } } });
const SCREENS = fileURLToPath(new URL("screens/", import.meta.url));
const PACKAGE = options.package ?? fileURLToPath(new URL("../..", import.meta.url));
const MCP_SERVER = fileURLToPath(new URL("../support/mcp-server.cjs", import.meta.url));
const WAIT_MS = 20_000;

const TURNS = [
  {
    text: "I will look.",
    calls: [
      { id: "one", name: "read", arguments: '{"file_path":"notes.txt","limit":"1"}' },
      { id: "two", name: "bash", arguments: '{"command":["echo","two words"]}' },
    ],
  },
  { calls: [{ id: "three", name: "edit", arguments: '{"path":"notes.txt","old_string":"first","new_string":"1st"}' }] },
  { calls: [{ id: "", name: "labels", arguments: '{"names":"[\\"a\\",\\"日本語\\"]"}' }] },
  { calls: [{ id: "dug", name: "mcp__earth__dig", arguments: '{"deep":"7"}' }] },
  { calls: [{ id: "four", name: "read", arguments: '{"path":"notes.txt"}' }] },
  { text: "All done." },
];

const LABELS = `import { Type } from "typebox";
export default (pi) => pi.registerTool({
  name: "labels", label: "Labels", description: "Sets labels",
  parameters: Type.Object({ names: Type.Array(Type.String()) }),
  execute: async () => ({ content: [{ type: "text", text: "set" }], details: {} }),
});`;

const home = mkdtempSync(join(tmpdir(), "pi-mend-screens-"));
const socket = `pi-mend-${process.pid}`;
const server = await startScriptedServer(TURNS);
const failures = [];

const tmux = (...args) => execFileSync("tmux", ["-L", socket, ...args], { encoding: "utf8", stdio: "pipe" });
const keys = (...names) => tmux("send-keys", "-t", "pi", ...names);
const screen = () => tmux("capture-pane", "-p", "-t", "pi");

try {
  startPi();
  await shown("scripted", "pi's start");
  keys("go", "Enter");
  compare("repaired", await shown("All done."));
  keys("C-o");
  compare("opened", await shown("sent "));
  keys("C-o");
  await shown("All done.", "rows closed");
  keys("/reload", "Enter");
  compare("reloaded", await shown("Reloaded"));
  keys("/mend", "Escape");
  await pause(500);
  keys("Enter");
  compare("menu", await shown("pi-mend settings"));
  keys("mark");
  await shown("→ markers");
  keys("Enter");
  compare("menu-search", await shown("markers         off"));
  keys("Escape");
  await shown("~/", "the editor again");
  await command("/mend last", "the call ran");
  compare("last", await shown("the call ran"));
  await command("/mend settings markers default", "markers is on");
  await command("/mend health", "scripted/scripted");
  compare("health", screen());
  keys("/quit", "Enter");
  await ended();
  startPi("--continue");
  await shown("All done.", "the resumed session");
  compare("resumed", await shown("mended: jsonStringParse"));
  keys("C-o");
  compare("resumed-opened", await shown("sent "));
} finally {
  attempt(() => tmux("kill-server"));
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Types a command, closes the list of completions, and waits for what it says. */
async function command(line, answer) {
  keys(line, "Escape");
  await pause(500);
  keys("Enter");
  await shown(answer);
}

/** Waits until pi has left, and its terminal with it. */
async function ended() {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(200)) {
    if (attempt(() => tmux("has-session", "-t", "pi")) === undefined) return;
  }
  throw new Error("pi did not end");
}

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function startPi(...more) {
  const agentDir = join(home, ".pi", "agent");
  const cwd = join(home, "work");
  for (const folder of [agentDir, cwd]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "notes.txt"), "first line\nsecond line\n");
  const models = [{ id: "scripted", name: "Scripted", contextWindow: 128_000, maxTokens: 8_192 }];
  const provider = { baseUrl: server.url, api: "openai-completions", apiKey: "unused", models };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  const earth = { command: NODE, args: [MCP_SERVER], exposure: "direct" };
  writeFileSync(join(agentDir, "mcp.json"), JSON.stringify({ mcpServers: { earth } }));
  const labels = join(home, "labels.ts");
  writeFileSync(labels, LABELS);
  const env = {
    HOME: home,
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
    PI_SKIP_VERSION_CHECK: "1",
  };
  const isolated = { ...env, PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const flags = ["--offline", "--provider", "scripted", "--model", "scripted", "--no-extensions", "--no-skills"];
  const command = [
    ...["env", "-i", ...Object.entries(isolated).map(([name, value]) => `${name}=${value}`)],
    ...[NODE, PI_CLI, ...flags, "-e", PACKAGE, "-e", labels, "-e", "builtin:mcp", ...more],
  ];
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  tmux("new-session", "-d", "-s", "pi", "-x", "100", "-y", "90", "-c", cwd, quoted);
}

/** The screen once it holds `text` and no longer changes. */
async function shown(text, what = text) {
  const end = Date.now() + WAIT_MS;
  for (let before = ""; Date.now() < end; await pause(200)) {
    const now = screen();
    if (now.includes(text) && now === before) return now;
    before = now;
  }
  throw new Error(`${what} did not show up; the screen:\n${screen()}`);
}

function compare(name, drawn) {
  const text = normalised(drawn);
  const file = join(SCREENS, `${name}.txt`);
  if (options.record) writeFileSync(file, text);
  const wanted = existsSync(file) ? readFileSync(file, "utf8") : "";
  const isSame = wanted === text;
  console.log(`${isSame ? "same" : "DIFFERENT"} ${name}`);
  if (!isSame) failures.push(`--- ${name}, on the screen\n${text}`);
}

/** What is on the screen from the user's words on, without blanks at the end, places of this run, and pi's own status lines. */
function normalised(drawn) {
  const lines = drawn.split("\n").map((line) =>
    line
      .trimEnd()
      .replaceAll(home, "HOME")
      .replace(/Took \d+\.\ds/, "Took N s")
      .replace(/\d{4}-\d\d-\d\d/g, "DAY"),
  );
  const start = lines.findIndex((line) => line.trim() === "go");
  const end = lines.findLastIndex((line) => line.startsWith("~/"));
  const own = lines.slice(Math.max(0, start), end < 0 ? undefined : end).filter((line) => !/^─+$/.test(line));
  return `${own
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}
