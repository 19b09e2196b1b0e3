// The shell's commands over real files, as the menu inside pi runs them too.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { COMMANDS, runCommand } from "../../src/cli/run-command.ts";
import { AdaptationStore } from "../../src/memory/adaptation/adaptation-store.ts";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { telemetryLog } from "../../src/memory/telemetry/telemetry-log.ts";
import { CASES, NOW } from "../memory/support/health-cases.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function place(records = CASES.records) {
  const folder = tempFolder();
  const env = { PI_CODING_AGENT_DIR: folder, PATH: "" };
  const paths = memoryPaths(env, folder);
  await telemetryLog(paths.telemetry).append(records);
  const store = () => new AdaptationStore({ path: paths.adaptation, now: () => NOW });
  const say = (...words: string[]): Promise<Said> => sayWith({}, ...words);
  const sayWith = async (more: Readonly<Record<string, string>>, ...words: string[]): Promise<Said> => {
    const [out, err]: string[][] = [[], []];
    const code = await runCommand(words, {
      ...{ env: { ...env, ...more }, cwd: folder, now: () => NOW, trusted: false },
      write: (text) => void out!.push(text),
      warn: (text) => void err!.push(text),
    });
    return { code, out: out!.join(""), err: err!.join("") };
  };
  return { folder, paths, say, sayWith, store };
}

const habit = new Map([["local/weak-7b", { session: "s", calls: 3, firings: new Map([["aliasRename", 3]]) }]]);

describe("health", () => {
  test("shows all models, one model, or JSON with the same counts", async () => {
    const { say } = await place();
    const all = await say("health");
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(all.out).toContain("local/stubborn");
    const one = await say("health", "weak");
    expect(one.out).toContain("local/weak-7b");
    expect(one.out).not.toContain("local/stubborn ");
    const json = JSON.parse((await say("health", "--json", "local/weak-7b")).out);
    expect(json.models).toHaveLength(1);
    expect(json.models[0]).toMatchObject({ calls: 40, clean: 30, repaired: 7 });
  });

  test("leaves a file alone that the environment names and that is none of ours", async () => {
    const { folder, sayWith } = await place([]);
    writeFileSync(join(folder, "notes.txt"), "my notes\n");
    const { code, err } = await sayWith({ PI_MEND_TELEMETRY: "notes.txt" }, "health");
    expect({ code, err }).toEqual({ code: 0, err: `${join(folder, "notes.txt")}: 1 unreadable line skipped\n` });
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("my notes\n");
  });

  test("says so where a model is not known, and where there is nothing yet", async () => {
    const { say } = await place();
    expect(await say("health", "gpt")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("local/weak-7b"),
    });
    expect((await (await place([])).say("health")).out).toBe("No calls were counted yet.\n");
  });

  test("goes on over broken lines and a broken memory, and says what it left out", async () => {
    const { say, paths, folder } = await place();
    writeFileSync(paths.adaptation, "{");
    writeFileSync(paths.telemetry, `nonsense\n${readFileSync(paths.telemetry, "utf8")}`);
    const { code, out, err } = await say("health");
    expect(code).toBe(0);
    expect(out).toContain("local/weak-7b");
    expect(err).toMatch(/1 unreadable line skipped/);
    expect(err).toMatch(/adaptation\.json was not readable and is now/);
    expect(readdirSync(join(folder, "pi-mend")).some((name) => name.startsWith("adaptation.json.broken-"))).toBe(true);
    expect((await say("health")).err).not.toContain("adaptation");
  });
});

describe("rules and forget", () => {
  test("a rule is shown, forgotten, stays forgotten, and may be learned again when that is undone", async () => {
    const { say, store } = await place();
    await store().learn(habit);
    expect((await say("rules", "weak")).out).toContain("Use this tool's field names");
    expect(await say("forget", "weak", "aliasRename")).toMatchObject({
      code: 0,
      out: "local/weak-7b: forgotten: aliasRename\n",
    });
    await store().learn(habit);
    expect((await say("rules")).out).toContain("forgotten: aliasRename");
    expect(store().rules("local/weak-7b")).toEqual([]);
    expect((await say("forget", "weak", "--undo")).out).toBe("local/weak-7b: may be learned again: aliasRename\n");
    await store().learn(habit);
    expect(store().rules("local/weak-7b")).toHaveLength(1);
  });

  test("forget needs a model that is known and a mode that there are rules for", async () => {
    const { say, store } = await place();
    expect((await say("forget")).code).toBe(2);
    expect((await say("forget", "weak")).code).toBe(2);
    await store().learn(habit);
    expect((await say("forget", "weak", "canary")).code).toBe(2);
    expect((await say("forget", "weak")).code).toBe(0);
    expect((await say("forget", "weak")).out).toContain("nothing to forget");
  });
});

