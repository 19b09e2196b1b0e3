// docs/settings.md and the README name every setting and every variable that the code reads, with the values they have.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "../../src/settings/environment.ts";
import { PROFILES } from "../../src/settings/profiles.ts";
import { SETTING_NAMES, settingChoices, settingText } from "../../src/settings/settings-store.ts";
import { ROOT, readPage } from "./support/pages.ts";

const PAGE = readPage("docs/settings.md");
const rows = (page: string) =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
const words = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
const named = new Map(rows(PAGE).map((cells) => [words(cells[0])[0]!, cells]));

/** What the code asks the environment for: what it reads while it resolves, and what its sources name. */
function variables(): readonly string[] {
  const asked = new Set<string>();
  const env = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) });
  readEnvironment(env, "/");
  for (const file of readdirSync(join(ROOT, "packages/coding-agent/src"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(join(ROOT, "packages/coding-agent/src", file), "utf8");
    for (const [name] of text.matchAll(/\bPI_MEND(?:_[A-Z]+)*\b/g)) asked.add(name);
  }
  // These are handed to the probe of `doctor` and read nowhere else.
  return [...asked].filter((name) => !name.startsWith("PI_MEND_PROBE")).sort();
}

test("every setting has a row, in the order in which they are shown, and no other has", () => {
  expect([...named.keys()].filter((name) => !name.startsWith("PI_MEND"))).toEqual(SETTING_NAMES);
});

describe.each(SETTING_NAMES)("%s", (name) => {
  const [, choices, conservative, adaptive, recover] = named.get(name) ?? [];

  test("has the values it can have", () => {
    const due = settingChoices(name);
    if (due.includes("*")) expect(words(choices).slice(-2)).toEqual(["*", "none"]);
    else expect(words(choices)).toEqual(due);
  });

  test("has the value of each profile", () => {
    const due =
      name === "profile"
        ? [undefined, undefined, undefined]
        : (["conservative", "adaptive", "recover"] as const).map((profile) =>
            settingText(PROFILES[profile][name as keyof typeof PROFILES.adaptive]),
          );
    expect([conservative, adaptive, recover].map((cell) => words(cell)[0])).toEqual(due);
  });

  test("is in the README", () => {
    expect(rows(readPage("README.md")).flatMap(([cell]) => words(cell))).toContain(name);
  });
});

test("every variable has a row in both pages, and no other has", () => {
  const due = variables();
  expect(due.length).toBeGreaterThan(7);
  expect([...named.keys()].filter((name) => name.startsWith("PI_MEND")).sort()).toEqual(due);
  const readme = rows(readPage("README.md")).flatMap(([cell]) => words(cell).map((word) => word.split("=")[0]!));
  expect([...new Set(readme.filter((name) => name.startsWith("PI_MEND")))].sort()).toEqual(due);
});
