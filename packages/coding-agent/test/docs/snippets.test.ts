// Every TypeScript snippet of the pages runs as it stands there, on the packages as built, and prints what its comments say.
// Those that only declare something are run further by the tests beside the examples that they are copies of.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { throughDoor } from "../support/door.ts";
import { fencedBlocks, PAGES, ROOT, readPage } from "./support/pages.ts";

const SNIPPETS = PAGES.flatMap((page) =>
  fencedBlocks(readPage(page), ["ts"]).map(({ text }, index) => ({ name: `${page} ${index + 1}`, text })),
);
const folder = tempFolder();
mkdirSync(join(folder, "snippets"));
symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
writeFileSync(join(folder, "package.json"), '{"type":"module"}');

test("there are snippets", () => {
  expect(SNIPPETS.length).toBeGreaterThan(8);
  expect(SNIPPETS.flatMap(({ text }) => promised(text)).length).toBeGreaterThan(8);
});

test.each(SNIPPETS)("$name", ({ name, text }) => {
  const file = join(folder, "snippets", `${name.replace(/\W+/g, "-")}.ts`);
  writeFileSync(file, text);
  const env = { PATH: "", HOME: folder, NO_COLOR: "1" };
  const out = execFileSync(process.execPath, [file], { env, cwd: folder, encoding: "utf8", stdio: "pipe" });
  expect(out.split("\n").slice(0, -1)).toEqual(promised(text));
});

test("the extension with hints does in pi what the page says", async () => {
  const extension = SNIPPETS.find(({ text }) => text.includes("pi-mend:tool-hints"))!.text;
  const calls = [
    { name: "ticket", arguments: '{"subject":"x"}' },
    { name: "ticket", arguments: '"y"' },
  ];
  const { results } = await throughDoor({ turns: [{ calls }], after: [extension] });
  expect(results.map((result) => result.split("\n")[0])).toEqual(["created x", "created y"]);
});

/** What the lines that print are said to print. */
function promised(text: string): readonly string[] {
  return [...text.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map(([, said]) => said!);
}
