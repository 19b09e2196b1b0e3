// Repairs on top of each other: each row needs several entries, and none may lose what another one carried.

import { describe, expect, test } from "vitest";
import { builtinToolHints } from "../../coding-agent/src/core/tool-hints.ts";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

const text = { type: "string" };
const object = (properties: object, required: readonly string[]) => ({ type: "object", properties, required });
const list = (items: object) => ({ type: "array", items });
const json = JSON.stringify;

const edit = {
  name: "edit",
  parameters: object({ path: text, edits: list(object({ oldText: text, newText: text }, ["oldText", "newText"])) }, [
    "path",
    "edits",
  ]),
  hints: builtinToolHints["edit"],
};
const sums = { name: "sums", parameters: object({ nums: list({ type: "number" }), tag: text }, ["nums"]) };
const one = [{ oldText: "x", newText: "y" }];

describe("several repairs of one call", () => {
  test.each<[string, typeof sums | typeof edit, unknown, unknown]>([
    [
      "a double-encoded wrapper with a stringified list of quoted numbers",
      sums,
      { arguments: json(json({ nums: json(["1", "2"]) })) },
      { nums: [1, 2] },
    ],
    [
      "the whole call as a string of a string, with a Python list",
      sums,
      json(json({ args: { nums: "['1', '2']" } })),
      { nums: [1, 2] },
    ],
    [
      "edits as text of one object with another harness's names",
      edit,
      { file_path: "a", edits: json({ old_string: "x", new_string: "y" }) },
      { path: "a", edits: one },
    ],
    [
      "all names of another harness, every value in quotes, inside a wrapper",
      edit,
      { input: json({ file_path: "`a`", changes: json([{ old_str: "x", new_str: "y", newText_2: "" }]) }) },
      { path: "a", edits: one },
    ],
    [
      "a flat pair beside a stringified list",
      edit,
      { path: "a", edits: json(one), oldText: "c", newText: "" },
      { path: "a", edits: [...one, { oldText: "c", newText: "" }] },
    ],
    [
      "items as strings that hold numbered pairs",
      edit,
      { path: "a", edits: [json({ ...one[0], oldText2: "c", newText2: "d" })] },
      { path: "a", edits: [...one, { oldText: "c", newText: "d" }] },
    ],
    [
      "a list of one around an object with index keys for its list",
      edit,
      [{ path: "a", edits: { 0: one[0] } }],
      { path: "a", edits: one },
    ],
  ])("%s", (_what, tool, args, expected) => {
    const result = repairToolArguments(tool, args);
    expect(result).toMatchObject({ outcome: "repaired" });
    expect(result.outcome === "repaired" && result.args).toEqual(expected);
  });

  test.each<[string, typeof edit, unknown]>([
    [
      "a stringified list whose item carries more than the tool takes",
      edit,
      { path: "a", edits: json([{ ...one[0], note: "keep" }]) },
    ],
    ["half a numbered pair behind an alias", edit, { path: "a", changes: [{ ...one[0], oldText2: "c" }] }],
    [
      "a wrapper beside the field it holds, with another value",
      edit,
      { file_path: "b", arguments: { path: "a", edits: one } },
    ],
  ])("bounces %s", (_what, tool, args) => {
    expect(repairToolArguments(tool, args).outcome).toBe("bounced");
  });
});
