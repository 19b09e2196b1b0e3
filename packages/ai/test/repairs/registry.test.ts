// The one runner of the fixture folders: registry and folders match one to one, and every row holds its verdict.
// A row is `{name, tool, args, model?, refuses?, expect}`: `refuses` marks a value the entry must leave to others.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";
import { describe, expect, test } from "vitest";
import type { RepairEntry } from "../../src/utils/tool-repair/failure-site.ts";
import { REPAIRS } from "../../src/utils/tool-repair/registry.ts";
import { repairToolArguments } from "../../src/utils/tool-repair/repairer.ts";
import type { RepairTool } from "../../src/utils/tool-repair/types.ts";

interface Row {
  readonly name: string;
  readonly tool: RepairTool;
  readonly args: unknown;
  readonly model?: string;
  /** The entry of this folder must not touch the value. */
  readonly refuses?: true;
  readonly expect: {
    readonly outcome: "clean" | "repaired" | "bounced";
    readonly args?: unknown;
    /** Entry names, in the order they were made. */
    readonly repairs?: readonly string[];
    /** Reasons that the failures of a bounce state. */
    readonly reasons?: readonly string[];
  };
}

const ENTRIES: readonly RepairEntry[] = REPAIRS;
const FOLDERS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map((item) => item.name);

const rowsOf = (name: string): Row[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, name, "cases.json"), "utf8")) as Row[];

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

describe("the registry", () => {
  test("has one fixture folder an entry, and no other folder", () => {
    expect(FOLDERS.toSorted()).toEqual(ENTRIES.map((entry) => entry.name).toSorted());
  });

  test("names every entry once, in camel case", () => {
    const names = ENTRIES.map((entry) => entry.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
  });

  test.each(ENTRIES)("$name says what it does, in at most 200 characters", (entry) => {
    for (const cell of [entry.docs.sends, entry.docs.becomes, entry.docs.refuses, entry.docs.seen]) {
      expect(cell.trim()).not.toBe("");
      expect(cell).not.toContain("TODO");
    }
    expect(entry.noteTemplate.trim()).not.toBe("");
    expect(entry.noteTemplate.length).toBeLessThanOrEqual(200);
    if (entry.bounces !== true) expect(entry.noteTemplate).toContain(" → ");
    expect(entry.errorSignature.expect.length).toBeGreaterThan(0);
    expect(entry.errorSignature.got.length).toBeGreaterThan(0);
  });
});

describe.each(ENTRIES)("$name", (entry) => {
  const rows = rowsOf(entry.name);

  test("has a row it acts on, a row it refuses and a clean row, each named once", () => {
    const acts = entry.bounces
      ? (row: Row) => row.expect.reasons?.includes(entry.noteTemplate) ?? false
      : (row: Row) => row.expect.repairs?.includes(entry.name) ?? false;
    expect(rows.filter((row) => acts(row) && !row.refuses).length).toBeGreaterThan(0);
    expect(rows.filter((row) => row.refuses).length).toBeGreaterThan(0);
    expect(rows.filter((row) => row.expect.outcome === "clean" && !row.refuses).length).toBeGreaterThan(0);
    expect(rows.filter((row) => row.refuses && acts(row))).toEqual([]);
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });

  test.each(rows)("$name: $expect.outcome", (row) => {
    const args = deepFreeze(structuredClone(row.args));
    const before = JSON.stringify(args);
    const tool = deepFreeze(structuredClone(row.tool));
    const run = () => repairToolArguments(tool, args, { model: row.model });
    const result = run();
    expect(JSON.stringify(args)).toBe(before);
    expect(run()).toEqual(result);
    if (result.outcome === "clean") {
      expect(row.expect).toEqual({ outcome: "clean" });
      expect(result.args).toBe(args);
    } else if (result.outcome === "repaired") {
      const repairs = result.repairs.map((repair) => repair.name);
      expect({ outcome: result.outcome, args: result.args, repairs }).toEqual(row.expect);
      expect(compile(tool.parameters as object, { formats }).check(result.args)).toBe(true);
      for (const { note } of result.repairs) {
        expect(note).not.toMatch(/[{}](?:path|expect)/);
        expect(note.length).toBeLessThanOrEqual(320);
      }
    } else {
      expect(result.outcome).toBe(row.expect.outcome);
      for (const reason of row.expect.reasons ?? []) {
        expect(result.failures.map((failure) => failure.reason)).toContain(reason);
      }
    }
  });
});
