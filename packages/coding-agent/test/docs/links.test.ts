// The pages hang together: every link leads to a file of the repository and to a heading of it, and the README leads to every page.
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { PAGES, ROOT, readPage } from "./support/pages.ts";

const linksOf = (page: string) =>
  [...page.replace(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** Headings as anchors, and anchors that stand in the text. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

test.each(PAGES)("every link of %s leads somewhere", (path) => {
  for (const link of linksOf(readPage(path)).filter((target) => !target.startsWith("https://"))) {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file));
    expect(existsSync(join(ROOT, target)), link).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(readPage(target)), link).toContain(anchor);
  }
});

test("the README links to every page of docs", () => {
  const links = linksOf(readPage("README.md"));
  for (const page of PAGES.filter((name) => name.startsWith("docs/"))) expect(links).toContain(page);
});
