// How fast is a replay? Its CPU time over that of reading the same bytes by lines and parsing each one, on a generated corpus
// in one thread. A replay that parsed everything would be above one before it had judged a single call.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCorpus } from "../../../scripts/replay-corpus.mjs";
import { median } from "../../ai/bench/interleaved.mjs";
import { runCommand } from "../dist/commands.js";

/** @returns {Promise<number>} the median of rounds that take turns */
export async function replayOverParse({ bytes = 32_000_000, rounds = 5 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "pi-mend-replay-"));
  try {
    const truth = writeCorpus({ folder, bytes, seed: 51, files: 2 });
    const due = Object.values(truth.models).reduce((sum, { calls }) => sum + calls, 0);
    const ratios = [];
    for (let round = -1; round < rounds; round++) {
      const parse = cpuOf(() => parsed(folder));
      const replay = await cpuOf(() => replayed(folder, due));
      if (round >= 0) ratios.push(replay / (await parse));
    }
    return median(ratios);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuOf(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function replayed(folder, due) {
  let text = "";
  const shell = { env: {}, cwd: folder, now: Date.now, trusted: false, warn: assert.fail };
  await runCommand(["replay", folder, "--json", "--threads", "1"], { ...shell, write: (piece) => (text += piece) });
  assert.equal(JSON.parse(text).total.calls, due);
}

function parsed(folder) {
  let rows = 0;
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".jsonl"))) {
    const bytes = readFileSync(join(folder, name));
    for (let start = 0, end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      try {
        if (JSON.parse(bytes.toString("utf8", start, end))) rows++;
      } catch {
        // The corpus has damaged lines.
      }
      start = end + 1;
    }
  }
  assert.ok(rows > 0);
}
