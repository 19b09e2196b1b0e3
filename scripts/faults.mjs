// Kills pi at random moments while four of them share the stores, then looks at what is left:
// `npm run faults [-- --sessions N] [--seed S] [--json]`. Fails on a store that cannot be read, a session file with a broken line, a
// session that does not start afterwards, or a lock that was old enough to be broken when a session began and is still there when
// that session ends by itself.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { NODE, PI_CLI } from "./demo/run-pi.mjs";
import { startScriptedServer } from "./demo/scripted-server.mjs";
import { seeded } from "./replay-corpus/seeded.mjs";

const PACKAGE = join(dirname(import.meta.dirname), "packages/coding-agent");
const AT_ONCE = 4;
/** A kill falls anywhere in a session, and a little behind it. */
const KILL_WITHIN = 1.5;
/** A lock this old belongs to nobody, as `file-lock.ts` has it. */
const STALE_MS = 5_000;

/** @returns figures and `faults`, sentences; empty when nothing was lost */
export async function killSessions({ sessions, seed }) {
  const home = mkdtempSync(join(tmpdir(), "pi-mend-faults-"));
  const [agent, cwd] = [join(home, "agent"), join(home, "work")];
  for (const folder of [agent, cwd]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(cwd, "a.txt"), "the file\n");
  const server = await startScriptedServer(Array.from({ length: sessions * 4 + 8 }, () => answer));
  const model = { id: "m", name: "m", contextWindow: 100_000, maxTokens: 1_000 };
  const s = { baseUrl: server.url, api: "openai-completions", apiKey: "k", models: [model] };
  writeFileSync(join(agent, "models.json"), JSON.stringify({ providers: { s } }));
  const random = seeded(seed);
  const figures = {
    sessions,
    kills: 0,
    finished: 0,
    failed: 0,
    sessionFiles: 0,
    records: 0,
    longestLockMs: 0,
    faults: [],
  };
  const stores = join(agent, "pi-mend");
  const watch = watchLocks(stores);
  /** A session that ends by itself writes, so a lock that was old when it began is gone when it ends. */
  const session = async (killAfter) => {
    const old = watch.locks(STALE_MS);
    const ended = await onePi({ home, agent, cwd, killAfter });
    if (ended.signal === "SIGKILL") return ended;
    const kept = watch.locks(STALE_MS).filter((lock) => old.includes(lock));
    if (kept.length > 0) figures.faults.push("a session left a lock that was there before it, and old");
    return ended;
  };
  try {
    const began = performance.now();
    const first = await session();
    if (first.code !== 0) figures.faults.push(`the first session: ${first.code} ${first.err.slice(-300)}`);
    // As long as sessions take where four of them run at once on this machine, roughly.
    const longest = (performance.now() - began) * 2 * KILL_WITHIN;
    let left = sessions;
    const worker = async () => {
      while (left-- > 0) {
        const { code, signal, err } = await session(random() * longest);
        if (signal === "SIGKILL") figures.kills++;
        else if (code === 0) figures.finished++;
        else {
          figures.failed++;
          figures.faults.push(`a session ended with ${code}: ${err.slice(-300)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // One that nobody kills, as soon as every lock that was left is old: it must find its stores, break the locks, and write.
    while (watch.locks(0).length > watch.locks(STALE_MS).length) await new Promise((done) => setTimeout(done, 50));
    const last = await session();
    if (last.code !== 0 || last.err !== "")
      figures.faults.push(`the session after the kills: ${last.code} ${last.err.slice(-300)}`);
    Object.assign(figures, readStores(stores, figures.faults), readSessions(agent, figures.faults));
    // The first and the last count as well. One that was killed early has no file yet.
    if (figures.sessionFiles < figures.finished + 2) figures.faults.push("a finished session has no file");
    figures.longestLockMs = Math.round(watch.stop());
    if (figures.kills === 0 && sessions > 8) figures.faults.push("no session was killed: nothing was shown");
    return figures;
  } finally {
    watch.stop();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A model that makes a call to repair, then one to bounce, then ends. */
function answer({ messages }) {
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results >= 2) return { text: "done" };
  const wire = results === 0 ? '{"file_path":"a.txt","limit":"1"}' : '{"path":null}';
  return { calls: [{ id: `c${results}`, name: "read", arguments: wire }] };
}

function onePi({ home, agent, cwd, killAfter }) {
  const flags = ["--print", "--offline", "--no-extensions", "--provider", "s", "--model", "m", "-e", PACKAGE, "Begin."];
  const env = { PATH: process.env.PATH, HOME: home, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1", PI_TELEMETRY: "0" };
  const child = spawn(NODE, [PI_CLI, ...flags], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (piece) => {
    err += piece;
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, err });
    });
  });
}

/** Which locks are there, each known by what its owner wrote into it, and how long each was seen. */
function watchLocks(folder) {
  const since = new Map();
  let longest = 0;
  const look = () => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".lock")) : [];
    const seen = new Set();
    for (const name of names) {
      const owner = textOf(join(folder, name));
      if (owner === undefined) continue;
      const key = `${name} ${owner}`;
      seen.add(key);
      if (!since.has(key)) since.set(key, performance.now());
      longest = Math.max(longest, performance.now() - since.get(key));
    }
    for (const key of since.keys()) if (!seen.has(key)) since.delete(key);
  };
  const timer = setInterval(look, 50);
  return {
    /** The locks that have been there for so long. */
    locks: (ms) => {
      look();
      return [...since].filter(([, time]) => performance.now() - time >= ms).map(([key]) => key);
    },
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

/** `undefined` where the file went away. */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function readStores(folder, faults) {
  let records = 0;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.includes(".broken-")) faults.push(`a store was set aside: ${name}`);
    if (name.endsWith(".lock") || name.endsWith(".break")) faults.push(`a lock is left: ${name}`);
    if (name.endsWith(".tmp")) faults.push(`a draft is left: ${name}`);
    const text = readFileSync(join(folder, name), "utf8");
    if (name.endsWith(".jsonl")) records += wholeLines(name, text, faults);
    if (name === "adaptation.json" && !isJson(text)) faults.push(`${name} is no JSON`);
  }
  if (records === 0) faults.push("no record was written");
  return { records };
}

function readSessions(agent, faults) {
  const folder = join(agent, "sessions");
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  for (const name of names) {
    const text = readFileSync(join(folder, name), "utf8");
    if (text.trim() !== "") wholeLines(name, text, faults);
  }
  return { sessionFiles: names.length };
}

function wholeLines(name, text, faults) {
  const lines = text.split("\n").filter((line) => line !== "");
  const broken = lines.filter((line) => !isJson(line)).length;
  if (broken > 0) faults.push(`${name}: ${broken} broken lines`);
  return lines.length - broken;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === import.meta.filename) {
  const options = {
    sessions: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean" },
  };
  const { values } = parseArgs({ options });
  const started = performance.now();
  const figures = await killSessions({ sessions: Number(values.sessions), seed: Number(values.seed) });
  const seconds = Math.round((performance.now() - started) / 1_000);
  if (values.json) console.log(JSON.stringify({ ...figures, seconds }));
  else {
    const { sessions, kills, finished, failed, sessionFiles, records, longestLockMs, faults } = figures;
    console.log(`${sessions} sessions, ${kills} killed, ${finished} finished, ${failed} failed, in ${seconds} s`);
    console.log(`${sessionFiles} session files and ${records} records read, longest lock ${longestLockMs} ms`);
    for (const fault of faults) console.log(`FAULT ${fault}`);
  }
  if (figures.faults.length > 0) process.exitCode = 1;
}
