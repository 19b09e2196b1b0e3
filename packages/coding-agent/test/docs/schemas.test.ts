// The published schemas hold for the files as pi-mend writes them, line by line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryPaths } from "../../src/memory/memory-paths.ts";
import { schemaCheck } from "../../src/memory/schema-check.ts";
import { PROFILES } from "../../src/settings/profiles.ts";
import { SETTING_NAMES, writeSetting } from "../../src/settings/settings-store.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { recordFiles } from "./support/recorded-files.ts";

const folder = tempFolder();
const paths = memoryPaths({ HOME: folder, PI_CODING_AGENT_DIR: join(folder, "agent") }, folder);
const published = (name: string) =>
  schemaCheck(JSON.parse(readFileSync(new URL(`../../../../docs/schemas/${name}.json`, import.meta.url), "utf8")));
const read = (path: string) => readFileSync(path, "utf8");
const lines = (path: string) =>
  read(path)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

await recordFiles(paths);

test("telemetry.json takes every kind of record, and no record that lacks a field", () => {
  const records = lines(paths.telemetry);
  expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(["call", "clean", "escalation", "leak", "nested"]));
  const { accepts, faults } = published("telemetry");
  for (const record of records) {
    expect(faults(record)).toEqual([]);
    for (const key of Object.keys(record)) {
      const without = Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
      expect(accepts(without), key).toBe(false);
    }
  }
});

test("failures.json takes what a bounce leaves", () => {
  const records = lines(paths.failures);
  expect(records).toHaveLength(1);
  const { accepts, faults } = published("failures");
  expect(faults(records[0])).toEqual([]);
  expect(accepts({ ...records[0], places: [] })).toBe(false);
});

test("adaptation.json takes a memory with a rule and a verdict", () => {
  const memory = JSON.parse(read(paths.adaptation));
  expect(memory.hosts.pi["local/weak-7b"]).toMatchObject({
    rules: [{ mode: "aliasRename" }],
    protocol: { verdict: "native" },
  });
  const { accepts, faults } = published("adaptation");
  expect(faults(memory)).toEqual([]);
  expect(accepts({ ...memory, version: 2 })).toBe(false);
});

test("settings.json takes a file with every setting", async () => {
  const values = { ...PROFILES.recover, profile: "recover" } as const;
  for (const name of SETTING_NAMES) await writeSetting(paths.settings, name, values[name], Date.now());
  const settings = JSON.parse(read(paths.settings));
  expect(Object.keys(settings).sort()).toEqual([...SETTING_NAMES].sort());
  const { accepts, faults } = published("settings");
  expect(faults(settings)).toEqual([]);
  expect(accepts({ ...settings, grammar: "other" })).toBe(false);
});
