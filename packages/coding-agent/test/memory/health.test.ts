import { describe, expect, test } from "vitest";
import { emptyMemory, learn } from "../../src/memory/adaptation/learn.ts";
import { findModel } from "../../src/memory/health/find-model.ts";
import { healthOf } from "../../src/memory/health/health.ts";
import { healthTable } from "../../src/memory/health/health-table.ts";
import { rulesTable } from "../../src/memory/health/rules-table.ts";
import { faultSparkline, WEEKS } from "../../src/memory/health/weekly-counts.ts";
import { reportPage } from "../../src/memory/report/report-page.ts";
import { CASES, NOW } from "./support/health-cases.ts";
import { parseHtml } from "./support/parse-html.ts";

const health = healthOf(CASES.records, CASES.memories, NOW);
const weak = health.models.find((model) => model.model === "local/weak-7b")!;

describe("health", () => {
  test("counts calls by outcome, and what ran well of what was repaired", () => {
    expect(weak).toMatchObject({ calls: 40, clean: 30, repaired: 7, bounced: 2, refused: 1, escalations: 1 });
    expect(weak).toMatchObject({ executedRepaired: 6, ranWell: 5, roundTripsSaved: 5 });
    expect(weak.repairedBy).toEqual([
      ["aliasRename", 6],
      ["numberFromString", 2],
    ]);
    expect(weak.bouncedBy).toEqual([
      ["enum", 1],
      ["required", 1],
      ["truncated", 1],
    ]);
  });

  test("measures each note by how often its mode came up to it and after it in the same session", () => {
    expect(weak.notes.find((note) => note.mode === "aliasRename")).toEqual({
      mode: "aliasRename",
      notes: 3,
      sessions: 2,
      before: { calls: 7, firings: 2 },
      after: { calls: 33, firings: 4 },
    });
  });

  test("knows repairs that did not fire for 30 days, for any model", () => {
    const after = (days: number) => healthOf(CASES.records, CASES.memories, NOW + days * 86_400_000);
    // Two weeks of records say nothing about 30 days.
    expect(health.deadRepairs).toEqual([]);
    expect(after(20).deadRepairs).not.toContain("aliasRename");
    expect(after(20).deadRepairs).toContain("jsonStringParse");
    expect(after(40).deadRepairs).toContain("aliasRename");
  });

  test("knows notes that do not reach a model", () => {
    expect(health.deadNotes).toEqual([{ model: "local/stubborn", mode: "boolFromString" }]);
  });

  test("shows the rules that stand, with what they changed", () => {
    expect(weak.rules).toMatchObject([
      { mode: "aliasRename", before: { firings: 3 }, after: { calls: 20, firings: 0 } },
    ]);
    expect(rulesTable(health)).toContain("Use this tool's field names");
    expect(rulesTable(health)).toContain("0.0 % of 20 after (falls)");
  });

  test("has twelve weeks, the last one up to now", () => {
    expect(weak.weeks).toHaveLength(WEEKS);
    expect(weak.weeks.reduce((sum, week) => sum + week.calls, 0)).toBe(40);
    expect(weak.weeks.at(-1)).toMatchObject({ calls: 22 });
    expect(weak.weeks.at(-3)).toMatchObject({ calls: 18 });
    expect(weak.weeks.at(-2)).toMatchObject({ calls: 0 });
  });

  test("of nothing is empty, in every view", () => {
    const none = healthOf([], new Map(), NOW);
    expect(healthTable(none)).toBe("No calls were counted yet.");
    expect(rulesTable(none)).toBe("No rules were learned yet.");
    expect(parseHtml(reportPage(none)).errors).toEqual([]);
  });

  test("of a model that only memory knows is there", () => {
    const memory = learn(emptyMemory(), { session: "s", calls: 3, firings: new Map([["aliasRename", 3]]) }, NOW);
    const only = healthOf([], new Map([["a/b", memory]]), NOW);
    expect(only.models[0]).toMatchObject({ model: "a/b", calls: 0, rules: [{ mode: "aliasRename" }] });
  });
});

