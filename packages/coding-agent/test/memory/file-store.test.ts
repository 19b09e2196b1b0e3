import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { replaceFile } from "../../src/memory/files/atomic-file.ts";
import { withFileLock } from "../../src/memory/files/file-lock.ts";
import { JsonLinesLog } from "../../src/memory/files/json-lines-log.ts";
import { JsonStore } from "../../src/memory/files/json-store.ts";
import { schemaCheck } from "../../src/memory/schema-check.ts";
import { tempFolder } from "./support/temp-folder.ts";

const CHECK = schemaCheck<{ n: number }>(Type.Object({ n: Type.Integer() }));
const NOW = Date.UTC(2026, 0, 5, 12);

function store(path: string, warnings: string[] = []) {
  const warn = (warning: string) => void warnings.push(warning);
  return new JsonStore({ path, check: CHECK, empty: () => ({ n: 0 }), now: () => NOW, warn });
}

function log(path: string, maxBytes = 1_000) {
  return new JsonLinesLog({ path, check: CHECK, maxBytes, olderFiles: 2 });
}

describe("the lock of a file", () => {
  test("keeps a second writer out until the first is done", async () => {
    const path = join(tempFolder(), "file");
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push(`${name} out`);
    };
    await Promise.all([withFileLock(path, work("a")), withFileLock(path, work("b"))]);
    expect(steps[1]).toBe(`${steps[0]!.charAt(0)} out`);
    expect(steps).toHaveLength(4);
  });

  test("that is held for longer than a writer waits makes it give up, and stays", async () => {
    const path = join(tempFolder(), "file");
    writeFileSync(`${path}.lock`, "somebody");
    expect(await withFileLock(path, async () => "mine", { ms: 30 })).toEqual({ ok: false, fault: "busy" });
    expect(readFileSync(`${path}.lock`, "utf8")).toBe("somebody");
  });

  test("that a dead process left behind is broken, and a half-done break too", async () => {
    const path = join(tempFolder(), "file");
    const longAgo = new Date(Date.now() - 9_000);
    for (const left of [`${path}.lock`, `${path}.lock.break`]) {
      writeFileSync(left, "");
      utimesSync(left, longAgo, longAgo);
    }
    expect(await withFileLock(path, async () => "mine")).toEqual({ ok: true, value: "mine" });
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("that was taken away meanwhile stops the write, and is not removed", async () => {
    const path = join(tempFolder(), "file");
    const result = await withFileLock(path, async ({ isMine }) => {
      writeFileSync(`${path}.lock`, "the new holder");
      return replaceFile(path, "text", isMine);
    });
    expect(result).toEqual({ ok: true, value: false });
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(`${path}.lock`, "utf8")).toBe("the new holder");
  });

  test("cannot be had where no folder can be: a fault, not an exception", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "deeper", "store.json");
    expect(await withFileLock(path, async () => 1)).toEqual({ ok: false, fault: "unwritable" });
    expect(await store(path).update(() => ({ n: 1 }))).toEqual({ ok: false, fault: "unwritable" });
    expect(store(path).read()).toEqual({ n: 0 });
    expect(await log(path).append([{ n: 1 }])).toEqual({ ok: false, fault: "unwritable" });
    expect(log(path).read(NOW)).toEqual({ records: [], skipped: 0, warnings: [] });
  });
});

