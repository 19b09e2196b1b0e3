// The page about replay names what the command knows, and the script that it names runs. Its commands are run with all others.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { replayCommand } from "../../src/cli/replay-command.ts";
import { FORMATS } from "../../src/replay/formats/format.ts";
import { VERDICT_NAMES } from "../../src/replay/replay-table.ts";
import { splitWords } from "../../src/tui/command-words.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

const ROOT = new URL("../../../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/replay.md", ROOT), "utf8");
const FOLDER = tempFolder();

test("the corpus script runs with the options of the page", () => {
  const [, words = ""] = /`node scripts\/replay-corpus\.mjs ([^`]+)`/.exec(PAGE) ?? [];
  const given = splitWords(words).map((word) => (word === "2000000000" ? "100000" : word));
  const script = fileURLToPath(new URL("scripts/replay-corpus.mjs", ROOT));
  execFileSync(process.execPath, [script, ...given], { cwd: FOLDER, stdio: "pipe" });
  expect(JSON.parse(readFileSync(join(FOLDER, "FOLDER", "truth.json"), "utf8")).unfinished).toBe(8);
});

test("it names every verdict and format", () => {
  for (const name of Object.values(VERDICT_NAMES)) expect(PAGE).toContain(`| ${name} `);
  for (const name of FORMATS) expect(PAGE).toContain(`\`${name}\``);
});

test("it has a row for every option that the command's help names, and no other", () => {
  const named = (text: string) => [...text.matchAll(/--[a-z-]+/g)].map(([option]) => option);
  const rows = PAGE.split("\n").filter((line) => line.startsWith("| `--"));
  const help = (replayCommand.options ?? []).map(([option]) => option);
  expect(new Set(help.flatMap(named))).toEqual(new Set(rows.flatMap((row) => named(row.split(" | ")[0] ?? ""))));
});
