// What the decorated loop costs when nothing is wrong: 1,000 clean calls through upstream's loop and through ours, from
// memory instead of a socket. Processor time in paired rounds; correctness is asserted before anything is timed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAgentLoop as upstreamLoop } from "@earendil-works/pi-agent-core";
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions";
import { median } from "../../ai/bench/interleaved.mjs";
import { runAgentLoop } from "../dist/index.js";

const CALLS = 1_000;
const CALLS_A_TURN = 10;
const TURNS = CALLS / CALLS_A_TURN;
const DELTA = 12;
const ROUNDS = 16;
const WARM_UP = 2;

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
function wireOf(turn) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  if (turn === TURNS) return [chunk({ content: "done" }), chunk({}, "stop"), "data: [DONE]\n\n"];
  const lines = [];
  for (let index = 0; index < CALLS_A_TURN; index++) {
    const call = turn * CALLS_A_TURN + index;
    const text = JSON.stringify({ path: `packages/agent/src/file-${call}.ts`, offset: 1 + (call % 90), limit: 200 });
    const opening = { index, id: `call_${call}`, type: "function", function: { name: "read", arguments: "" } };
    lines.push(chunk({ tool_calls: [opening] }));
    for (let at = 0; at < text.length; at += DELTA) {
      lines.push(chunk({ tool_calls: [{ index, function: { arguments: text.slice(at, at + DELTA) } }] }));
    }
  }
  return [...lines, chunk({}, "tool_calls"), "data: [DONE]\n\n"];
}

const encoder = new TextEncoder();
const REPLIES = Array.from({ length: TURNS + 1 }, (_, turn) => encoder.encode(wireOf(turn).join("")));

/** Upstream's provider stream and its SDK, answered from memory. */
function providerOf() {
  let turn = 0;
  const fetch = async () =>
    new Response(REPLIES[turn++], { status: 200, headers: { "content-type": "text/event-stream" } });
  return (requested, context, options) =>
    streamSimple(requested, context, { ...options, apiKey: "k", fetch, maxRetries: 0 });
}

/** One run of all calls: milliseconds, and what it left behind. */
export async function play(loop) {
  const config = { model, convertToLlm: (messages) => messages };
  const before = process.threadCpuUsage();
  const started = performance.now();
  const streamFn = providerOf();
  const messages = await loop(
    [{ role: "user", content: "go", timestamp: 0 }],
    { messages: [], tools: [tool] },
    config,
    () => {},
    undefined,
    streamFn,
  );
  const ms = performance.now() - started;
  const { user, system } = process.threadCpuUsage(before);
  // Processor time of this thread: on a busy machine the clock mostly measures the neighbours.
  return { ms, cpu: (user + system) / 1000, messages };
}

/**
 * Both loops play in every round, and every other round the other one is first: load on the machine hits both alike.
 *
 * @returns `overhead`: processor time of the decorated loop over upstream's for 1,000 calls, median of the rounds' ratios
 */
export async function loopOverhead() {
  const expected = await play(upstreamLoop);
  const decorated = await play(runAgentLoop);
  assert.equal(ran.count, 2 * CALLS);
  assert.equal(decorated.messages.length, expected.messages.length);
  assert.deepEqual(timeless(decorated.messages), timeless(expected.messages));
  const rounds = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const ms = new Map();
    const order = round % 2 === 0 ? [upstreamLoop, runAgentLoop] : [runAgentLoop, upstreamLoop];
    for (const loop of order) {
      globalThis.gc?.();
      ms.set(loop, (await play(loop)).cpu);
    }
    if (round >= 0) rounds.push({ upstream: ms.get(upstreamLoop), decorated: ms.get(runAgentLoop) });
  }
  return {
    overhead: median(rounds.map(({ upstream, decorated: ours }) => ours / upstream)),
    upstreamMs: median(rounds.map(({ upstream }) => upstream)),
    decoratedMs: median(rounds.map(({ decorated: ours }) => ours)),
  };
}

function timeless(messages) {
  return messages.map(({ timestamp: _timestamp, durationMs: _duration, ...message }) => message);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(await loopOverhead());
