// What a replay shows: the table, the values for spreadsheets and the page say the report's numbers, whatever names it holds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mostFrequent } from "../../src/replay/failure-groups.ts";
import { progressBar } from "../../src/replay/progress-bar.ts";
import { replayCsv } from "../../src/replay/replay-csv.ts";
import { replayPage } from "../../src/replay/replay-page.ts";
import { dollarText, grouped, replayTable, timeText } from "../../src/replay/replay-table.ts";
import { sinceTime } from "../../src/replay/since-time.ts";
import { parseHtml } from "../memory/support/parse-html.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { replay, report, writeCorpus } from "./support/replayed.ts";

const FOLDER = tempFolder();
writeCorpus({ folder: join(FOLDER, "corpus"), bytes: 2_000_000, seed: 41, files: 2 });
const REPORT = await report(FOLDER, "corpus");
const NOW = Date.UTC(2026, 8, 1);
const { total } = REPORT;

describe("the table", () => {
  const text = replayTable(REPORT);

  test("begins with what it would have saved", () => {
    expect(text).toContain(
      `What it would have saved you\n  ${total.saved.turns} turns, ${grouped(total.saved.tokens)} tokens`,
    );
    expect(text).toContain(`of what failed round trips cost: ${total.lost.turns} turns`);
    expect(text).toContain(`${total.verdicts.ranWrong} calls ran with other arguments`);
  });

  test("has a line a model, with its modes below, and the failures that nothing repairs", () => {
    const rows = text.split("\n").map((line) => line.trim().split(/\s{2,}/));
    for (const { model, calls, verdicts, lost, saved } of REPORT.models) {
      const row = rows.find(([name, count]) => name === model && count === String(calls))!;
      expect(row).toContain(String(verdicts.wouldRun));
      expect(row.slice(-2)).toEqual([String(lost.turns), String(saved.turns)]);
    }
    expect(text).toMatch(/\n {2}aliasRename +\d+/);
    expect(text).toContain(`${REPORT.unrepaired[0]!.count}  ${REPORT.unrepaired[0]!.tool}: `);
    expect(REPORT.unrepaired.length).toBeLessThanOrEqual(10);
  });

  test("explains the heads of columns that do not say it themselves", () => {
    expect(text).toMatch(/^ {2}would run +bounced then, would run now$/m);
    expect(text).not.toMatch(/^ {2}(?:clean +clean|not run +not run)$/m);
  });

  test("says what it was stopped at, and that there was nothing", () => {
    expect(replayTable({ ...REPORT, isStopped: true })).toContain("Stopped before the end");
    expect(replayTable({ ...REPORT, models: [] })).toContain("No turns of a model were found.");
    const input = { ...REPORT.input, damaged: 1, oversized: 2, unfinished: 1, unreadable: 1 };
    const odd = "1 damaged line skipped, 2 lines above 8 MB skipped, 1 line not finished yet, 1 file not readable";
    expect(replayTable({ ...REPORT, input })).toContain(odd);
  });
});

test("the values for spreadsheets have a row a model and mode, and no cell is a formula", () => {
  const rows = replayCsv(REPORT)
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  expect(rows[0]!.slice(0, 4)).toEqual(["model", "mode", "calls", "clean"]);
  const own = rows.filter(([, mode], index) => index > 0 && mode === "");
  expect(own.map(([model, , calls]) => [model, calls])).toEqual(
    REPORT.models.map(({ model, calls }) => [model, String(calls)]),
  );
  const saved = rows[0]!.indexOf("saved_tokens");
  expect(own.map((row) => Number(row[saved]))).toEqual(REPORT.models.map((model) => model.saved.tokens));
  const evil = replayCsv({ ...REPORT, models: [{ ...REPORT.models[0]!, model: '=cmd|"x",1' }] });
  expect(evil.split("\n")[1]).toMatch(/^"'=cmd\|""x"",1",/);
});