describe("settings", () => {
  test("shows each setting with its origin, changes one and takes it back", async () => {
    const { say, paths } = await place();
    expect((await say("settings")).out).toMatch(/^teach +on +profile adaptive$/m);
    expect((await say("settings", "profile")).out).toMatch(/^profile +adaptive +default\n$/);
    expect(await say("settings", "teach", "off")).toEqual({ code: 0, out: "teach is off\n", err: "" });
    expect((await say("settings", "teach")).out).toMatch(/^teach +off +user settings\n$/);
    expect(JSON.parse(readFileSync(paths.settings, "utf8"))).toEqual({ teach: false });
    expect((await say("settings", "teach", "default")).out).toBe("teach is on\n");
    expect(JSON.parse((await say("settings", "--json")).out).settings.profile).toBe("adaptive");
  });

  test("refuses names and values that there are not, and names those there are", async () => {
    const { say, paths } = await place();
    expect(await say("settings", "taech")).toMatchObject({ code: 2, err: expect.stringContaining("teach") });
    expect(await say("settings", "grammar", "loud")).toMatchObject({
      code: 2,
      err: expect.stringContaining("observe"),
    });
    expect(existsSync(paths.settings)).toBe(false);
  });
});

describe("report", () => {
  test("writes one page and says where", async () => {
    const { say, folder } = await place();
    const { code, out } = await say("report", "deep/page.html");
    expect({ code, out }).toEqual({ code: 0, out: `${join(folder, "deep", "page.html")}\n` });
    expect(readFileSync(join(folder, "deep", "page.html"), "utf8")).toContain("local/weak-7b");
    await say("report", "--model", "stubborn");
    expect(readFileSync(join(folder, "pi-mend-report.html"), "utf8")).not.toContain("weak-7b");
  });

  test("that cannot be written ends with 1", async () => {
    const { say, folder } = await place();
    writeFileSync(join(folder, "file"), "");
    expect((await say("report", "file/page.html")).code).toBe(1);
  });
});

describe("doctor without a probe", () => {
  test("says that what was learned is a later version's", async () => {
    const { say, paths } = await place();
    writeFileSync(paths.adaptation, '{"version":2}');
    const { code, out } = await say("doctor", "--no-probe");
    expect(code).toBe(1);
    expect(out).toContain("was written by a later pi-mend");
    expect((await say("forget", "local/weak-7b")).err).toContain("was written by a later pi-mend");
    expect(readFileSync(paths.adaptation, "utf8")).toBe('{"version":2}');
  });

  test("tells the state of each file and what was set aside", async () => {
    const { say, paths, store } = await place();
    await store().learn(habit);
    mkdirSync(paths.folder, { recursive: true });
    writeFileSync(paths.settings, '{"teach":1}');
    writeFileSync(paths.failures, "nonsense\n");
    const { code, out } = await say("doctor", "--no-probe");
    expect(code).toBe(1);
    expect(out).toContain("pi: not found");
    expect(out.split("\n")[0]).toBe(`pi-mend ${manifest.version}`);
    expect(JSON.parse((await say("doctor", "--no-probe", "--json")).out).version).toBe(manifest.version);
    expect(out).toContain('"teach" has a value it cannot have');
    expect(out).toMatch(/failures\.jsonl: 0 bounces/);
    expect(out).toContain("1 model, 1 rule,");
    expect(out).toMatch(/telemetry\.jsonl: \d+ records, \d+ bytes/);
    expect((await say("doctor", "--no-probe")).out).toMatch(/set aside earlier: .*failures\.jsonl\.broken-/);
  });
});

describe("words that are no command", () => {
  test("get the list of commands", async () => {
    const { say } = await place();
    for (const words of [[], ["helth"]]) {
      const { code, out, err } = await say(...words);
      expect(code).toBe(2);
      for (const { name } of COMMANDS) expect(out + err).toContain(`pi-mend ${name}`);
    }
    expect((await say("--help")).code).toBe(0);
    for (const word of ["--version", "-v"]) {
      expect(await say(word)).toEqual({ code: 0, out: `pi-mend ${manifest.version}\n`, err: "" });
    }
    expect((await say("health", "--help")).out).toContain("health [model]");
    expect(await say("health", "--jsonn")).toMatchObject({ code: 2, err: "Unknown option '--jsonn'\n" });
    expect(await say("health", "a", "b")).toMatchObject({ code: 2, err: "At most 1 name here\n" });
    expect(await say("replay", "--json", "--csv")).toMatchObject({ code: 2, err: "Either --json or --csv\n" });
  });
});
