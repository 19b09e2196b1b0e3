// The scaffold of a repair, run on a copy of the registry: what it writes has the rows and the names that the tests of the
// table ask for, and what is still to do cannot pass them.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const CORE = "packages/ai/src/utils/tool-repair";

function scaffold(name: string) {
  const folder = tempFolder();
  cpSync(join(ROOT, "scripts/new-repair.mjs"), join(folder, "scripts/new-repair.mjs"));
  for (const part of ["registry.ts", "repairs"]) {
    cpSync(join(ROOT, CORE, part), join(folder, CORE, part), { recursive: true });
  }
  const { status } = spawnSync(process.execPath, ["scripts/new-repair.mjs", name], { cwd: folder });
  return { status, read: (path: string) => readFileSync(join(folder, path), "utf8") };
}

test("an entry, its place in the registry, and a row of each kind that is asked for", () => {
  const { status, read } = scaffold("semicolonListSplit");
  expect(status).toBe(0);
  expect(read(`${CORE}/registry.ts`)).toContain('from "./repairs/semicolon-list-split.ts"');
  expect(read(`${CORE}/repairs/semicolon-list-split.ts`)).toContain('name: "semicolonListSplit"');
  const rows = JSON.parse(read("packages/ai/test/repairs/semicolonListSplit/cases.json"));
  expect(rows).toMatchObject([
    { expect: { outcome: "repaired", repairs: ["semicolonListSplit"] } },
    { refuses: true, expect: { outcome: "bounced" } },
    { expect: { outcome: "clean" } },
  ]);
});

test.each(["split", "SemicolonSplit", "semicolon2Split", "semicolon-split", "aliasRename"])("not for %s", (name) => {
  expect(scaffold(name).status).not.toBe(0);
});