describe("the page", () => {
  const html = replayPage(REPORT, NOW);
  const page = parseHtml(html);

  test("is well-formed, loads nothing and carries the data, whole", () => {
    expect(page.errors).toEqual([]);
    expect(html).not.toMatch(/url\(|@import|https?:|\/\/[a-z]|NaN|Infinity|undefined/i);
    const scripts = page.elements.filter(({ name }) => name === "script");
    expect(scripts).toHaveLength(1);
    expect(JSON.parse(scripts[0]!.text)).toEqual(REPORT);
  });

  test("begins with what it would have saved, and has charts by model and by week", () => {
    const tiles = html.slice(html.indexOf('<div class="tiles">'), html.indexOf("<section>"));
    expect(tiles).toContain(`<b>${total.saved.turns}</b><span class="soft">turns</span>`);
    expect(tiles).toContain(`<b>${dollarText(total.saved.dollars)}</b>`);
    const labels = page.elements
      .filter(({ name }) => name === "svg")
      .map(({ attributes }) => attributes.get("aria-label"));
    expect(labels).toEqual(
      expect.arrayContaining([
        ...[
          "What became of calls, by model",
          "Calls that were not clean, by week",
          "Turns it would have saved, by week",
        ],
        ...REPORT.models.map(({ model }) => `Calls of ${model} that were not clean, by week`),
      ]),
    );
    for (const { name, attributes } of page.elements) {
      if (name !== "rect") continue;
      for (const side of ["x", "y", "width", "height"]) expect(Number(attributes.get(side))).toBeGreaterThanOrEqual(0);
    }
  });

  test("shows hostile names as text, and many weeks without breaking", () => {
    const name = `x"><script>alert(1)</script>`;
    const first = REPORT.models[0]!;
    const day = (week: number) => new Date(Date.UTC(2020, 0, 6) + week * 604_800_000).toISOString().slice(0, 10);
    const weeks = Array.from({ length: 300 }, (_, week) => ({ ...first.weeks[0]!, week: day(week) }));
    const models = [{ ...first, model: name, weeks, modes: [{ mode: name, verdicts: first.verdicts }] }];
    const unrepaired = [{ tool: name, places: [name], count: 1, skeleton: name, example: name }];
    const made = parseHtml(replayPage({ ...REPORT, models, unrepaired }, NOW));
    expect(made.errors).toEqual([]);
    expect(made.elements.filter((element) => element.name === "script")).toHaveLength(1);
    expect(made.elements.filter((element) => element.name === "rect").length).toBeLessThan(500);
  });

  test("names a single day once, as the table does", () => {
    const input = { ...REPORT.input, from: "2026-08-31", to: "2026-08-31" };
    for (const text of [replayPage({ ...REPORT, input }, NOW), replayTable({ ...REPORT, input })]) {
      expect(text).toMatch(/ 2026-08-31(?!.* to 2026-08-31)/);
      expect(text).not.toContain("2026-08-31 to");
    }
  });

  test("of nothing is a page, too", () => {
    const none = { ...REPORT, models: [], unrepaired: [] };
    expect(parseHtml(replayPage(none, NOW)).errors).toEqual([]);
    expect(replayPage(none, NOW)).toContain("No turns of a model were found.");
  });

  test("is written where --html says", async () => {
    const said = await replay(FOLDER, "corpus", "--html", "out/page.html");
    expect(said).toMatchObject({ code: 0, err: `${join(FOLDER, "out", "page.html")}\n` });
    expect(readFileSync(join(FOLDER, "out", "page.html"), "utf8")).toBe(html);
    expect((await replay(FOLDER, "corpus", "--html", "corpus")).code).toBe(1);
  });
});

test.each([
  [0.5, "0.5 s"],
  [59.94, "59.9 s"],
  [89, "1 min"],
  [3_600, "1 h 0 min"],
  [7_260, "2 h 1 min"],
])("%d seconds are %s", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
});

test("numbers are grouped, and little money has more digits", () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
  expect([0.0123, 1.5].map(dollarText)).toEqual(["$0.0123", "$1.50"]);
});

test.each([
  [undefined, undefined],
  ["2026-08-01", Date.UTC(2026, 7, 1)],
  ["7d", NOW - 7 * 86_400_000],
  ["12h", NOW - 12 * 3_600_000],
  ["2w", NOW - 14 * 86_400_000],
  ["2026-13-01", "unclear"],
  ["yesterday", "unclear"],
  ["", "unclear"],
])("--since %j is %j", (text, time) => {
  expect(sinceTime(text, NOW)).toBe(time);
});

test("the progress bar says how much of how much, and how fast", () => {
  expect(progressBar(50e6, 100e6, 1_000)).toBe(`${"█".repeat(12)}${"░".repeat(12)}  50 % of 100.0 MB, 50 MB/s`);
  expect(progressBar(0, 0, 0)).toContain("100 % of 0.0 MB");
});

test("the most frequent failures come first, at most as many as asked", () => {
  const group = (tool: string, count: number) => ({ tool, places: ["a"], count, skeleton: "" });
  const found = mostFrequent([group("b", 1), group("c", 3), group("a", 1)], 2);
  expect(found.map(({ tool }) => tool)).toEqual(["c", "a"]);
});
