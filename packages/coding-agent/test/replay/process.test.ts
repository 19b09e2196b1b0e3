// The built command as a process: threads, pipes, Ctrl-C, memory, and the script beside it.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/cli/run-command.ts";
import { inputFiles } from "../../src/replay/input-files.ts";
import { replayReport } from "../../src/replay/replay-report.ts";
import { runReplay } from "../../src/replay/replay-run.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { writeCorpus } from "./support/replayed.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../../../../scripts/tool-repair-replay.mjs", import.meta.url));
const FOLDER = tempFolder();
const CORPUS = join(FOLDER, "corpus");
writeCorpus({ folder: CORPUS, bytes: 8_000_000, seed: 21, files: 4 });
const env = { PATH: process.env["PATH"] ?? "", HOME: FOLDER, PI_CODING_AGENT_DIR: join(FOLDER, "agent") };

function run(file: string, ...words: string[]) {
  const ended = spawnSync(process.execPath, [file, ...words], { env, cwd: FOLDER, encoding: "utf8", timeout: 60_000 });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

describe("threads", () => {
  test("count what one thread counts, in the built package and from the sources", async () => {
    const one = run(CLI, "replay", CORPUS, "--json", "--threads", "1");
    const four = run(CLI, "replay", CORPUS, "--json", "--threads", "4");
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(four).toEqual(one);
    const { files } = inputFiles([CORPUS], undefined, undefined);
    const report = replayReport(await runReplay({ files, threads: 3 }));
    expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(one.out));
  });

  test("fixtures and filters reach them", () => {
    const words = ["replay", CORPUS, "--tool", "write", "--model", "weak", "--json", "--threads"];
    const [one, two] = ["1", "2"].map((threads) => {
      const ended = run(CLI, ...words, threads, "--fixtures", `rows-${threads}`);
      return {
        ...JSON.parse(ended.out),
        rows: readFileSync(join(FOLDER, `rows-${threads}`, "unrepaired", "cases.json"), "utf8"),
      };
    });
    expect(two!.total).toEqual(one!.total);
    expect(JSON.parse(two!.rows).length).toBe(JSON.parse(one!.rows).length);
  });
});

describe("a run", () => {
  const { files } = inputFiles([CORPUS], undefined, undefined);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);

  test.each([1, 2])("in %d threads can be stopped, and what was read counts", async (threads) => {
    const controller = new AbortController();
    const many = Array.from({ length: 40 }, () => files).flat();
    const seen: number[] = [];
    const progress = (bytes: number) => {
      seen.push(bytes);
      controller.abort();
    };
    const found = await runReplay({ files: many, threads, signal: controller.signal, progress });
    expect(found.isStopped).toBe(true);
    expect(found.tally.input.bytes).toBeGreaterThan(0);
    expect(found.tally.input.bytes).toBeLessThan(total * 40);
    expect(replayReport(found).total.calls).toBeGreaterThan(0);
  });

  test.each([1, 2])("in %d threads says how much it read, and passes by a file that is gone", async (threads) => {
    const gone = { path: join(FOLDER, "gone.jsonl"), bytes: 1, format: "pi", countFrom: 0 } as const;
    let read = 0;
    const progress = (bytes: number) => {
      expect(bytes).toBeGreaterThanOrEqual(read);
      read = bytes;
    };
    const found = await runReplay({ files: [gone, ...files], threads, progress });
    expect(read).toBe(total);
    expect(found.tally.input).toMatchObject({ files: files.length + 1, unreadable: 1, bytes: total });
  });
});

test("on a terminal there is a bar, and it is taken away", async () => {
  const drawn: string[] = [];
  const code = await runCommand(["replay", CORPUS, "--json"], {
    ...{ env, cwd: FOLDER, now: Date.now, trusted: false },
    ...{ write: () => undefined, warn: () => undefined, progress: (line) => void drawn.push(line) },
  });
  expect(code).toBe(0);
  expect(drawn[0]).toMatch(/^[█░]{24} +\d+ % of \d+\.\d MB/);
  expect(drawn.at(-1)).toBe("");
});

test("the script is the command", () => {
  expect(run(SCRIPT, CORPUS, "--csv")).toEqual(run(CLI, "replay", CORPUS, "--csv"));
  expect(run(SCRIPT, "no-such").code).toBe(2);
});

test("in a pipe there is no progress bar", () => {
  expect(run(CLI, "replay", CORPUS).err).toBe("");
});

test("a reader that closes the pipe early ends it quietly", async () => {
  const child = spawn(process.execPath, [CLI, "replay", CORPUS, "--json"], { env, cwd: FOLDER });
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => void errors.push(chunk));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, err: errors.join("") }).toEqual({ code: 0, err: "" });
});

test("Ctrl-C prints what was read, and the exit code says so", async () => {
  const corpus = join(FOLDER, "large");
  writeCorpus({ folder: corpus, bytes: 4_000_000, seed: 22, files: 1 });
  const text = readFileSync(join(corpus, "session-0.jsonl"), "utf8");
  for (let size = text.length; size < 400_000_000; size += text.length)
    appendFileSync(join(corpus, "session-0.jsonl"), `\n${text}`);
  const child = spawn(process.execPath, [CLI, "replay", corpus, "--json"], { env, cwd: FOLDER });
  const chunks: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => void chunks.push(chunk));
  setTimeout(() => child.kill("SIGINT"), 700);
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(130);
  const report = JSON.parse(chunks.join(""));
  expect(report.isStopped).toBe(true);
  expect(report.input.bytes).toBeGreaterThan(0);
  expect(report.input.bytes).toBeLessThan(400_000_000);
  expect(report.total.calls).toBeGreaterThan(0);
}, 60_000);

/** Bytes of memory and milliseconds of one thread's CPU that a replay takes in a process of its own. */
function measured(folder: string): { memory: number; cpu: number } {
  const code = `
    process.argv = [process.argv[0], "cli", "replay", ${JSON.stringify(folder)}, "--json", "--threads", "1"];
    process.stdout.write = () => true;
    await import(${JSON.stringify(CLI)});
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    process.stderr.write(JSON.stringify({ memory: maxRSS * 1024, cpu: (userCPUTime + systemCPUTime) / 1000 }));`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    env,
    cwd: FOLDER,
    encoding: "utf8",
  });
  return JSON.parse(ended.stderr);
}

test("time grows with the bytes and memory does not", () => {
  const [small, large] = [join(FOLDER, "small"), join(FOLDER, "eightfold")];
  writeCorpus({ folder: small, bytes: 8_000_000, seed: 23, files: 1 });
  writeCorpus({ folder: large, bytes: 64_000_000, seed: 23, files: 1 });
  expect(existsSync(join(large, "session-0.jsonl"))).toBe(true);
  const best = (folder: string) => [1, 2, 3].map(() => measured(folder)).toSorted((a, b) => a.cpu - b.cpu)[0]!;
  const [less, more] = [best(small), best(large)];
  // Starting and warming up is in both.
  expect(more.cpu).toBeLessThan(less.cpu * 10);
  expect(more.memory).toBeLessThan(300e6);
}, 120_000);
