import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { AdaptationStore } from "../../src/memory/adaptation/adaptation-store.ts";
import { tempFolder } from "./support/temp-folder.ts";

const WRITER = fileURLToPath(new URL("support/concurrent-writer.ts", import.meta.url));

function runWriter(path: string, updates: number, model: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, path, String(updates), model], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("error", reject);
    child.once("close", resolve);
  });
}

test("four processes with 200 updates each lose nothing, and leave neither locks nor drafts", async () => {
  const folder = tempFolder();
  const path = join(folder, "pi-mend", "adaptation.json");
  const models = ["a/one", "a/one", "a/one", "b/two"];
  expect(await Promise.all(models.map((model) => runWriter(path, 200, model)))).toEqual([0, 0, 0, 0]);

  const memories = new AdaptationStore({ path, now: Date.now }).models();
  expect(memories.get("a/one")?.calls).toBe(600);
  expect(memories.get("b/two")?.calls).toBe(200);
  const one = memories.get("a/one")!;
  // A firing counts for the mode until its rule stands, then for the rule; a rule that did not help has both behind it.
  const retired = one.retired.reduce((sum, rule) => sum + rule.before.firings + rule.after.firings, 0);
  const standing = one.rules.reduce((sum, rule) => sum + rule.before.firings + rule.after.firings, 0);
  const counted = one.rules.length > 0 ? 0 : one.modes["numberFromString"]!.firings;
  expect(retired + standing + counted).toBe(600);
  expect(readdirSync(join(folder, "pi-mend"))).toEqual(["adaptation.json"]);
  expect(() => JSON.parse(readFileSync(path, "utf8"))).not.toThrow();
}, 180_000);
