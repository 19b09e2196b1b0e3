// Optional fields under another harness's names. pi's schemas are open, so a call with such a name is valid and would run
// without what the model sent: in another folder, or with another case.

import { repairToolArguments } from "@pi-mend/ai/tool-repair";
import { expect, test } from "vitest";
import { builtinToolsAt } from "../src/replay/builtin-tools.ts";

const TOOLS = builtinToolsAt(0).lookup;

test.each([
  ["ls", { DirectoryPath: "src" }, { path: "src" }],
  ["ls", { relative_workspace_path: "src" }, { path: "src" }],
  ["find", { pattern: "*.ts", SearchDirectory: "src" }, { pattern: "*.ts", path: "src" }],
  ["grep", { pattern: "x", SearchPath: "src" }, { pattern: "x", path: "src" }],
  ["grep", { pattern: "x", "-i": true, "-C": 2 }, { pattern: "x", ignoreCase: true, context: 2 }],
])("%s takes %j as %j", (name, sent, args) => {
  expect(repairToolArguments(TOOLS.get(name)!, sent)).toMatchObject({ outcome: "repaired", args });
});

test("a field that is there wins over another name of it", () => {
  const sent = { path: "lib", DirectoryPath: "src" };
  expect(repairToolArguments(TOOLS.get("ls")!, sent)).toEqual({ outcome: "clean", args: sent });
});
