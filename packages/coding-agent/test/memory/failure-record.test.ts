// Records of the fixture calls of every entry of the repair table: each gets the verdict that the call itself gets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { REPAIRS, type RepairTool, repairToolArguments } from "@pi-mend/ai/tool-repair";
import { describe, expect, test } from "vitest";
import type { FailureRecord } from "../../src/memory/failures/failure.schema.ts";
import { replay, replaysTruly, type Skeleton, skeletonOf } from "../../src/memory/failures/failure-record.ts";
import { FailureRecords, failureLog } from "../../src/memory/failures/failure-records.ts";
import { valueClass } from "../../src/memory/failures/value-class.ts";
import { tempFolder } from "./support/temp-folder.ts";

interface Row {
  readonly name: string;
  readonly tool: RepairTool;
  readonly args: unknown;
  readonly model?: string;
  readonly expect: { readonly outcome: "clean" | "repaired" | "bounced" };
}

const FIXTURES = fileURLToPath(new URL("../../../ai/test/repairs/", import.meta.url));
const rowsOf = (entry: string) => JSON.parse(readFileSync(`${FIXTURES}${entry}/cases.json`, "utf8")) as Row[];

/** What the repair step says of a call, without the pointers that hold a model's keys. */
function liveVerdict({ tool, args, model }: Row) {
  const result = repairToolArguments(tool, args, { model });
  if (result.outcome === "bounced") return result.failures.map((one) => `${one.keyword} ${one.required} ${one.got}`);
  return result.outcome === "repaired" ? result.repairs.map((one) => one.name) : [];
}

function replayed(row: Row, skeleton: Skeleton) {
  const stored = JSON.parse(JSON.stringify(skeleton)) as Skeleton;
  return replay(row.tool.name, stored.call, row.model ?? "");
}

describe.each(REPAIRS.map((entry) => entry.name))("%s", (name) => {
  const rows = rowsOf(name).filter((row) => row.expect.outcome !== "clean");

  test("has calls whose record replays to the verdict that they had live", () => {
    const kept = rows.flatMap((row) => {
      const skeleton = skeletonOf(row.tool, row.args, row.model ?? "");
      return skeleton === undefined ? [] : [{ row, skeleton }];
    });
    for (const { row, skeleton } of kept) {
      const verdict = replayed(row, skeleton);
      expect(verdict.outcome, row.name).toBe(row.expect.outcome);
      const said = verdict.places.map((place) =>
        place
          .split(" ")
          .slice(0, verdict.outcome === "bounced" ? 3 : 1)
          .join(" "),
      );
      expect(said, row.name).toEqual(liveVerdict(row));
    }
    expect(kept.length).toBeGreaterThanOrEqual(Math.ceil(rows.length * 0.7));
    const bounces = rows.filter((row) => row.expect.outcome === "bounced").length;
    const recorded = kept.filter(({ row }) => row.expect.outcome === "bounced").length;
    expect(recorded, "bounces that are kept").toBeGreaterThanOrEqual(Math.min(1, bounces));
  });

  test("keeps none of the values and of the undeclared keys that the model sent", () => {
    const secret = (text: string) => text.replace(/[A-Za-z]{3,}/g, (word) => `Zq${word}kV`);
    for (const row of rows) {
      // The fixtures' own words are short; every text gets words that can be found again.
      const args = {
        ...(typeof row.args === "object" && !Array.isArray(row.args) ? row.args : {}),
        canaryKeyZqkV: secret("a secret value"),
      };
      const skeleton = skeletonOf(row.tool, args, row.model ?? "");
      expect(JSON.stringify(skeleton ?? null)).not.toMatch(/Zq|kV|secret/);
    }
  });
});

test("every bounce of the fixtures is kept, but for a few", () => {
  const bounces = REPAIRS.flatMap((entry) => rowsOf(entry.name)).filter((row) => row.expect.outcome === "bounced");
  const kept = bounces.filter((row) => skeletonOf(row.tool, row.args, row.model ?? "") !== undefined);
  expect(bounces.length).toBeGreaterThan(100);
  expect(kept.length / bounces.length).toBeGreaterThan(0.98);
});

const TOOL: RepairTool = {
  name: "deploy",
  parameters: {
    type: "object",
    description: "A tool with prose",
    properties: {
      stage: { type: "string", enum: ["test", "live"], description: "Where to" },
      count: { type: "integer", minimum: 10, maximum: 500 },
      notes: { type: "array", items: { type: "string" } },
    },
    required: ["stage"],
    additionalProperties: false,
  },
};

function recordOf(args: unknown, tool = TOOL): FailureRecord | undefined {
  const path = join(tempFolder(), "failures.jsonl");
  const records = new FailureRecords({ path, now: () => 1, isTool: () => true });
  const origin = { model: "m", provider: "p", api: "a", tool: tool.name, forgiven: [] };
  const event = { ...origin, outcome: "bounced", modes: [], taught: "none", executed: "not-run" } as const;
  records.keep(event, { tool, sent: args, prepared: { outcome: "bounced" } });
  return records.take()[0];
}

