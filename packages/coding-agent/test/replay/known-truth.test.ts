// A corpus whose truth is known: the report's numbers are the truth, whichever way it is read.
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ReportedCost, ReportedModel } from "../../src/replay/replay-report.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { type ModelTruth, replay, report, type Truth, writeCorpus } from "./support/replayed.ts";

const FOLDER = tempFolder();
const TRUTH: Truth = writeCorpus({ folder: join(FOLDER, "corpus"), bytes: 6_000_000, seed: 7, files: 5 });

function costOf({ turns, tokens, seconds, dollars }: ReportedCost) {
  return { turns, tokens, milliseconds: Math.round(seconds * 1e3), nanodollars: Math.round(dollars * 1e9) };
}

/** What of a report the truth is about. The time that turns without a failure took is not a part of it. */
function comparable(model: ReportedModel): Omit<ModelTruth, "modes"> {
  const { calls, nested, verdicts, wrongBounces, printed } = model;
  const costs = { lost: costOf(model.lost), saved: costOf(model.saved), printedLost: costOf(model.printedLost) };
  return {
    calls,
    nested,
    verdicts,
    wrongBounces,
    printed,
    ...costs,
    spent: { ...costOf(model.spent), milliseconds: 0 },
  };
}

function without({ modes: _modes, ...truth }: ModelTruth): Omit<ModelTruth, "modes"> {
  return truth;
}

/** A line with its fields in the other order, which pi does not write: nothing about it is known by its ends. */
function turnedAround(line: string): string {
  try {
    return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).toReversed()));
  } catch {
    return line;
  }
}

