// Settings and stores that somebody else made: huge, deep, of wrong types, links, pipes, open to everybody. None holds pi up
// or reaches further than a file of that name may.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { JsonLinesLog } from "../src/memory/files/json-lines-log.ts";
import { JsonStore } from "../src/memory/files/json-store.ts";
import { schemaCheck } from "../src/memory/schema-check.ts";
import { readSettingsFile } from "../src/settings/resolve-settings.ts";
import { writeSetting } from "../src/settings/settings-store.ts";
import { tempFolder } from "./memory/support/temp-folder.ts";

const NOW = Date.UTC(2026, 0, 5, 12);
const CHECK = schemaCheck<{ n: number }>(Type.Object({ n: Type.Integer() }));
const isWindows = process.platform === "win32";
const place = (name = "settings.json") => join(tempFolder(), "sub", name);

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const store = (path: string) => new JsonStore({ path, check: CHECK, empty: () => ({ n: 0 }), now: () => NOW });
const log = (path: string) => new JsonLinesLog({ path, check: CHECK, maxBytes: 1_000, olderFiles: 1 });

describe("settings", () => {
  test("that are huge are not read", () => {
    const path = put(place(), "{}");
    truncateSync(path, 4 * 1024 ** 3);
    expect(readSettingsFile(path)).toEqual({ settings: {}, warnings: [expect.stringContaining("too large")] });
  });

  test("that are nested deeply have no effect", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const path = put(place(), `{"recoverTools":${deep},"teach":false,"x":${deep}}`);
    expect(readSettingsFile(path).settings).toEqual({ teach: false });
  });

  test.each(["__proto__", "constructor", "prototype"])("with a key %s reach no prototype", (key) => {
    const path = put(place(), `{${JSON.stringify(key)}:{"polluted":true},"teach":false}`);
    expect(readSettingsFile(path).settings).toEqual({ teach: false });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("that are a folder, or a link to nothing or to itself, have no effect", () => {
    const folder = place();
    mkdirSync(folder, { recursive: true });
    expect(readSettingsFile(folder).warnings).toEqual([expect.stringContaining("is no file")]);
    const path = put(place("other"), "");
    symlinkSync(join(dirname(path), "nothing"), join(dirname(path), "link"));
    expect(readSettingsFile(join(dirname(path), "link"))).toEqual({ settings: {}, warnings: [] });
    symlinkSync(join(dirname(path), "loop"), join(dirname(path), "loop"));
    expect(readSettingsFile(join(dirname(path), "loop")).settings).toEqual({});
  });

  test("that everybody can write hold, and are said to be open", () => {
    const path = put(place(), '{"teach":false}');
    chmodSync(path, 0o666);
    const open = isWindows ? [] : [expect.stringContaining("can be changed by every user")];
    expect(readSettingsFile(path)).toEqual({ settings: { teach: false }, warnings: open });
    chmodSync(path, 0o644);
    expect(readSettingsFile(path).warnings).toEqual([]);
  });

  test("behind a link are read; a change replaces the link and leaves what it points to", async () => {
    const target = put(place("target.json"), '{"teach":false}');
    const path = join(dirname(target), "settings.json");
    symlinkSync(target, path);
    expect(readSettingsFile(path).settings).toEqual({ teach: false });
    expect(await writeSetting(path, "repair", false, NOW)).toMatchObject({ ok: true });
    expect(readFileSync(target, "utf8")).toBe('{"teach":false}');
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readSettingsFile(path).settings).toEqual({ teach: false, repair: false });
  });
});

describe.runIf(!isWindows)("a pipe in place of a file holds nothing up", () => {
  const pipe = (name: string) => {
    const path = place(name);
    mkdirSync(dirname(path), { recursive: true });
    execFileSync("mkfifo", [path]);
    return path;
  };
  test("settings", async () => {
    const path = pipe("settings.json");
    expect(readSettingsFile(path)).toEqual({ settings: {}, warnings: [expect.stringContaining("is no file")] });
    expect(await writeSetting(path, "repair", false, NOW)).toMatchObject({ ok: false });
  });
  test("a store of one value", () => {
    expect(store(pipe("adaptation.json")).read()).toEqual({ n: 0 });
  });
  test("a log", () => {
    expect(log(pipe("telemetry.jsonl")).read(NOW).records).toEqual([]);
  });
});

describe("stores", () => {
  test("that are huge are set aside", () => {
    const path = put(place("a.json"), "");
    truncateSync(path, 4 * 1024 ** 3);
    expect(store(path).read()).toEqual({ n: 0 });
    expect(readdirSync(dirname(path))[0]).toMatch(/^a\.json\.broken-/);
    const lines = put(place("t.jsonl"), "");
    truncateSync(lines, 4 * 1024 ** 3);
    expect(log(lines).read(NOW)).toMatchObject({ records: [], skipped: 1 });
    expect(readdirSync(dirname(lines))[0]).toMatch(/^t\.jsonl\.broken-/);
  });

  test("with keys of prototypes are data or nothing", () => {
    const path = put(place("a.json"), '{"n":1,"__proto__":{"polluted":true},"constructor":1}');
    expect(store(path).read().n).toBe(1);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.runIf(!isWindows)("are made for their owner alone", async () => {
    const path = place("t.jsonl");
    await log(path).append([{ n: 1 }]);
    const one = join(dirname(path), "a.json");
    await store(one).update(() => ({ n: 2 }));
    for (const file of [path, one]) expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(dirname(path)).mode & 0o077).toBe(0);
  });

  test("behind a link: a change replaces the link and leaves what it points to", async () => {
    const target = put(place("target.json"), '{"n":1}');
    const path = join(dirname(target), "a.json");
    symlinkSync(target, path);
    expect(await store(path).update(({ n }) => ({ n: n + 1 }))).toEqual({ ok: true, value: { n: 2 } });
    expect(readFileSync(target, "utf8")).toBe('{"n":1}');
  });
});
