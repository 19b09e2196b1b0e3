// What a machine does to the stores: processes that are killed, clocks that jump, disks that are full or read-only, paths
// that are something else. pi goes on, and the next session finds its stores.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFileLock } from "../../src/memory/files/file-lock.ts";
import { throughDoor } from "../support/door.ts";
import { tempFolder } from "./support/temp-folder.ts";

const { killSessions } = await import(new URL("../../../../scripts/faults.mjs", import.meta.url).href);

test("twelve sessions, four at once, killed at random moments, lose nothing", async () => {
  const { faults, kills, finished, sessions } = await killSessions({ sessions: 12, seed: 7 });
  expect(faults).toEqual([]);
  expect(kills).toBeGreaterThan(0);
  expect(kills + finished).toBe(sessions);
}, 180_000);

describe.each([
  ["an hour ago", -3_600_000],
  ["in an hour, by a clock that was set back", 3_600_000],
])("a lock left behind %s", (_when, offset) => {
  test("is broken at once, and the draft of its owner goes with it", async () => {
    const path = join(tempFolder(), "store.json");
    const time = (Date.now() + offset) / 1_000;
    for (const name of [`${path}.lock`, `${path}.123-1.tmp`]) writeFileSync(name, "left");
    utimesSync(`${path}.lock`, time, time);
    const started = performance.now();
    expect(await withFileLock(path, async () => "done", { ms: 2_000 })).toEqual({ ok: true, value: "done" });
    expect(performance.now() - started).toBeLessThan(1_900);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(existsSync(`${path}.123-1.tmp`)).toBe(false);
  });
});

const turns = [{ calls: [{ id: "c1", name: "read", arguments: '{"file_path":"a.txt"}' }] }];
const files = { "a.txt": "the file" };

describe("pi goes on, and mends", () => {
  test("where the telemetry path is a folder", async () => {
    const folder = tempFolder();
    const run = await throughDoor({ turns, files, env: { PI_MEND_TELEMETRY: folder } });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("the file");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("where the disk under the telemetry file is full", async () => {
    const path = join(tempFolder(), "telemetry.jsonl");
    symlinkSync("/dev/full", path);
    const run = await throughDoor({ turns, files, env: { PI_MEND_TELEMETRY: path } });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("the file");
  });

  test("where its folder cannot be made: a file has the name", async () => {
    const folder = tempFolder();
    const agent = join(folder, "agent");
    mkdirSync(agent);
    writeFileSync(join(agent, "pi-mend"), "in the way");
    const env = { PI_MEND_TELEMETRY: join(agent, "pi-mend", "telemetry.jsonl") };
    const run = await throughDoor({ turns, files, env });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("the file");
    expect(readFileSync(join(agent, "pi-mend"), "utf8")).toBe("in the way");
  });

  test("where the telemetry file is a link to nowhere", async () => {
    const folder = tempFolder();
    symlinkSync(join(folder, "no", "such"), join(folder, "telemetry.jsonl"));
    const run = await throughDoor({ turns, files, env: { PI_MEND_TELEMETRY: join(folder, "telemetry.jsonl") } });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("the file");
  });
});