test("the table has a row for each model and what is behind it", () => {
  const lines = healthTable(health).split("\n");
  expect(lines[0]).toMatch(/^model +calls +clean +repaired +bounced +refused +saved$/);
  expect(lines.find((line) => line.startsWith("local/weak-7b "))).toMatch(/ 40 +75\.0 % +17\.5 % +5\.0 % +2\.5 % +5$/);
  expect(lines).toContain("  ran well       5 of 6 repaired calls");
  expect(lines).toContain("  protocol       not measured");
  expect(lines).toContain("The note for boolFromString does not reach local/stubborn.");
});

test("the sparkline is as high as the worst week, flat without faults, and has dots for weeks without calls", () => {
  const week = (calls: number, clean: number) => ({ start: 0, calls, clean, repaired: calls - clean, bounced: 0 });
  expect(faultSparkline([week(0, 0), week(10, 10), week(10, 9), week(10, 8)])).toBe("·▁▅█");
  expect(faultSparkline([week(5, 5)])).toBe("▁");
});

test.each([
  ["a/x", { ok: true, model: "a/x" }],
  ["y", { ok: true, model: "b/y" }],
  ["LONG", { ok: true, model: "c/long-name" }],
  ["x", { ok: false, message: "Several models fit: a/x, b/x" }],
  ["zzz", { ok: false, message: "No such model; known: a/x, b/x, b/y, c/long-name" }],
])("%s means %j", (typed, found) => {
  expect(findModel(typed, ["a/x", "b/x", "b/y", "c/long-name"])).toEqual(found);
});

describe("the report", () => {
  const html = reportPage(health);
  const page = parseHtml(html);

  test("is well-formed", () => {
    expect(page.errors).toEqual([]);
    expect(page.elements.filter(({ name }) => name === "html" || name === "body" || name === "main")).toHaveLength(3);
  });

  test("refers to nothing outside itself and forbids loading", () => {
    for (const { attributes } of page.elements) {
      for (const name of ["href", "src", "srcset", "action", "data", "poster", "xlink:href", "style"]) {
        expect(attributes.get(name)).toBeUndefined();
      }
    }
    expect(html).not.toMatch(/url\(|@import|https?:|\/\/[a-z]/i);
    const policy = page.elements.find(({ attributes }) => attributes.get("http-equiv") === "Content-Security-Policy");
    expect(policy?.attributes.get("content")).toContain("default-src &#39;none&#39;");
    expect(page.elements.filter(({ name }) => name === "script")).toHaveLength(1);
  });

  test("carries the data, whole", () => {
    const script = page.elements.find(({ name }) => name === "script")!;
    expect(script.attributes.get("type")).toBe("application/json");
    expect(JSON.parse(script.text)).toEqual(JSON.parse(JSON.stringify(health)));
  });

  test("has a palette for light and for dark with the same colours in both", () => {
    const style = page.elements.find(({ name }) => name === "style")!.text;
    const [light, dark] = style.split("@media (prefers-color-scheme:dark)");
    const names = (text: string) => [...text.matchAll(/(--[a-z]+):#/g)].map(([, name]) => name).sort();
    expect(names(dark!)).toEqual(names(light!));
    expect(names(dark!)).toContain("--page");
    const used = new Set([...html.matchAll(/var\((--[a-z]+)\)/g)].map(([, name]) => name));
    expect([...used].every((name) => names(light!).includes(name!))).toBe(true);
  });

  test("has charts for outcomes, weeks, modes, notes and rules, each with words and sound numbers", () => {
    const charts = page.elements.filter(({ name }) => name === "svg");
    const labels = charts.map(({ attributes }) => attributes.get("aria-label"));
    expect(labels).toEqual(
      expect.arrayContaining(["Outcomes of calls by model", "Repairs by mode", "Bounces by mode"]),
    );
    for (const { name, attributes } of page.elements) {
      if (name !== "rect") continue;
      for (const side of ["x", "y", "width", "height"]) expect(Number(attributes.get(side))).toBeGreaterThanOrEqual(0);
    }
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("shows a hostile name as text", () => {
    const name = `x"><script>alert(1)</script>`;
    const evil = healthOf(
      CASES.records.map((record) => ({ ...record, model: name })),
      new Map(),
      NOW,
    );
    const made = parseHtml(reportPage(evil));
    expect(made.errors).toEqual([]);
    expect(made.elements.filter((element) => element.name === "script")).toHaveLength(1);
  });
});
