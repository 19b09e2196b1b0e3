// Memory in the real pi: what it writes at the end of a run, and what the next run's model reads. An extension beside it stands
// in for the repair hooks and reports one repaired call for every tool result.
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { AdaptationStore } from "../../src/memory/adaptation/adaptation-store.ts";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { telemetryLog } from "../../src/memory/telemetry/telemetry-log.ts";
import { tempFolder } from "./support/temp-folder.ts";

const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);
const MODULE = fileURLToPath(new URL("../../src/core/register-memory.ts", import.meta.url));

const EXTENSION = `
import { registerMemory } from ${JSON.stringify(MODULE)};
export default function (pi) {
  let sink;
  const memory = registerMemory(pi, { onOutcomeSource: (to) => { sink = to; } });
  pi.on("tool_result", (event, ctx) => {
    const { provider, id, api } = ctx.model;
    const call = { provider, model: id, api, tool: event.toolName, forgiven: [], taught: "note", executed: "ok" };
    sink({ ...call, outcome: "repaired", modes: ["aliasRename"] });
    sink({ ...call, outcome: "bounced", modes: ["required"], executed: "not-run" }, {
      tool: { name: event.toolName, parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
      sent: { other: "canary" }, prepared: { outcome: "bounced" },
    });
    if (!memory.settings().repair) throw new Error("settings");
  });
}`;

interface Run {
  readonly calls: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

function place() {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "text");
  const extension = join(home, "extension.ts");
  writeFileSync(extension, EXTENSION);
  const paths = memoryPaths({ PI_CODING_AGENT_DIR: join(home, ".pi", "agent") }, cwd);
  const run = async ({ calls, env = {}, args = [] }: Run) => {
    const turn = { calls: [{ name: "read", arguments: '{"path":"a.txt"}' }] };
    const server = await startScriptedServer(Array.from({ length: calls }, () => turn));
    try {
      const options = { home, cwd, serverUrl: server.url, extensions: [extension], prompt: "Begin.", env, args };
      const { code, stderr } = await runPi(options);
      return { code, stderr, prompt: String(server.requests[0]?.messages[0]?.content ?? "") };
    } finally {
      await server.close();
    }
  };
  return { cwd, paths, run };
}

test("three repairs in one session: the next session's model reads the rule, and forgetting takes it out", async () => {
  const { paths, run } = place();
  const first = await run({ calls: 3 });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.prompt).not.toContain("tool_call_rules");
  const calls = telemetryLog(paths.telemetry)
    .read(0)
    .records.filter((record) => record.kind === "call");
  expect(calls.map(({ call, outcome, tool }) => `${call} ${outcome} ${tool}`)).toEqual([
    "1 repaired read",
    "2 bounced read",
    "3 repaired read",
    "4 bounced read",
    "5 repaired read",
    "6 bounced read",
  ]);
  expect(readFileSync(paths.failures, "utf8").trim().split("\n")).toHaveLength(3);
  expect(readFileSync(paths.failures, "utf8")).not.toContain("canary");
  expect(readdirSync(paths.folder).sort()).toEqual(["adaptation.json", "failures.jsonl", "telemetry.jsonl"]);

  const second = await run({ calls: 0 });
  expect(second.prompt).toContain(
    "<tool_call_rules>\nWhen you call tools:\n- Use this tool's field names; in earlier calls a key was another tool's field name.\n</tool_call_rules>",
  );
  expect((await run({ calls: 0, env: { PI_MEND_RULES: "off" } })).prompt).not.toContain("tool_call_rules");
  await new AdaptationStore({ path: paths.adaptation, now: Date.now }).forget("scripted/scripted");
  expect((await run({ calls: 0 })).prompt).not.toContain("tool_call_rules");
}, 60_000);

test("a session's id that somebody chose is not written, and sessions whose ids end alike are two", async () => {
  const { paths, run } = place();
  for (const id of ["alpha-with-acme-review", "beta-with-acme-review"]) {
    expect((await run({ calls: 1, args: ["--session-id", id] })).code).toBe(0);
  }
  for (const path of [paths.telemetry, paths.adaptation, paths.failures]) {
    expect(readFileSync(path, "utf8")).not.toMatch(/acme|review/);
  }
  const [memory] = new AdaptationStore({ path: paths.adaptation, now: Date.now }).models().values();
  expect(memory?.rules).toMatchObject([{ mode: "aliasRename", before: { firings: 2 } }]);
}, 60_000);

test("settings of a project count only where pi trusts it", async () => {
  const { cwd, paths, run } = place();
  mkdirSync(dirname(paths.projectSettings), { recursive: true });
  writeFileSync(paths.projectSettings, JSON.stringify({ telemetry: false }));
  await run({ calls: 1, args: ["--no-approve"] });
  expect(telemetryLog(paths.telemetry).read(0).records).toHaveLength(2);
  await run({ calls: 1, args: ["--approve"] });
  expect(telemetryLog(paths.telemetry).read(0).records).toHaveLength(2);
  expect(existsSync(join(cwd, ".pi"))).toBe(true);
}, 60_000);

test("broken files and a folder that takes no writes cost the records, one warning each, and no run", async () => {
  const { paths, run } = place();
  mkdirSync(paths.folder, { recursive: true });
  for (const path of [paths.settings, paths.adaptation]) writeFileSync(path, "{");
  const broken = await run({ calls: 1 });
  expect(broken.code).toBe(0);
  expect(broken.stderr.split("\n").filter((line: string) => line.startsWith("pi-mend: "))).toHaveLength(2);
  const nowhere = await run({ calls: 1, env: { PI_MEND_TELEMETRY: join(paths.settings, "calls.jsonl") } });
  expect(nowhere.code).toBe(0);
}, 60_000);

test("PI_MEND_LOG=1 writes a line for each call on stderr, without a value", async () => {
  const { run } = place();
  const { stderr } = await run({ calls: 1, env: { PI_MEND_LOG: "1" } });
  expect(stderr.trim().split("\n")).toEqual([
    "pi-mend repaired scripted/scripted read aliasRename taught=note executed=ok",
    "pi-mend bounced scripted/scripted read required taught=note executed=not-run",
  ]);
}, 60_000);

test("a lock that another process holds on to keeps pi from ending only for a moment", async () => {
  const { paths, run } = place();
  mkdirSync(paths.folder, { recursive: true });
  const locks = [paths.telemetry, paths.failures, paths.adaptation].map((path) => `${path}.lock`);
  for (const lock of locks) writeFileSync(lock, "somebody");
  // Locks in use: they never get old enough to be broken.
  const use = setInterval(() => {
    for (const lock of locks) utimesSync(lock, new Date(), new Date());
  }, 200);
  const { code } = await run({ calls: 1 }).finally(() => clearInterval(use));
  expect(code).toBe(0);
  expect(existsSync(paths.telemetry)).toBe(false);
  expect(readFileSync(`${paths.telemetry}.lock`, "utf8")).toBe("somebody");
}, 30_000);
