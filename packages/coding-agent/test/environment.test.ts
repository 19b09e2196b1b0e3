// Every variable of the environment in the real pi with the built package: what the model reads, what is stored, what is on the
// disk and on stderr. Beside them what no setting can make worse: a full disk, and secrets.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./memory/support/temp-folder.ts";
import type { ScriptedTurn, StoredCall } from "./support/door.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const DEMO = new URL("../../../scripts/demo/", import.meta.url);
const { startScriptedServer } = await import(new URL("scripted-server.mjs", DEMO).href);
const { runPi } = await import(new URL("run-pi.mjs", DEMO).href);

const REPAIRED: ScriptedTurn = { calls: [{ id: "one", name: "read", arguments: '{"file_path":"a.txt"}' }] };
const BOUNCED: ScriptedTurn = { calls: [{ id: "two", name: "read", arguments: '{"path":null}' }] };
const TURNS = [REPAIRED, BOUNCED];

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly run: (env?: Readonly<Record<string, string>>, turns?: readonly ScriptedTurn[]) => Promise<Run>;
}

interface Run {
  readonly code: number | null;
  readonly stderr: string;
  /** Texts of the tool results that the model read. */
  readonly results: readonly string[];
  readonly calls: readonly StoredCall[];
}

function place(): Place {
  const home = tempFolder();
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "text\n");
  const run: Place["run"] = async (env = {}, turns = TURNS) => {
    const server = await startScriptedServer(turns);
    try {
      const pi = { home, cwd, serverUrl: server.url, extensions: [PACKAGE], prompt: "Begin.", env };
      const { code, stderr, sessionFile } = await runPi(pi);
      const messages: { role: string; content: string }[] = server.requests.at(-1)?.messages ?? [];
      const entries = readFileSync(sessionFile, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const blocks: StoredCall[] = entries.flatMap(({ message }) =>
        message?.role === "assistant" ? message.content : [],
      );
      const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
      return { code, stderr, results, calls: blocks.filter(({ type }) => type === "toolCall") };
    } finally {
      await server.close();
    }
  };
  return { home, folder: join(home, ".pi", "agent", "pi-mend"), run };
}

const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

describe("without a variable", () => {
  test("a call is repaired and taught, a bounce teaches, and both are on the disk", async () => {
    const { run, folder } = place();
    const { code, stderr, results, calls } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(calls[0]?.repair?.names).toEqual(["aliasRename"]);
    expect(results[0]).toContain("[harness] aliasRename");
    expect(results[1]).toMatch(/path/);
    expect(names(folder)).toEqual(["adaptation.json", "failures.jsonl", "telemetry.jsonl"]);
  });
});

describe("a variable", () => {
  test.each(["off", "OFF", "0", "false"])("PI_MEND=%s makes the package inert", async (word) => {
    const { run, folder } = place();
    const { results, calls } = await run({ PI_MEND: word });
    expect(calls[0]?.repair).toBeUndefined();
    expect(results[0]).toMatch(/^Validation failed/);
    expect(names(folder)).toEqual([]);
  });

  test("PI_MEND_REPAIR=off leaves calls to pi", async () => {
    const { results, calls } = await place().run({ PI_MEND_REPAIR: "off" });
    expect(calls[0]?.repair).toBeUndefined();
    expect(results[0]).toMatch(/^Validation failed/);
  });

  test("PI_MEND_TEACH=off repairs without a word to the model", async () => {
    const { results, calls } = await place().run({ PI_MEND_TEACH: "off" });
    expect(calls[0]?.repair?.names).toEqual(["aliasRename"]);
    expect(results[0]).not.toContain("[harness]");
  });

  test("PI_MEND_RULES=off learns nothing", async () => {
    const { run, folder } = place();
    await run({ PI_MEND_RULES: "off" });
    expect(names(folder)).toEqual(["failures.jsonl", "telemetry.jsonl"]);
  });

  test("PI_MEND_TELEMETRY=off counts nothing and learns on", async () => {
    const { run, folder } = place();
    await run({ PI_MEND_TELEMETRY: "off" });
    expect(names(folder)).toEqual(["adaptation.json", "failures.jsonl"]);
  });

  test("PI_MEND_TELEMETRY=<path> counts there", async () => {
    const { run, folder, home } = place();
    await run({ PI_MEND_TELEMETRY: join(home, "calls.jsonl") });
    expect(readFileSync(join(home, "calls.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
    expect(names(folder)).not.toContain("telemetry.jsonl");
  });

  test("PI_MEND_LOG=1 says a line for each call that was not clean", async () => {
    const { stderr } = await place().run({ PI_MEND_LOG: "1" });
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^pi-mend repaired scripted\/scripted read aliasRename /),
      expect.stringMatching(/^pi-mend bounced scripted\/scripted read /),
    ]);
    expect(stderr).not.toContain("a.txt");
  });

  test("PI_MEND_PASSTHROUGH=1 gives pi what cannot be repaired", async () => {
    const passed = await place().run({ PI_MEND_PASSTHROUGH: "1" });
    expect(passed.calls[0]?.repair?.names).toEqual(["aliasRename"]);
    expect(passed.calls[1]?.arguments).toEqual({ path: null });
    // What stock pi makes of it: a file of that name.
    expect(passed.results[1]).toMatch(/^ENOENT: .*\/work\/null'/);
    expect((await place().run()).results[1]).not.toContain("ENOENT");
  });

  test("PI_MEND_SETTINGS=<path> is read in place of the user's file", async () => {
    const { run, home, folder } = place();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), '{"repair":false}');
    writeFileSync(join(home, "other.json"), '{"teach":false}');
    const { results, calls } = await run({ PI_MEND_SETTINGS: join(home, "other.json") });
    expect(calls[0]?.repair?.names).toEqual(["aliasRename"]);
    expect(results[0]).not.toContain("[harness]");
  });

  test("PI_MEND_PROTOCOL=off outranks settings that have calls as text", async () => {
    const { run, folder } = place();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), '{"textProtocol":true,"textModels":["*"]}');
    expect((await run({ PI_MEND_PROTOCOL: "off" })).calls[0]?.repair?.names).toEqual(["aliasRename"]);
  });
});

