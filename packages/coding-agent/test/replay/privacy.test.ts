// Every value of the generated corpus holds a secret, in arguments, keys, tool names, errors, results and paths. None of it
// turns up in anything that replay says or writes, unless the user asks for values.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { replay, SECRET, writeCorpus } from "./support/replayed.ts";

const FOLDER = tempFolder();
writeCorpus({ folder: join(FOLDER, "corpus"), bytes: 3_000_000, seed: 11, files: 2 });

const TOKENS = ["zqsecretqz", "zqsecret", "qzsecret", "secretqz"];

function secretsIn(text: string): readonly string[] {
  return TOKENS.filter((token) => text.toLowerCase().includes(token));
}

function written(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
  return names.map((item) => `${item.name}\n${readFileSync(join(item.parentPath, item.name), "utf8")}`).join("\n");
}

test("the corpus is full of secrets", () => {
  const text = readFileSync(join(FOLDER, "corpus", "session-0.jsonl"), "utf8");
  expect(text.split(SECRET).length).toBeGreaterThan(500);
  expect(secretsIn(SECRET)).not.toEqual([]);
});

test.each([[[]], [["--json"]], [["--csv"]]])("what %j prints holds none", async (words) => {
  const said = await replay(FOLDER, "corpus", ...words);
  expect(said.code).toBe(0);
  expect(said.out).toContain("weak-7b");
  expect(secretsIn(said.out + said.err)).toEqual([]);
});

test("pages and fixtures hold none, and skeletons are there", async () => {
  const out = join(FOLDER, "out");
  const said = await replay(FOLDER, "corpus", "--html", join(out, "page.html"), "--fixtures", join(out, "rows"));
  expect(said.code).toBe(0);
  const text = written(out);
  expect(text).toContain("aliasRename");
  expect(text).toContain("cases.json");
  expect(text).toContain("Most frequent failures that nothing repairs");
  expect(text).toMatch(/&quot;path&quot;:&quot;\/xxxx\//);
  expect(secretsIn(text)).toEqual([]);
});

test("a model's or tool's name that is a text, and a damaged line, show nothing", async () => {
  const folder = tempFolder();
  const long = `${SECRET} and more words`;
  const message = {
    ...{ role: "assistant", provider: long, model: long, stopReason: "toolUse", timestamp: 1_780_000_000_000 },
    content: [{ type: "toolCall", id: "a", name: long, arguments: { [long]: long } }],
    usage: {},
  };
  const lines = [
    JSON.stringify({ type: "session", version: 3, timestamp: "2026-06-01T00:00:00.000Z" }),
    JSON.stringify({ type: "message", message: { role: "system", toolsAdded: [{ name: "a", parameters: {} }] } }),
    JSON.stringify({ type: "message", message }),
    `{"type":"message","message":{"role":"assistant","content":"${SECRET}`,
    "",
  ];
  writeFileSync(join(folder, "one.jsonl"), lines.join("\n"));
  for (const words of [[], ["--json"], ["--csv"]]) {
    const said = await replay(folder, "one.jsonl", ...words);
    expect(secretsIn(said.out + said.err)).toEqual([]);
    expect(said.out).toContain("(other)/(other)");
  }
});

test("--show-values shows one call of each failure as it was sent", async () => {
  const said = await replay(FOLDER, "corpus", "--show-values");
  expect(said.out).toMatch(new RegExp(`sent: write \\{"path":"/home/${SECRET}/src/`));
});
