// Teaching notes: when one is due, and what its one line holds.
import type { AppliedRepair } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { TeachNotes } from "../src/teach-note.ts";

const quoted: AppliedRepair = { name: "jsonStringParse", path: "/tags", note: "`tags` was quoted → send a raw array" };
const numeric: AppliedRepair = { name: "numberFromString", path: "/limit", note: "`limit` was text → send a number" };

describe("TeachNotes", () => {
  it("names the repair, the lesson and what ran, in one line", () => {
    const note = new TeachNotes().noteFor("tag", [quoted], { tags: ["x", "y"] });
    expect(note).toBe('[harness] jsonStringParse: `tags` was quoted → send a raw array; ran as {"tags":["x","y"]}');
  });

  it("puts several names of one call into one line, each once", () => {
    const note = new TeachNotes().noteFor("tag", [quoted, numeric, { ...quoted, path: "/more" }], { limit: 5 });
    expect(note).toBe(
      "[harness] jsonStringParse: `tags` was quoted → send a raw array; " +
        'numberFromString: `limit` was text → send a number; ran as {"limit":5}',
    );
  });

  it("speaks on the first firing and then on every fifth", () => {
    const notes = new TeachNotes();
    const due = Array.from({ length: 11 }, () => notes.noteFor("tag", [quoted], {}) !== undefined);
    expect(due.flatMap((spoke, index) => (spoke ? [index + 1] : []))).toEqual([1, 5, 10]);
  });

  it("counts tools and names apart", () => {
    const notes = new TeachNotes();
    expect(notes.noteFor("tag", [quoted], {})).toBeDefined();
    expect(notes.noteFor("sort", [quoted], {})).toBeDefined();
    expect(notes.noteFor("tag", [quoted, numeric], {})).toMatch(/^\[harness] numberFromString: /);
    expect(notes.noteFor("tag", [quoted, numeric], {})).toBeUndefined();
  });

  it("does not repeat what a stored session was already told", () => {
    const notes = new TeachNotes();
    notes.recall("tag", ["jsonStringParse"]);
    expect(notes.noteFor("tag", [quoted], {})).toBeUndefined();
    expect(notes.noteFor("tag", [numeric], {})).toBeDefined();
  });

  it.each([
    ["one long string", { content: "x".repeat(100_000) }],
    ["many items", { list: Array.from({ length: 50_000 }, (_, index) => index) }],
    ["deep nesting", JSON.parse(`${"[".repeat(3_000)}1${"]".repeat(3_000)}`)],
    ["many keys", Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, null]))],
    ["pairs of surrogates", { a: "😀".repeat(30), b: "😀".repeat(30), c: "😀".repeat(30), d: "😀".repeat(30) }],
  ])("bounds the example: %s", (_kind, args) => {
    const note = new TeachNotes().noteFor("tag", [quoted], args) ?? "";
    const example = note.slice(note.indexOf("ran as ") + "ran as ".length);
    expect(example.length).toBeGreaterThan(1);
    expect(example.length).toBeLessThanOrEqual(160);
    expect(note.isWellFormed()).toBe(true);
  });

  it("stays on one line whatever the arguments hold", () => {
    const note = new TeachNotes().noteFor("tag", [{ ...quoted, note: "a\nb" }], { text: "one\ntwo" });
    expect(note).toBe('[harness] jsonStringParse: a b; ran as {"text":"one\\ntwo"}');
  });

  it("shows JSON as it is sent: no keys without a value", () => {
    const note = new TeachNotes().noteFor("tag", [quoted], { a: undefined, b: null, c: [true, 1.5] });
    expect(note).toMatch(/ran as \{"b":null,"c":\[true,1\.5\]\}$/);
  });
});
