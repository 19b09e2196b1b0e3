// `/mend` in the real pi: the same answer in print, JSON and RPC mode, none of it sent to a model, and pi's own terminal library
// handed over by the entry that asks for it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import type { ScriptedTurn } from "../support/door.ts";
import { rpcPi } from "../support/rpc-pi.ts";

const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);
const source = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)));

const EXTENSION = `
import { registerCommand } from ${source("core/register-command.ts")};
import { registerMemory } from ${source("core/register-memory.ts")};
import { registerRepair } from ${source("core/register-repair.ts")};
import { toolsNow } from ${source("core/tools-now.ts")};
export default function (pi) {
  const sinks = [];
  const tools = toolsNow(pi);
  const memory = registerMemory(pi, { onOutcomeSource: (sink) => sinks.push(sink) });
  registerRepair(pi, { tools, settings: memory.settings, sinks });
  registerCommand(pi, { memory, tools });
}`;

const REPAIRED: ScriptedTurn = { calls: [{ id: "one", name: "read", arguments: '{"file_path":"a.txt","limit":"1"}' }] };

function place() {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "text\n");
  const agentDir = join(home, ".pi", "agent");
  const extension = join(home, "extension.ts");
  writeFileSync(extension, EXTENSION);
  const run = async (prompt: string, args: readonly string[] = [], turns: readonly ScriptedTurn[] = []) => {
    const server = await startScriptedServer(turns);
    try {
      const options = { home, cwd, serverUrl: server.url, extensions: [extension], prompt, args };
      const { code, stdout, stderr } = await runPi(options);
      return { code, stdout, stderr, requests: server.requests.length };
    } finally {
      await server.close();
    }
  };
  return { home, cwd, extension, run, paths: memoryPaths({ PI_CODING_AGENT_DIR: agentDir }, cwd) };
}

/** The texts that pi shows for `lines`, one prompt after the other. */
async function overRpc(at: ReturnType<typeof place>, lines: readonly string[], args: readonly string[] = []) {
  const pi = rpcPi({ ...at, args });
  for (const line of lines) await pi.prompt(line);
  await pi.close();
  return pi.notices();
}

test("what the last repair did: the same text in print, JSON and RPC mode, and no model is asked", async () => {
  const at = place();
  await at.run("Begin.", [], [REPAIRED]);
  const text = [
    "read, called by scripted",
    '  sent  {"file_path":"a.txt","limit":"1"}',
    '  ran   {"limit":1,"path":"a.txt"}',
    "why",
    expect.stringMatching(/^ {2}aliasRename: .*`path`/),
    expect.stringMatching(/^ {2}numberFromString: .* \(at \/limit\)$/),
    "the call ran",
  ];
  const print = await at.run("/mend last", ["--continue"]);
  // Behind it stands the session's last message, which pi prints at the end of every run.
  expect(print.stdout.trimEnd().split("\n").slice(0, 7)).toEqual(text);
  const json = await at.run("/mend last", ["--continue", "--mode", "json"]);
  const events = json.stdout
    .trimEnd()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  const entry = events.find((event: { type: string }) => event.type === "entry_appended")?.entry;
  expect(entry).toMatchObject({ customType: "pi-mend", data: { code: 0 } });
  expect(entry.data.text.split("\n")).toEqual(text);
  const [shown] = await overRpc(at, ["/mend last"], ["--continue"]);
  expect(shown!.replace(/^info: /, "").split("\n")).toEqual(text);
  expect([print, json].map(({ requests, code }) => [requests, code])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test("without a menu, /mend shows the settings; a change is written and holds at once", async () => {
  const at = place();
  const shown = await overRpc(at, ["/mend", "/mend settings markers off", "/mend settings markers"]);
  expect(shown[0]).toMatch(/^info: profile +adaptive +default\nrepair +on +profile adaptive\n/);
  expect(shown[1]).toBe("info: markers is off");
  expect(shown[2]).toMatch(/^info: markers +off +user settings$/);
  expect(JSON.parse(readFileSync(at.paths.settings, "utf8"))).toEqual({ markers: false });
});

test("health, rules, forget and report answer with what the shell command says", async () => {
  const at = place();
  await at.run("Begin.", [], [REPAIRED]);
  const report = join(at.home, "my report.html");
  const shown = await overRpc(at, [
    "/mend health scripted",
    "/mend rules",
    "/mend forget scripted aliasRename",
    `/mend report "${report}"`,
  ]);
  expect(shown[0]).toMatch(/scripted\/scripted +1 +0\.0 % +100\.0 %/);
  expect(shown[1]).toBe("info: No rules were learned yet.");
  expect(shown[2]).toBe("info: scripted/scripted: forgotten: aliasRename");
  expect(shown[3]).toBe(`info: ${report}`);
  expect(readFileSync(report, "utf8")).toContain("scripted/scripted");
});

test("words that are none are answered with those there are; a session without a repair says so", async () => {
  const at = place();
  const [unknown, last] = await overRpc(at, ["/mend frobnicate", "/mend last"]);
  expect(unknown).toMatch(/^warning: \/mend alone opens the settings\.\n {2}\/mend health /);
  expect(last).toBe("info: No call of this session was repaired");
  const print = await at.run("/mend frobnicate");
  expect(print.stdout).toBe("");
  expect(print.stderr).toContain("/mend health");
});

test("the terminal library that the entry hands over is the one that pi draws with", async () => {
  const at = place();
  writeFileSync(
    at.extension,
    `import entry from ${source("tui/host-tui-entry.ts")};
import { Input, SettingsList } from "@earendil-works/pi-tui";
export default function (pi) {
  entry(pi);
  pi.on("session_start", () => {
    const tui = globalThis[Symbol.for("pi-mend.host-tui")];
    console.error("same:", tui.SettingsList === SettingsList && tui.Input === Input);
  });
}`,
  );
  const { stderr } = await at.run("Begin.");
  expect(stderr).toContain("same: true");
});