describe("a corpus of known truth", () => {
  test("holds every verdict but those that need this package at the time, or unknown tools", () => {
    const sums = Object.values(TRUTH.models).map(({ verdicts }) => verdicts);
    for (const verdict of ["clean", "alike", "wouldRun", "ranWrong", "stillBounces", "notRun"]) {
      expect(sums.reduce((sum, verdicts) => sum + (verdicts[verdict] ?? 0), 0)).toBeGreaterThan(5);
    }
    expect(TRUTH.damaged).toBeGreaterThan(2);
  });

  test("is counted as it is, by model and mode", async () => {
    const { models, input } = await report(FOLDER, "corpus");
    expect(models.map(({ model }) => model).sort()).toEqual(Object.keys(TRUTH.models).sort());
    for (const model of models) {
      const truth = TRUTH.models[model.model]!;
      expect(comparable(model)).toEqual(without(truth));
      expect(Object.fromEntries(model.modes.map(({ mode, verdicts }) => [mode, verdicts]))).toEqual(truth.modes);
    }
    expect(input).toMatchObject({ files: 5, damaged: TRUTH.damaged, unfinished: 5, oversized: 0, unreadable: 0 });
  });

  test("counts the same where every line has to be parsed", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "corpus"));
    for (const name of readdirSync(join(FOLDER, "corpus")).filter((one) => one.endsWith(".jsonl"))) {
      const lines = readFileSync(join(FOLDER, "corpus", name), "utf8").split("\n");
      writeFileSync(join(folder, "corpus", name), lines.map(turnedAround).join("\n"));
    }
    const { input, ...counts } = await report(folder, "corpus");
    const { input: due, ...dueCounts } = await report(FOLDER, "corpus");
    expect(counts).toEqual(dueCounts);
    expect({ ...input, bytes: 0 }).toEqual({ ...due, bytes: 0 });
  });

  test("weeks add up to the whole", async () => {
    const { models } = await report(FOLDER, "corpus");
    for (const { weeks, calls, saved } of models) {
      expect(weeks.reduce((sum, week) => sum + week.calls, 0)).toBe(calls);
      expect(weeks.reduce((sum, week) => sum + week.saved.turns, 0)).toBe(saved.turns);
      expect(weeks.every(({ week }) => new Date(week).getUTCDay() === 1)).toBe(true);
    }
  });

  test("--model, --tool and --since choose what counts", async () => {
    const weak = await report(FOLDER, "corpus", "--model", "weak");
    expect(weak.models.map(({ model }) => model)).toEqual(["local/weak-7b"]);
    expect(comparable(weak.total)).toEqual(without(TRUTH.models["local/weak-7b"]!));
    const labels = await report(FOLDER, "corpus", "--tool", "set_labels");
    expect(labels.total.verdicts.wouldRun).toBe(0);
    expect(labels.total.verdicts.ranWrong).toBeGreaterThan(0);
    const all = await report(FOLDER, "corpus");
    const late = await report(FOLDER, "corpus", "--since", "2026-07-01");
    const due = all.total.weeks.filter(({ week }) => week >= "2026-07-06").reduce((sum, { calls }) => sum + calls, 0);
    expect(late.total.calls).toBeGreaterThanOrEqual(due);
    expect(late.total.calls).toBeLessThan(all.total.calls);
    expect(late.total.weeks[0]!.week >= "2026-06-29").toBe(true);
  });

  test("a turn in which a call of another tool ran is not lost, whatever --tool asks for", async () => {
    const folder = tempFolder();
    const session = (...calls: readonly (readonly [string, object])[]) => {
      const content = calls.map(([name, args]) => ({ type: "toolCall", id: name, name, arguments: args }));
      const turn = {
        role: "assistant",
        provider: "p",
        model: "m",
        stopReason: "toolUse",
        usage: { input: 7 },
        content,
      };
      const results = calls.map(([name]) => ({
        ...{ role: "toolResult", toolCallId: name, isError: name === "edit" },
        content: [{ type: "text", text: name === "edit" ? 'Validation failed for tool "edit":' : "fine" }],
      }));
      const header = { type: "session", version: 3, timestamp: "2026-08-01T00:00:00.000Z" };
      const rows = [header, ...[turn, ...results].map((message) => ({ type: "message", message }))];
      writeFileSync(join(folder, "t.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      return report(folder, "t.jsonl", "--tool", "edit");
    };
    const edit = ["edit", { path: "a", edits: '[{"oldText":"b","newText":"c"}]' }] as const;
    const both = await session(edit, ["read", { path: "a" }]);
    expect(both.total).toMatchObject({ calls: 1, verdicts: { wouldRun: 1 }, spent: { tokens: 7 } });
    expect([both.total.lost.turns, both.total.saved.turns]).toEqual([0, 0]);
    const alone = await session(edit);
    expect([alone.total.lost.turns, alone.total.saved.turns]).toEqual([1, 1]);
    expect((await session(["read", { path: "a" }])).total.spent.turns).toBe(0);
  });

  test("what cannot be read is said, and the rest is read", async () => {
    const folder = tempFolder();
    writeCorpus({ folder: join(folder, "corpus"), bytes: 30_000, seed: 3, files: 1 });
    symlinkSync(join(folder, "loop"), join(folder, "loop"));
    const { code, out, err } = await replay(folder, "corpus", "loop", "/dev/null");
    expect({ code, err }).toEqual({
      code: 1,
      err: `${join(folder, "loop")} cannot be read\n/dev/null cannot be read\n`,
    });
    expect(out).toMatch(/^1 file, /);
  });

  test("a fork's copy of its parent counts once, and counts where the parent is gone", async () => {
    const folder = tempFolder();
    const corpus = join(folder, "corpus");
    const truth = writeCorpus({ folder: corpus, bytes: 300_000, seed: 3, files: 1 });
    const parent = join(corpus, "session-0.jsonl");
    const copied = readFileSync(parent, "utf8").split("\n").slice(1, -1);
    const forkedAt = "2027-01-01T00:00:00.000Z";
    const header = { type: "session", version: 3, id: "f", timestamp: forkedAt, cwd: "/", parentSession: parent };
    writeFileSync(join(corpus, "fork.jsonl"), `${[JSON.stringify(header), ...copied].join("\n")}\n`);
    const calls = Object.values(truth.models).reduce((sum, model) => sum + model.calls, 0);
    expect((await report(folder, "corpus")).total.calls).toBe(calls);
    mkdirSync(join(folder, "away"));
    renameSync(parent, join(folder, "away", "session-0.jsonl"));
    expect((await report(folder, "corpus")).total.calls).toBe(calls);
  });

  test("a folder that does not exist, and words that mean nothing, are said", async () => {
    expect(await replay(FOLDER, "no-such")).toMatchObject({ code: 2, out: "" });
    expect(await replay(FOLDER)).toMatchObject({
      code: 2,
      err: `${join(FOLDER, "agent", "sessions")} does not exist\n`,
    });
    expect((await replay(FOLDER, "corpus", "no-such")).code).toBe(1);
    expect((await replay(FOLDER, "corpus", "--format", "x")).err).toContain("--format is one of: pi, failures, openai");
    expect((await replay(FOLDER, "corpus", "--since", "yesterday")).code).toBe(2);
    expect((await replay(FOLDER, "corpus", "--since", "2026-02-30")).code).toBe(2);
  });
});
