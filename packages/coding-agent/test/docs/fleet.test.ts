// The queries of docs/fleet.md, run by DuckDB over the files of several machines, say what `pi-mend health` says.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, expect, test } from "vitest";
import { healthOf, type ModelHealth } from "../../src/memory/health/health.ts";
import { telemetryLog } from "../../src/memory/telemetry/telemetry-log.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { fleetRecords, NOW } from "./support/fleet-records.ts";
import { fencedBlocks, readPage } from "./support/pages.ts";

const MACHINES = ["alpha", "beta", "gamma"];
const SQL = fencedBlocks(readPage("docs/fleet.md"), ["sql"]);
const folder = tempFolder();
let duckdb: DuckDBConnection;
let models: readonly ModelHealth[] = [];

async function rows(name: string): Promise<Record<string, unknown>[]> {
  const query = SQL.find(({ info }) => info === `sql ${name}`);
  if (query === undefined) throw new Error(`no query ${name}`);
  const found = await duckdb.runAndReadAll(query.text);
  return found
    .getRowObjectsJS()
    .map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])));
}

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

beforeAll(async () => {
  const logs = MACHINES.map((machine) => telemetryLog(join(folder, "fleet", machine, "telemetry.jsonl")));
  for (const [index, log] of logs.entries()) {
    const records = fleetRecords(index + 1);
    for (let at = 0; at < records.length; at += 500) await log.append(records.slice(at, at + 500));
  }
  // What a full disk and a later version leave behind.
  const [, damaged = ""] = logs[0]!.files();
  appendFileSync(damaged, '{"v":1,"at":17\n[1,2]\n{"v":2,"kind":"call"}\n\n');
  models = healthOf(
    logs.flatMap((log) => log.read(NOW).records),
    new Map(),
    NOW,
  ).models;

  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run(`SET file_search_path = '${folder}'`);
  await duckdb.run(SQL.find(({ info }) => info === "sql")!.text);
  await duckdb.run(`SET VARIABLE now = ${NOW}`);
}, 60_000);

test("the files are those of a fleet: rotated, damaged, several models in each", () => {
  expect(readFileSync(join(folder, "fleet", "alpha", "telemetry.1.jsonl"), "utf8").length).toBeGreaterThan(900_000);
  expect(models).toHaveLength(4);
  expect(Math.min(...models.map(({ calls }) => calls))).toBeGreaterThan(1_000);
});

test("the table is that of health", async () => {
  const table = await rows("health");
  expect(table).toEqual(
    models.map(({ model, calls, clean, repaired, bounced, refused, roundTripsSaved, escalations, leaks }) => ({
      ...{ model, calls, clean, repaired, bounced, refused, saved: roundTripsSaved, escalations },
      leaks: Object.values(leaks).reduce((sum, count) => sum + count, 0),
      clean_percent: expect.closeTo((100 * clean) / calls, 0),
    })),
  );
  for (const { clean_percent, clean, calls } of table) {
    expect(Math.abs(Number(clean_percent) - (100 * Number(clean)) / Number(calls))).toBeLessThanOrEqual(0.0500001);
  }
});

test("the modes are those of health", async () => {
  const byModel = models.toSorted((a, b) => (a.model < b.model ? -1 : 1));
  const due = byModel.flatMap(({ model, repairedBy, bouncedBy }) => [
    ...bouncedBy.map(([mode, times]) => ({ model, became: "not run", mode, times })),
    ...repairedBy.map(([mode, times]) => ({ model, became: "repaired", mode, times })),
  ]);
  expect(due.length).toBeGreaterThan(12);
  expect(inOneOrder(await rows("modes"))).toEqual(inOneOrder(due));
});

test("the weeks are those of health", async () => {
  const due = models.flatMap(({ model, weeks }) =>
    weeks.flatMap(({ calls, clean, repaired, bounced }, week) =>
      calls === 0 ? [] : [{ model, week, calls, clean, repaired, bounced }],
    ),
  );
  expect(due.length).toBeGreaterThan(30);
  expect(inOneOrder(await rows("weeks"))).toEqual(inOneOrder(due));
});

test("the effect of notes is that of health", async () => {
  const due = models.flatMap(({ model, notes: effects }) =>
    effects.map(({ mode, notes, sessions, before, after }) => ({
      ...{ model, mode, notes, sessions, calls_before: before.calls, firings_before: before.firings },
      ...{ calls_after: after.calls, firings_after: after.firings },
    })),
  );
  expect(due.length).toBeGreaterThan(8);
  expect(inOneOrder(await rows("notes"))).toEqual(inOneOrder(due));
});

/** Modes with one count are in an order that only names decide, and names are compared differently. */
function inOneOrder(list: readonly object[]): string[] {
  return list.map((row) => JSON.stringify(row)).sort();
}
