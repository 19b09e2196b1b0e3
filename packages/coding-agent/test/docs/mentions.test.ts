// What the pages mention in passing is there: scripts, files of the repository, words of the shell command and of `/mend`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/run-command.ts";
import { MEND_WORDS } from "../../src/tui/command-words.ts";
import { PAGES, ROOT, readPage } from "./support/pages.ts";

const SPANS = [...PAGES, "AGENTS.md"].flatMap((page) =>
  [...readPage(page).matchAll(/`([^`\n]+)`/g)].map(([, text]) => ({ page, text: text! })),
);

/** The first group of the pattern in every span that has it. */
function mentioned(pattern: RegExp): readonly string[] {
  const found = SPANS.flatMap(({ text }) => pattern.exec(text)?.slice(1, 2) ?? []);
  return [...new Set(found)];
}

describe("in passing, the pages name", () => {
  test("scripts of the repository", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const names = mentioned(/^npm run (?:-s )?([\w:-]+)/);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(scripts).toHaveProperty([name]);
  });

  test("files of the repository", () => {
    const files = mentioned(/(?:^|node )((?:packages|scripts|docs|\.ci|\.github)\/[\w./-]+\.\w+|\.ci\/run)(?:$| )/);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  test("words of the shell command", () => {
    const words = mentioned(/^pi-mend ([a-z]+)/);
    expect(words.length).toBeGreaterThan(5);
    for (const word of words) expect(COMMANDS.map(({ name }) => name)).toContain(word);
  });

  test("words of /mend, and each of them somewhere", () => {
    const words = mentioned(/^\/mend ([a-z]+)/);
    for (const word of words) expect(Object.keys(MEND_WORDS)).toContain(word);
    const readme = readPage("README.md");
    for (const word of Object.keys(MEND_WORDS)) expect(readme).toMatch(new RegExp(`\`(?:/mend|pi-mend) ${word}\\b`));
  });
});