describe("a record", () => {
  test("says where, what was due, whether it is required and what kind of value came", () => {
    const record = recordOf({ stage: "production", count: 4711 })!;
    expect(record.places).toEqual([
      {
        path: "/stage",
        keyword: "enum",
        required: true,
        expected: '{"type":"string","enum":["test","live"]}',
        got: "string",
        value: "one word",
      },
      {
        path: "/count",
        keyword: "maximum",
        required: false,
        expected: '{"type":"integer","minimum":10,"maximum":500}',
        got: "integer",
        value: "integer",
      },
    ]);
    expect(record.call.args).toEqual({ stage: expect.stringMatching(/^[a-z]{10}$/), count: 1111 });
    expect(JSON.stringify(record)).not.toMatch(/production|4711|prose|Where to/);
    expect(replaysTruly(record)).toBe(true);
  });

  test("puts placeholders for keys that the schema does not declare, in the call and in the path", () => {
    const record = recordOf({ stage: "test", "hunter2/key": { deep: "x y" }, notes: { innerkey: 1 } })!;
    expect(JSON.stringify(record)).not.toMatch(/hunter|deep|innerkey/);
    expect(record.places.map(({ path }) => path)).toContainEqual(
      expect.stringMatching(/^\/[a-z]{6}1~1[a-z]{3}|^\/[a-z1]{7}~1key$/),
    );
    expect(replaysTruly(record)).toBe(true);
  });

  test.each([
    ["below a minimum", { stage: "test", count: 3 }],
    ["at a number that is no integer", { stage: "test", count: 12.75 }],
    ["beyond exact integers", { stage: "test", count: "90071992547409931" }],
    ["with a list that looks broken", { stage: "test", notes: '["alpha", "beta' }],
    ["with a key twice in other spellings", { stage: "test", Count: 20, COUNT: 30 }],
    ["with prototype keys", JSON.parse('{"stage":"test","__proto__":{"a":1},"constructor":2}')],
    ["with escapes", { stage: 'C:\\users\\alice\\"x"\n' }],
    ["with letters of other scripts", { stage: "производство ☃" }],
    ["that is no object", ["a", "b"]],
  ])("of a call %s replays", (_what, args) => {
    const record = recordOf(args);
    expect(record).toBeDefined();
    expect(replaysTruly(JSON.parse(JSON.stringify(record)))).toBe(true);
  });

  test("keeps of the schema what decides, and no text that stands beside it under any keyword", () => {
    const said = (place: string) => `a canary in ${place}`;
    const beside = (place: string) => ({
      ...{ title: said(place), description: said(place), markdownDescription: said(place), $comment: said(place) },
      ...{ default: said(place), example: said(place), examples: [said(place)], enumDescriptions: [said(place)] },
      ...{ errorMessage: { type: said(place) }, "x-owner": { deep: [said(place)] }, contentMediaType: said(place) },
    });
    const parameters = {
      ...{ type: "object", required: ["n"], ...beside("root") },
      properties: {
        n: { anyOf: [{ type: "integer", ...beside("branch") }, { $ref: "#/$defs/list" }], ...beside("union") },
        title: { type: "string", ...beside("field") },
      },
      $defs: { list: { type: "array", items: { type: "integer", ...beside("items") }, ...beside("definition") } },
      dependencies: { title: ["n"], n: { minProperties: 1, ...beside("dependency") } },
    };
    for (const args of [{ n: "canary" }, { n: ["canary"], title: "a" }, { title: 7 }]) {
      const record = recordOf(args, { name: "deploy", parameters })!;
      expect(JSON.stringify(record)).not.toContain("canary");
      expect(record.call.schema).toMatchObject({ dependencies: { title: ["n"], n: { minProperties: 1 } } });
      expect(replaysTruly(record)).toBe(true);
    }
  });

  test("of a long call is short", () => {
    const record = recordOf({ stage: "word ".repeat(100_000), count: "x" });
    expect(JSON.stringify(record).length).toBeLessThan(9_000);
    expect(replaysTruly(record!)).toBe(true);
  });

  test("no longer replays once the call is repaired or bounces elsewhere", () => {
    const record = recordOf({ stage: "production" })!;
    const mended = { ...record, call: { ...record.call, args: { stage: "live" } } };
    expect(replaysTruly(mended)).toBe(false);
    const elsewhere = { ...record, call: { ...record.call, args: { stage: "live", count: {} } } };
    expect(replaysTruly(elsewhere)).toBe(false);
  });
});

test("records are kept in a file of at most 256 kB, and an older one", async () => {
  const path = join(tempFolder(), "failures.jsonl");
  const records = new FailureRecords({ path, now: () => 1, isTool: () => true });
  const record = recordOf({ stage: "word ".repeat(400) })!;
  for (let batch = 0; batch < 12; batch++) await records.write(Array.from({ length: 50 }, () => record));
  const read = failureLog(path).read(1);
  expect(read.skipped).toBe(0);
  expect(JSON.stringify(read.records).length).toBeLessThan(2 * 256 * 1024 + 4_096);
});

test.each([
  [undefined, "missing"],
  [null, "null"],
  ["", "empty text"],
  [" ", "blank text"],
  ["None", "word for nothing"],
  ["TRUE", "boolean in text"],
  ["-12", "integer in text"],
  ["1,000.5", "number in text"],
  [' {"a":1}', "object in text"],
  ["[1", "list in text"],
  ["a\nb", "text of several lines"],
  ["a b", "text of several words"],
  ["a", "one word"],
  [0, "0 or 1"],
  [2 ** 60, "unsafe integer"],
  [1.5, "number"],
  [[], "empty list"],
  [[1], "list of one"],
  [{}, "empty object"],
])("the class of %j is %s", (value, expected) => {
  expect(valueClass(value)).toBe(expected);
});
