// What the guard costs on a long call: 1 MB of arguments in 20-byte deltas through upstream's chat-completions adapter
// and its SDK, over loopback HTTP, with the guard and without. Ratios of interleaved medians; correctness is asserted before
// anything is timed.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createAssistantMessageEventStream, normalizeContext } from "@earendil-works/pi-ai";
import { stream as bare } from "@earendil-works/pi-ai/api/openai-completions";
import { stream as guarded } from "../dist/api/openai-completions.js";
import { guardStream } from "../dist/utils/stream-guard/guard-stream.js";
import { median } from "./interleaved.mjs";

const BYTES = 1_000_000;
const DELTA = 20;
const ROUNDS = 41;
const WARM_UP = 3;

const tools = [{ name: "write", description: "Writes.", parameters: { type: "object", properties: {} } }];
const context = normalizeContext({ tools, messages: [{ role: "user", content: "go", timestamp: 0 }] });
const text = JSON.stringify({ path: "a.txt", content: 'lorem ipsum, "dolor"\n'.repeat(BYTES / 24).slice(0, BYTES) });
const deltas = [];
for (let at = 0; at < text.length; at += DELTA) deltas.push(text.slice(at, at + DELTA));

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const model = {
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "p",
  baseUrl: "http://127.0.0.1",
  reasoning: false,
  input: ["text"],
  cost,
  contextWindow: 1e6,
  maxTokens: 1e6,
};
const wire = wireOf(deltas);

function wireOf(pieces) {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = (fields) => chunk({ tool_calls: [{ index: 0, ...fields }] });
  const lines = [call({ id: "call_1", type: "function", function: { name: "write", arguments: "" } })];
  for (const piece of pieces) lines.push(call({ function: { arguments: piece } }));
  lines.push(chunk({}, "tool_calls"), "data: [DONE]\n\n");
  const encoder = new TextEncoder();
  return lines.map((line) => encoder.encode(line));
}

/** A server process of its own on loopback: what it costs to send is not counted. @returns its address, and its end */
async function startServer() {
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv: [] });
  const [port] = await once(child, "message");
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** Sends the reply to whoever asks, an event at a time as servers do. */
function serve() {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const block of wire) if (!response.write(block)) await once(response, "drain");
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  process.on("disconnect", () => process.exit());
}

/** One reply from request to result, over HTTP: every event consumed. */
async function runReply(stream, baseUrl) {
  const start = performance.now();
  const reply = stream({ ...model, baseUrl }, context, { apiKey: "k", maxRetries: 0 });
  let events = 0;
  for await (const _ of reply) events++;
  const message = await reply.result();
  const total = performance.now() - start;
  return { total, events, message };
}

/** Only the guard's own share of a push: the same events with and without it, nothing parsed. */
function perDelta() {
  const source = createAssistantMessageEventStream();
  const seen = { push: 0 };
  source.push = () => void seen.push++;
  const stream = guardStream(source, context);
  const partial = { role: "assistant", content: [{ type: "toolCall", id: "c", name: "write", arguments: {} }] };
  stream.push({ type: "toolcall_start", contentIndex: 0, partial });
  const events = deltas.map((delta) => ({ type: "toolcall_delta", contentIndex: 0, delta, partial }));
  const half = events.length >> 1;
  const start = performance.now();
  for (let index = 0; index < half; index++) stream.push(events[index]);
  const middle = performance.now();
  for (let index = half; index < events.length; index++) stream.push(events[index]);
  const end = performance.now();
  assert.equal(seen.push, events.length + 1);
  return { first: middle - start, second: end - middle };
}

/** @returns `overhead`: guarded over unguarded time until a whole reply is read; median of the ratios of interleaved rounds */
export async function streamGuardOverhead() {
  const { baseUrl, stop } = await startServer();
  try {
    const expected = await runReply(bare, baseUrl);
    const checked = await runReply(guarded, baseUrl);
    assert.equal(checked.events, expected.events);
    assert.deepEqual(checked.message.content, expected.message.content);
    assert.deepEqual(checked.message.content[0].arguments, JSON.parse(text));
    const plain = [];
    const withGuard = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const order = Math.abs(round) % 2 === 0 ? [plain, withGuard] : [withGuard, plain];
      for (const times of order) {
        globalThis.gc?.();
        const { total } = await runReply(times === plain ? bare : guarded, baseUrl);
        if (round >= 0) times.push(total);
      }
    }
    return {
      overhead: median(withGuard.map((time, round) => time / plain[round])),
      plainMs: median(plain),
      guardedMs: median(withGuard),
    };
  } finally {
    stop();
  }
}

/** @returns the guard's time per delta in the second half of a long call over the first */
export function streamGuardFlatness() {
  const halves = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { first, second } = perDelta();
    if (round >= 0) halves.push(second / first);
  }
  return median(halves);
}

if (process.argv[2] === "serve") serve();
else if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log({ ...(await streamGuardOverhead()), flatness: streamGuardFlatness() });
}