describe("a store of one value", () => {
  test("makes its folder, keeps what was written and writes nothing where nothing changed", async () => {
    const path = join(tempFolder(), "deep", "er", "store.json");
    const one = store(path);
    expect(await one.update(({ n }) => ({ n: n + 1 }))).toEqual({ ok: true, value: { n: 1 } });
    expect(store(path).read()).toEqual({ n: 1 });
    const text = readFileSync(path, "utf8");
    expect(await one.update((value) => value)).toEqual({ ok: true, value: { n: 1 } });
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(join(path, ".."))).toEqual(["store.json"]);
  });

  test("sees what another process wrote since it read", async () => {
    const path = join(tempFolder(), "store.json");
    const [mine, other] = [store(path), store(path)];
    expect(mine.read()).toEqual({ n: 0 });
    await other.update(() => ({ n: 41 }));
    expect(mine.read()).toEqual({ n: 41 });
    expect(await mine.update(({ n }) => ({ n: n + 1 }))).toEqual({ ok: true, value: { n: 42 } });
  });

  test.each([
    ["is no JSON", '{"n":'],
    ["is empty", ""],
    ["holds something else", '{"n":"x"}'],
    ["is binary", "\u0000\u0001\ufffd"],
  ])("sets a file aside that %s, says so once and goes on", async (_what, text) => {
    const folder = tempFolder();
    const path = join(folder, "store.json");
    writeFileSync(path, text);
    const warnings: string[] = [];
    const one = store(path, warnings);
    expect(one.read()).toEqual({ n: 0 });
    expect(await one.update(({ n }) => ({ n: n + 1 }))).toEqual({ ok: true, value: { n: 1 } });
    expect(warnings).toHaveLength(1);
    const aside = readdirSync(folder).find((name) => name.startsWith("store.json.broken-2026-01-05"));
    expect(readFileSync(join(folder, aside!), "utf8")).toBe(text);
  });

  test("leaves a file of a later version alone", async () => {
    const path = join(tempFolder(), "store.json");
    writeFileSync(path, '{"version":2}');
    const isNewer = (value: unknown) => (value as { version?: number })?.version === 2;
    const one = new JsonStore({ path, check: CHECK, empty: () => ({ n: 0 }), now: () => NOW, isNewer });
    expect(one.read()).toEqual({ n: 0 });
    expect(await one.update(() => ({ n: 1 }))).toEqual({ ok: false, fault: "unwritable" });
    expect(readFileSync(path, "utf8")).toBe('{"version":2}');
  });

  test("that is a folder costs the record and nothing else", async () => {
    const path = join(tempFolder(), "store.json");
    mkdirSync(join(path, "inside"), { recursive: true });
    expect(store(path).read()).toEqual({ n: 0 });
    expect(await store(path).update(() => ({ n: 1 }))).toEqual({ ok: false, fault: "unwritable" });
    expect(readdirSync(join(path, ".."))).toEqual(["store.json"]);
  });
});

describe("a log of records", () => {
  test("is rotated before it is too large, and keeps two older files", async () => {
    const folder = tempFolder();
    const one = log(join(folder, "log.jsonl"), 100);
    for (let n = 0; n < 100; n++) await one.append([{ n }]);
    expect(readdirSync(folder).sort()).toEqual(["log.1.jsonl", "log.2.jsonl", "log.jsonl"]);
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).length).toBeLessThanOrEqual(100);
    const read = one.read(NOW).records.map(({ n }) => n);
    expect(read.at(-1)).toBe(99);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(read.length).toBeGreaterThan(20);
  });

  test("skips lines that are no record, and a cut line does not swallow the next", async () => {
    const path = join(tempFolder(), "log.jsonl");
    writeFileSync(path, '{"n":1}\nnonsense\n{"n":"x"}\n{"n":2');
    await log(path).append([{ n: 3 }]);
    const { records, skipped, warnings } = log(path).read(NOW);
    expect(records).toEqual([{ n: 1 }, { n: 3 }]);
    expect(skipped).toBe(3);
    expect(warnings).toHaveLength(1);
    expect(existsSync(path)).toBe(true);
  });

  test("without a single record is set aside", async () => {
    const folder = tempFolder();
    const path = join(folder, "log.jsonl");
    writeFileSync(path, "\u0000\u0000\nnonsense\n");
    expect(log(path).read(NOW).records).toEqual([]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^log\.jsonl\.broken-2026-01-05/)]);
  });

  test.each([
    ["is written right now", '{"n":1', {}],
    ["is a later version's", '{"v":2}\n{"v":2}\n', {}],
    ["somebody named", "notes\n", { isNamed: true }],
  ])("without a single record stays where it %s", (_why, text, more) => {
    const folder = tempFolder();
    const path = join(folder, "log.jsonl");
    writeFileSync(path, text);
    const read = new JsonLinesLog({ path, check: CHECK, maxBytes: 1_000, olderFiles: 2, ...more }).read(NOW);
    expect(read).toMatchObject({ records: [], warnings: [expect.stringContaining("skipped")] });
    expect(readdirSync(folder)).toEqual(["log.jsonl"]);
  });

  test.runIf(existsSync("/dev/full"))(
    "on a full disk loses the record, and neither throws nor leaves a lock",
    async () => {
      const folder = tempFolder();
      const path = join(folder, "log.jsonl");
      symlinkSync("/dev/full", path);
      expect(await log(path).append([{ n: 1 }])).toEqual({ ok: false, fault: "unwritable" });
      expect(readdirSync(folder)).toEqual(["log.jsonl"]);
    },
  );
});
