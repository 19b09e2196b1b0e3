// Every command of the page about replay runs as it stands there.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FORMATS } from "../../src/replay/formats/format.ts";
import { VERDICT_NAMES } from "../../src/replay/replay-table.ts";
import { splitWords } from "../../src/tui/command-words.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { writeCorpus } from "./support/replayed.ts";

const ROOT = new URL("../../../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/replay.md", ROOT), "utf8");
const CLI = fileURLToPath(new URL("packages/coding-agent/dist/cli.js", ROOT));

const BLOCKS = [...PAGE.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block!);
const COMMANDS = BLOCKS.flatMap((block) => block.trim().split("\n"));

const FOLDER = tempFolder();
const AGENT = join(FOLDER, "agent");
mkdirSync(join(AGENT, "sessions"), { recursive: true });
writeCorpus({ folder: join(AGENT, "sessions"), bytes: 200_000, files: 1 });
writeCorpus({ folder: join(FOLDER, "sessions"), bytes: 200_000, files: 1 });
writeFileSync(
  join(FOLDER, "requests.jsonl"),
  `${JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] })}\n`,
);

test("the page has commands", () => {
  expect(COMMANDS.length).toBeGreaterThan(4);
  expect(COMMANDS.every((command) => command.startsWith("pi-mend replay"))).toBe(true);
});

test.each(COMMANDS)("%s", (command) => {
  const words = splitWords(command).slice(1);
  const env = { PATH: "", HOME: FOLDER, PI_CODING_AGENT_DIR: AGENT };
  const out = execFileSync(process.execPath, [CLI, ...words], { env, cwd: FOLDER, encoding: "utf8", stdio: "pipe" });
  expect(out.length).toBeGreaterThan(50);
});

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
