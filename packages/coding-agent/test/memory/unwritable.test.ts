// Folders that pi's user may not write or read, by permission: the home folder, the stores, the folder of the telemetry file.
// pi goes on, mends, and leaves everything as it was. Root may write everywhere, so pi runs as nobody then. The agent folder
// itself must be writable: pi keeps the lock of its credentials there, and ends without it, with and without the package.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "./support/temp-folder.ts";

const DEMO = new URL("../../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);
const PACKAGE = dirname(dirname(import.meta.dirname));

const NOBODY = { uid: 65_534, gid: 65_534 };
/** Leaves root nothing but its name, by which it still owns its files. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"];

/** How to start a process that permissions bind. Nobody cannot reach a repository in root's own home folder. */
function bound(): { readonly as?: typeof NOBODY; readonly via?: readonly string[] } {
  if (process.getuid?.() !== 0) return {};
  const reaches = spawnSync(process.execPath, ["-e", "require('fs').readdirSync(process.argv[1])", PACKAGE], NOBODY);
  return reaches.status === 0 ? { as: NOBODY } : { via: WITHOUT_RIGHTS };
}
const BOUND = bound();

/** Folders to open again: only what may be written can be removed. */
const closed: string[] = [];
afterEach(() => {
  for (const path of closed.splice(0)) chmodSync(path, 0o755);
});

/** Takes the right to write, or every right, in `path` and all folders below it. */
function close(path: string, mode: 0o555 | 0o000 = 0o555): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) close(join(path, name), mode);
  chmodSync(path, mode);
  closed.unshift(path);
}

interface Machine {
  /** pi's HOME. */
  readonly home: string;
  /** Readable by everybody, writable by pi. */
  readonly cwd: string;
  readonly agent: string;
  /** pi-mend's folder. */
  readonly own: string;
}

function machine(): Machine {
  const root = tempFolder();
  chmodSync(root, 0o755);
  const [home, cwd, agent] = [join(root, "home"), join(root, "work"), join(root, "agent")];
  for (const folder of [home, cwd, agent]) mkdirSync(folder);
  for (const folder of [cwd, agent]) chmodSync(folder, 0o777);
  writeFileSync(join(cwd, "a.txt"), "the file");
  return { home, cwd, agent, own: join(agent, "pi-mend") };
}

interface Run {
  readonly code: number | null;
  readonly stderr: string;
  readonly results: readonly string[];
}

/** One session with one call that needs a repair, as a user without root's rights. `shut` runs right before pi starts. */
async function session(
  { home, cwd, agent }: Machine,
  shut: () => void,
  { env = {}, extensions = [PACKAGE] }: { env?: Record<string, string>; extensions?: readonly string[] } = {},
): Promise<Run> {
  const turns = [{ calls: [{ id: "c1", name: "read", arguments: '{"file_path":"a.txt","limit":"1"}' }] }];
  const server = await startScriptedServer(turns);
  try {
    const run = await runPi({
      home,
      agentDir: agent,
      cwd,
      serverUrl: server.url,
      extensions,
      prompt: "Begin.",
      args: ["--no-session"],
      env: { TMPDIR: cwd, ...env },
      ...BOUND,
      beforeStart: shut,
    });
    const messages: { role: string; content: string }[] = server.requests.at(-1)?.messages ?? [];
    const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    return { code: run.code, stderr: run.stderr, results };
  } finally {
    await server.close();
  }
}

function expectMended(run: Run): void {
  expect([run.code, run.stderr]).toEqual([0, ""]);
  expect(run.results[0]).toContain("the file");
}

const stored = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const SETTINGS = '{"teach":false}';

/** pi-mend's folder with settings and an empty log. */
function withStores({ own }: Machine): void {
  mkdirSync(own);
  writeFileSync(join(own, "settings.json"), SETTINGS);
  writeFileSync(join(own, "telemetry.jsonl"), "");
}

describe.runIf(process.platform !== "win32")("pi goes on, and mends", () => {
  test("with a home folder that it may not write", async () => {
    const own = machine();
    expectMended(await session(own, () => close(own.home)));
    expect(readdirSync(own.home)).toEqual([]);
    expect(stored(join(own.own, "telemetry.jsonl"))).toContain("aliasRename");
  });

  test("with stores that it may not write: settings hold, nothing is left beside them", async () => {
    const own = machine();
    withStores(own);
    const run = await session(own, () => close(own.own));
    expectMended(run);
    expect(run.results[0]).not.toContain("[harness]");
    expect(readdirSync(own.own).sort()).toEqual(["settings.json", "telemetry.jsonl"]);
    expect(stored(join(own.own, "telemetry.jsonl"))).toBe("");
  });

  test("with stores that it may not even read", async () => {
    const own = machine();
    withStores(own);
    const run = await session(own, () => close(own.own, 0o000));
    expect(run.code).toBe(0);
    expect(run.results[0]).toContain("the file");
    expect(run.stderr).not.toMatch(/\bat .*\.js:\d/);
  });

  test.each([0o555, 0o000] as const)("with a telemetry path in a folder of mode %o", async (mode) => {
    const own = machine();
    const folder = join(own.cwd, "logs");
    mkdirSync(folder);
    const env = { PI_MEND_TELEMETRY: join(folder, "deeper", "telemetry.jsonl") };
    expectMended(await session(own, () => close(folder, mode), { env }));
    chmodSync(folder, 0o755);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with a telemetry file of somebody else's", async () => {
    const own = machine();
    const path = join(own.cwd, "telemetry.jsonl");
    writeFileSync(path, "");
    expectMended(await session(own, () => close(path), { env: { PI_MEND_TELEMETRY: path } }));
    expect(stored(path)).toBe("");
  });

  test("with stores that everybody may write", async () => {
    const own = machine();
    withStores(own);
    for (const name of ["", ...readdirSync(own.own)]) chmodSync(join(own.own, name), 0o777);
    const run = await session(own, () => {});
    expect(run.code).toBe(0);
    expect(run.results[0]).toContain("the file");
    expect(run.stderr).toContain("can be changed by every user");
    expect(stored(join(own.own, "telemetry.jsonl"))).toContain("aliasRename");
  });

  test.each(["closed", "open"])("with stores behind a link to a folder that is %s", async (kind) => {
    const own = machine();
    const target = join(own.cwd, "stores");
    mkdirSync(target);
    chmodSync(target, 0o777);
    symlinkSync(target, own.own);
    expectMended(await session(own, () => (kind === "closed" ? close(target) : undefined)));
    if (kind === "closed") expect(readdirSync(target)).toEqual([]);
    else expect(stored(join(target, "telemetry.jsonl"))).toContain("aliasRename");
  });
});

test.runIf(process.platform !== "win32")(
  "where pi itself cannot start, it says the same with the package",
  async () => {
    const said: string[] = [];
    for (const extensions of [[], [PACKAGE]]) {
      const own = machine();
      const run = await session(own, () => close(own.agent), { extensions });
      expect(run.code).not.toBe(0);
      said.push(run.stderr.replaceAll(own.agent, "AGENT"));
    }
    expect(said[0]).toContain("EACCES");
    expect(said[1]).toBe(said[0]);
  },
);
