// What the package adds to pi's start: the real pi in RPC mode, from its launch to its first answer, without and with the
// package in its settings, turn by turn in one run. Homes are temporary; nothing is sent anywhere. Beside the time on the
// clock it takes the processor time of pi's process, which the load of the machine changes less.
// By hand, after a build: node bench/start-up.mjs [rounds]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE, PI_CLI } from "../../../scripts/demo/run-pi.mjs";
import { median } from "../../ai/bench/interleaved.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const QUESTION = { id: "bench", type: "get_commands" };
/** Runs in pi's process: when it ends, it says how much processor time it took. */
const REPORT = `data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>{const{user,system}=process.cpuUsage();writeSync(3,String((user+system)/1000))})`;

/**
 * Starts pi `rounds` times each way, after two unmeasured starts each, which fill the caches that a second start finds.
 *
 * @returns {Promise<Record<"clock" | "processor", { without: number, with: number, difference: number }>>} in milliseconds:
 *   medians on the clock, the least of processor time, and what they differ by
 */
export async function startUp(rounds = 15) {
  const home = mkdtempSync(join(tmpdir(), "pi-mend-start-"));
  try {
    const bare = place(home, "without", []);
    const mended = place(home, "with", [PACKAGE]);
    const starts = [];
    for (let round = -2; round < rounds; round++) {
      const pair = { without: await start(bare, false), with: await start(mended, true) };
      if (round >= 0) starts.push(pair);
    }
    return { clock: compared(starts, "clock", median), processor: compared(starts, "processor", least) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param of makes one figure of those of all rounds */
function compared(starts, what, of) {
  const without = of(starts.map((pair) => pair.without[what]));
  const withPackage = of(starts.map((pair) => pair.with[what]));
  return { without, with: withPackage, difference: withPackage - without };
}

/** The start that was disturbed least: what else runs can only make a start cost more. */
function least(values) {
  return Math.min(...values);
}

function place(home, name, packages) {
  const folder = join(home, name);
  const agentDir = join(folder, ".pi", "agent");
  mkdirSync(agentDir, { recursive: true });
  writeFileSync(join(agentDir, "settings.json"), JSON.stringify({ packages }));
  return { folder, agentDir };
}

/** Milliseconds from the launch to the answer, and of processor time up to the end. Rejects where `/mend` is not there although it should be, or the reverse. */
function start({ folder, agentDir }, isMended) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  };
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const pi = spawn(NODE, ["--import", REPORT, PI_CLI, "--mode", "rpc", "--offline", "--no-session"], {
      cwd: folder,
      env: { ...env, PI_SKIP_VERSION_CHECK: "1" },
      stdio: ["pipe", "pipe", "ignore", "pipe"],
    });
    let took;
    let said = "";
    let processor = "";
    pi.stdio[3].setEncoding("utf8").on("data", (piece) => {
      processor += piece;
    });
    pi.stdout.setEncoding("utf8").on("data", (piece) => {
      said += piece;
      if (took !== undefined || !said.slice(0, said.lastIndexOf("\n")).includes(`"id":"${QUESTION.id}"`)) return;
      took = performance.now() - began;
      pi.stdin.end();
    });
    pi.once("error", reject);
    pi.once("close", () => {
      if (took === undefined) reject(new Error("pi did not answer"));
      else if (said.includes('"name":"mend"') !== isMended) reject(new Error("pi started with the wrong packages"));
      else resolve({ clock: took, processor: Number(processor) });
    });
    pi.stdin.write(`${JSON.stringify(QUESTION)}\n`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  for (const [what, { without, with: withPackage, difference }] of Object.entries(
    await startUp(Number(process.argv[2] ?? 15)),
  )) {
    console.log(`${what}: without the package ${ms(without)}, with it ${ms(withPackage)}, ${ms(difference)} more`);
  }
}
