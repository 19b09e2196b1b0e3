import { describe, expect, it } from "vitest";
import { defineToolHints, toolHintsProblems } from "../src/utils/tool-repair/define-tool-hints.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

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

describe("hints that are none, from a host without types", () => {
  const schema = () => ({
    type: "object",
    properties: { path: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
    required: ["path"],
  });
  const sent = { path: "a", tags: '["x","y"]' };

  it.each([
    null,
    3,
    "x",
    { aliases: "x" },
    { aliases: { tags: "t" } },
    { aliases: { path: [5, null] } },
    { pathFields: "path" },
    { closed: true },
    { fold: {} },
    { modelGates: 4 },
    { modelGates: { anchorBleed: null } },
  ])("%j: the schema counts without them, and the next hints are not hurt", (hints) => {
    const parameters = schema();
    for (const model of ["a", undefined]) {
      const result = repairToolArguments(
        { name: "tag", parameters, hints: hints as never },
        sent,
        model ? { model } : {},
      );
      expect(result).toMatchObject({ outcome: "repaired", args: { path: "a", tags: ["x", "y"] } });
      expect(repairToolArguments({ name: "tag", parameters, hints: hints as never }, { tags: [] }).outcome).toBe(
        "bounced",
      );
    }
    expect(repairToolArguments({ name: "tag", parameters }, sent).outcome).toBe("repaired");
    const right = { name: "tag", parameters, hints: { aliases: { path: ["file"] } } };
    expect(repairToolArguments(right, { file: "a" })).toMatchObject({ outcome: "repaired", args: { path: "a" } });
  });

  it("goes by the hints that it knows beside a word that it does not", () => {
    const tool = { name: "tag", parameters: schema(), hints: { aliases: { path: ["file"] }, later: 1 } as never };
    expect(repairToolArguments(tool, { file: "a" })).toMatchObject({ outcome: "repaired", args: { path: "a" } });
  });
});
