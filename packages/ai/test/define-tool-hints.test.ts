import { describe, expect, it } from "vitest";
import { defineToolHints, toolHintsProblems } from "../src/utils/tool-repair/define-tool-hints.ts";

describe("defineToolHints", () => {
  it("hands back the same reference", () => {
    const hints = { ticket: { aliases: { title: ["subject"], "rows[].id": ["key"] }, closed: ["", "rows[]"] } };
    expect(defineToolHints(hints)).toBe(hints);
  });

  it.each([
    ["a misspelled hint", { alias: { title: ["subject"] } }, /"alias" is no hint/],
    ["spellings that are no list", { aliases: { title: "subject" } }, /"aliases" has the wrong shape/],
    ["a field path with an index", { pathFields: ["rows[0].path"] }, /"pathFields" has the wrong shape/],
    ["a fold without fields", { fold: { into: "rows" } }, /"fold" has the wrong shape/],
    ["an unknown gate", { modelGates: { bleed: ["x"] } }, /"modelGates" has the wrong shape/],
  ])("refuses %s and names the tool", (_what, hints, message) => {
    expect(() => defineToolHints({ ticket: hints as never })).toThrow(message);
    expect(() => defineToolHints({ ticket: hints as never })).toThrow(/tool "ticket"/);
  });

  it.each([null, 1, "x", [], undefined])("finds a problem in %j without throwing", (hints) => {
    expect(toolHintsProblems(hints)).toEqual(["not an object"]);
  });
});
