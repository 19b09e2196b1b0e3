// Rows that `--fixtures` writes are rows of the repair table's folders: every one holds what it says, in the right folder.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPAIRS, type RepairTool, repairToolArguments } from "@pi-mend/ai/tool-repair";
import { describe, expect, test } from "vitest";
import { type FixtureRow, UNREPAIRED } from "../../src/replay/fixture-rows.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { replay, writeCorpus } from "./support/replayed.ts";

const FOLDER = tempFolder();
writeCorpus({ folder: join(FOLDER, "corpus"), bytes: 2_000_000, seed: 31, files: 2 });
await replay(FOLDER, "corpus", "--fixtures", "rows");
const FOLDERS = readdirSync(join(FOLDER, "rows"));

function rowsOf(folder: string): FixtureRow[] {
  return JSON.parse(readFileSync(join(FOLDER, "rows", folder, "cases.json"), "utf8"));
}

test("there is a folder for each kind of fault in the corpus", () => {
  expect(FOLDERS.toSorted()).toEqual(
    ["aliasRename", "jsonStringParse", "nullRequiredBounce", "numberFromString", UNREPAIRED].toSorted(),
  );
  const entries = new Set<string>([UNREPAIRED, ...REPAIRS.map(({ name }) => name)]);
  expect(FOLDERS.filter((folder) => !entries.has(folder))).toEqual([]);
});

describe.each(FOLDERS)("%s", (folder) => {
  const rows = rowsOf(folder);

  test("names each row once", () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  test.each(rows)("$name", ({ tool, args, model, expect: due }) => {
    const result = repairToolArguments(tool as RepairTool, args, { model });
    if (result.outcome === "repaired") {
      const repairs = result.repairs.map(({ name }) => name);
      expect({ outcome: result.outcome, args: result.args, repairs }).toEqual(due);
      expect(repairs[0]).toBe(folder);
      return;
    }
    expect(result.outcome).toBe(due.outcome);
    if (result.outcome === "bounced") {
      const reasons = result.failures.map(({ reason }) => reason);
      for (const reason of due.reasons ?? []) expect(reasons).toContain(reason);
    }
  });
});
