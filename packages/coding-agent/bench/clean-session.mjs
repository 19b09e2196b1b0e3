// What the package costs a session in which every call is right: the real pi session, its real read tool and a scripted server on
// the loopback, without and with the built package, each in a process of its own, by turns. Processor time of the process, which on
// a busy machine says more than the clock; the server's share is in it on both sides. Each round runs pi without the package twice,
// so that what the machine does by itself stands beside what the package does. Homes are temporary.
// By hand, after a build: node bench/clean-session.mjs [rounds]
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgentSession, DefaultResourceLoader, SessionManager } from "@earendil-works/pi-coding-agent";
import { startScriptedServer } from "../../../scripts/demo/scripted-server.mjs";
import { apart } from "../../ai/bench/apart.mjs";
import { median } from "../../ai/bench/interleaved.mjs";
import piMend from "../dist/index.js";

const TURNS = 40;
const CALLS_A_TURN = 5;
const SESSIONS = 6;
const WARM_UP = 2;

/**
 * @returns {{ overhead: number, itself: number, addedMsPerCall: number, msPerCall: number }} `overhead`: processor time of a
 *   session with the package over one without; `itself`: one without over another without; the others in milliseconds of it. All
 *   are medians of the rounds
 */
export function cleanSession(rounds = 5) {
  const one = (mended) => apart("../../coding-agent/bench/clean-session.mjs", "sessions", mended);
  const all = Array.from({ length: rounds }, () => {
    const [before, mended, after] = [one(false), one(true), one(false)];
    return { bare: (before + after) / 2, mended, itself: after / before };
  });
  const calls = TURNS * CALLS_A_TURN;
  return {
    overhead: median(all.map(({ bare, mended }) => mended / bare)),
    itself: median(all.map(({ itself }) => itself)),
    addedMsPerCall: median(all.map(({ bare, mended }) => (mended - bare) / calls)),
    msPerCall: median(all.map(({ bare }) => bare / calls)),
  };
}

/** Sessions one after the other in this process: what the fastest took, in milliseconds of processor time. */
export async function sessions(mended) {
  const home = mkdtempSync(join(tmpdir(), "pi-mend-clean-"));
  Object.assign(process.env, {
    HOME: home,
    PI_CODING_AGENT_DIR: join(home, "agent"),
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  });
  try {
    const took = [];
    for (let session = -WARM_UP; session < SESSIONS; session++) {
      const ms = await play(home, mended);
      if (session >= 0) took.push(ms);
    }
    return Math.min(...took);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** One session from its first prompt to its last answer: milliseconds of processor time. Every call must have run as it was sent. */
async function play(home, mended) {
  const server = await startScriptedServer(script());
  const agentDir = join(home, "agent");
  const cwd = join(home, "work");
  for (const folder of [agentDir, cwd]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "notes.txt"), "a line of some length that a model reads\n".repeat(40));
  const models = [{ id: "scripted", name: "Scripted", contextWindow: 10_000_000, maxTokens: 8_192 }];
  const provider = { baseUrl: server.url, api: "openai-completions", apiKey: "unused", models };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { scripted: provider } }));
  writeFileSync(
    join(agentDir, "settings.json"),
    JSON.stringify({ defaultProvider: "scripted", defaultModel: "scripted" }),
  );
  const resourceLoader = new DefaultResourceLoader({
    ...{ cwd, agentDir, noExtensions: true, noSkills: true, noPromptTemplates: true, noContextFiles: true },
    extensionFactories: mended ? [piMend] : [],
  });
  await resourceLoader.reload();
  const sessionManager = SessionManager.create(cwd, join(home, "sessions"));
  const { session } = await createAgentSession({ cwd, agentDir, resourceLoader, sessionManager });
  try {
    await session.bindExtensions({ mode: "print" });
    globalThis.gc?.();
    const before = process.cpuUsage();
    await session.prompt("Begin.");
    const { user, system } = process.cpuUsage(before);
    const results = session.messages.filter(({ role }) => role === "toolResult");
    assert.equal(results.length, TURNS * CALLS_A_TURN);
    assert.ok(results.every(({ isError }) => !isError));
    return (user + system) / 1000;
  } finally {
    session.dispose();
    await server.close();
  }
}

function script() {
  return Array.from({ length: TURNS }, (_, turn) => ({
    calls: Array.from({ length: CALLS_A_TURN }, (_, call) => ({
      id: `call_${turn}_${call}`,
      name: "read",
      arguments: JSON.stringify({ path: "notes.txt", offset: 1 + call, limit: 4 }),
    })),
  }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(cleanSession(Number(process.argv[2] ?? 5)));