test("settings that are no JSON object are set aside with a warning, and what they hold is kept", async () => {
  const { run, folder } = place();
  mkdirSync(folder, { recursive: true });
  const broken = '{"teach": false,, "repair": false}';
  writeFileSync(join(folder, "settings.json"), broken);
  const { code, stderr, calls } = await run();
  expect(code).toBe(0);
  expect(calls[0]?.repair?.names).toEqual(["aliasRename"]);
  const aside = names(folder).filter((name) => name.startsWith("settings.json"));
  expect(aside).toEqual([expect.stringMatching(/^settings\.json\.broken-/)]);
  expect(readFileSync(join(folder, aside[0]!), "utf8")).toBe(broken);
  expect(stderr).toContain(join(folder, aside[0]!));
  expect((await run()).stderr).toBe("");
});

test("settings that PI_MEND_SETTINGS names are ignored where they are broken, and stay", async () => {
  const { run, home } = place();
  const path = join(home, "mine.json");
  writeFileSync(path, "{");
  expect((await run({ PI_MEND_SETTINGS: path })).stderr).toContain(`${path} is not a JSON object`);
  expect(readFileSync(path, "utf8")).toBe("{");
});

test("a full disk costs the records and nothing else", async () => {
  const { run, folder } = place();
  mkdirSync(folder, { recursive: true });
  const full = existsSync("/dev/full") ? "/dev/full" : join(folder, "no-folder", "telemetry.jsonl");
  symlinkSync(full, join(folder, "telemetry.jsonl"));
  const { code, stderr, results } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(results[0]).toContain("text");
  expect(names(folder).filter((name) => name.includes("lock"))).toEqual([]);
});

test("no file of the package holds a secret that a call of the real pi had", async () => {
  const { run, folder } = place();
  const secret = "canary-AKIA0123456789";
  const sent = [
    ["read", { file_path: secret }],
    ["read", { path: null, [secret]: secret }],
    ["bash", { command: ["echo", secret] }],
    ["write", { path: `/nowhere/${secret}/x`, content: { [secret]: secret } }],
    ["edit", { path: "a.txt", edits: `[{"oldText":"${secret}","newText":"${secret}"}]` }],
    [secret, { path: secret }],
  ] as const;
  const calls = sent.map(([name, args], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(args) }));
  const cut = { id: "cut", name: "write", arguments: `{"path":"${secret}` };
  const { code, stderr } = await run({ PI_MEND_LOG: "1" }, [{ calls: [...calls, cut] }]);
  expect(code).toBe(0);
  expect(names(folder)).toEqual(["adaptation.json", "failures.jsonl", "telemetry.jsonl"]);
  const texts = names(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  for (const text of [...texts, stderr]) expect(text).not.toMatch(/canary|AKIA/i);
});
