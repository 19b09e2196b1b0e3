// What the decorated loop costs when nothing is wrong: 1,000 clean calls, as many to a turn as asked for, through upstream's
// loop and through ours, from memory instead of a socket. Both run side by side, a turn of the one, then the same turn of
// the other, in processor time: each pair lies within milliseconds, so that load on the machine hits both alike.
// Correctness is asserted before anything is timed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAgentLoop as upstreamLoop } from "@earendil-works/pi-agent-core";
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions";
import { median } from "../../ai/bench/interleaved.mjs";
import { runAgentLoop } from "../dist/index.js";

const CALLS = 1_000;
const DELTA = 12;
/** Pairs of turns that one measurement takes, and those that only warm up. */
const PAIRS = 2_000;
const WARM_UP = 200;

/** What the tool reads, and the model gets: a source file of two or three kilobytes. */
const FILE = fileURLToPath(new URL("../src/guarded-stream-fn.ts", import.meta.url));

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, offset: { type: "number" }, limit: { type: "number" } },
  required: ["path"],
};
const ran = { count: 0 };
const tool = {
  name: "read",
  label: "read",
  description: "Reads a file.",
  parameters,
  execute: async () => {
    ran.count++;
    const text = await readFile(FILE, "utf8");
    return { content: [{ type: "text", text }], details: {} };
  },
};
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const model = {
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "bench",
  baseUrl: "http://127.0.0.1/v1",
  reasoning: false,
  input: ["text"],
  cost,
  contextWindow: 1e6,
  maxTokens: 1e6,
};

/** The wire bytes of one turn, in the deltas of a real server. */
function wireOf(turn, callsATurn) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  if (turn * callsATurn >= CALLS) return [chunk({ content: "done" }), chunk({}, "stop"), "data: [DONE]\n\n"];
  const lines = [];
  for (let index = 0; index < callsATurn; index++) {
    const call = turn * callsATurn + index;
    const text = JSON.stringify({ path: `packages/agent/src/file-${call}.ts`, offset: 1 + (call % 90), limit: 200 });
    const opening = { index, id: `call_${call}`, type: "function", function: { name: "read", arguments: "" } };
    lines.push(chunk({ tool_calls: [opening] }));
    for (let at = 0; at < text.length; at += DELTA) {
      lines.push(chunk({ tool_calls: [{ index, function: { arguments: text.slice(at, at + DELTA) } }] }));
    }
  }
  return [...lines, chunk({}, "tool_calls"), "data: [DONE]\n\n"];
}

/** The replies of a run: its calls, and one that says it is done. */
function repliesOf(callsATurn) {
  const encoder = new TextEncoder();
  const turns = Array.from({ length: CALLS / callsATurn + 1 }, (_, turn) => wireOf(turn, callsATurn).join(""));
  return turns.map((wire) => encoder.encode(wire));
}

/** The processor time of this process, collector included, in milliseconds. That of one thread comes in ticks of 4 ms. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * One run of all calls through upstream's provider stream and its SDK, held up before every reply.
 *
 * @returns `arrived`: the first request is made; `turn`: lets one reply in and waits for the next request, or the end;
 *   `messages`: what the run left behind
 */
function begin(loop, replies) {
  let turn = 0;
  let reply;
  let arrive;
  const nextStop = () =>
    new Promise((resolve) => {
      arrive = resolve;
    });
  const fetch = () =>
    new Promise((resolve) => {
      reply = () =>
        resolve(new Response(replies[turn++], { status: 200, headers: { "content-type": "text/event-stream" } }));
      arrive();
    });
  const streamFn = (requested, context, options) =>
    streamSimple(requested, context, { ...options, apiKey: "k", fetch, maxRetries: 0 });
  const arrived = nextStop();
  const prompts = [{ role: "user", content: "go", timestamp: 0 }];
  const config = { model, convertToLlm: (messages) => messages };
  const messages = loop(prompts, { messages: [], tools: [tool] }, config, () => {}, undefined, streamFn);
  void messages.then(() => arrive());
  const oneTurn = async () => {
    const stop = nextStop();
    const before = processorTime();
    reply();
    await stop;
    return processorTime() - before;
  };
  return { arrived, turn: oneTurn, messages };
}

/** Both loops side by side. @returns the processor time of every turn, upstream's and ours, and what both left behind */
async function sideBySide(round, replies) {
  const upstream = begin(upstreamLoop, replies);
  const decorated = begin(runAgentLoop, replies);
  await Promise.all([upstream.arrived, decorated.arrived]);
  const pairs = [];
  for (let turn = 0; turn < replies.length; turn++) {
    const cost = new Map();
    const order = (turn + round) % 2 === 0 ? [upstream, decorated] : [decorated, upstream];
    for (const run of order) cost.set(run, await run.turn());
    pairs.push([cost.get(upstream), cost.get(decorated)]);
  }
  return { pairs, expected: await upstream.messages, made: await decorated.messages };
}

/**
 * @param callsATurn calls of one reply: one in nearly all turns of real sessions
 * @returns processor time of the decorated loop over upstream's: `overhead` for all calls of a run, the collector's work
 *   included, median of the rounds; `turn` for one turn, median of the pairs of all rounds, which sees smaller changes
 */
export async function loopOverhead(callsATurn) {
  const replies = repliesOf(callsATurn);
  const { expected, made } = await sideBySide(0, replies);
  assert.equal(ran.count, 2 * CALLS);
  assert.equal(made.length, expected.length);
  assert.deepEqual(timeless(made), timeless(expected));
  const rounds = [];
  // The first run was one to warm up, too.
  for (let turns = replies.length; turns < WARM_UP; turns += replies.length) await sideBySide(0, replies);
  for (let turns = 0; turns < PAIRS; turns += replies.length) {
    const { pairs } = await sideBySide(rounds.length, replies);
    rounds.push(pairs);
  }
  const sums = (side) => rounds.map((pairs) => pairs.reduce((sum, pair) => sum + pair[side], 0));
  const [upstream, decorated] = [sums(0), sums(1)];
  return {
    overhead: median(decorated.map((ms, round) => ms / upstream[round])),
    turn: median(rounds.flat().map(([theirs, ours]) => ours / theirs)),
    upstreamMs: median(upstream),
    decoratedMs: median(decorated),
  };
}

function timeless(messages) {
  return messages.map(({ timestamp: _timestamp, durationMs: _duration, ...message }) => message);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(await loopOverhead(Number(process.argv[2] ?? 1)));
}
