// Mutated texts, deltas and bytes: nothing throws, nothing hangs, and every call ends whole, repaired or refused.
// `STREAM_FUZZ` raises the number of runs; a failing run prints its seed.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { afterAll, describe, expect, it, vi } from "vitest";
import { guardStream } from "../../src/utils/stream-guard/guard-stream.ts";
import { guardFinalMessage } from "../../src/utils/stream-guard/settle-message.ts";
import { deepFreeze } from "../fuzz/prototypes.ts";
import { checkCalls as checkCallsOf } from "../support/check-calls.ts";
import { API_ENCODERS } from "../support/encoders/index.ts";
import { startLoopback } from "../support/loopback.ts";
import { mutateBytes, mutatedDeltas, mutateText, randomCall } from "../support/mutate.ts";
import { overMistral, runOpenAiStream } from "../support/run-openai-stream.ts";
import { runProviderStream } from "../support/run-provider-stream.ts";
import { emptyStream, pushCall, reply, toolCall, unparsedCall } from "../support/scripted-stream.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { TOOLS } from "../support/stream-cases.ts";
import { PROMPT, testContext } from "../support/test-model.ts";

const RUNS = Number(process.env["STREAM_FUZZ"] ?? 2000);
const SEED = Number(process.env["STREAM_FUZZ_SEED"] ?? 20261130);
const TIMEOUT = 30_000 + RUNS * 20;
const context = testContext(TOOLS);
const counts = { whole: 0, repaired: 0, refused: 0 };

afterAll(() => {
  console.log(`fuzz: ${RUNS} runs from seed ${SEED}: ${JSON.stringify(counts)}`);
});

describe("mutated input", () => {
  it("as a finished text is whole, repaired or refused, and a cut text never runs", () => {
    for (let run = 0; run < RUNS * 0.6; run++) {
      const random = new SeededRandom(SEED + run);
      const { id, name, rawArguments } = randomCall(random);
      const cutOnly = random.chance(0.3);
      const text = cutOnly
        ? rawArguments.slice(0, random.below(rawArguments.length))
        : mutateText(rawArguments, random);
      const message = deepFreeze(reply([unparsedCall(id ?? "", name, text)], "toolUse"));
      const settled = guardFinalMessage(message, context);
      checkCalls(settled, run);
      if (cutOnly) expect((settled.content[0] as ToolCall).argumentsError, `run ${run}`).toBeDefined();
      expect(guardFinalMessage(settled, context), `run ${run}`).toBe(settled);
    }
  });

  it("in a stream that breaks off anywhere settles, and no preview of a cut call runs", async () => {
    for (let run = 0; run < RUNS * 0.1; run++) {
      const random = new SeededRandom(SEED + 1e6 + run);
      const source = emptyStream();
      const guarded = guardStream(source, context);
      const partial = reply();
      const { rawArguments } = randomCall(random);
      const text = rawArguments.slice(0, random.below(rawArguments.length));
      pushCall(source, partial, toolCall("c", "read", { path: "preview" }), text, false);
      if (random.chance(0.5))
        source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
      source.end();
      const message = await guarded.result();
      checkCalls(message, run);
      expect((message.content[0] as ToolCall).argumentsError, `run ${run}`).toBeDefined();
    }
  });

  it("as misnumbered deltas settles and gives every call an id of its own", { timeout: TIMEOUT }, async () => {
    for (let run = 0; run < RUNS * 0.15; run++) {
      const random = new SeededRandom(SEED + 2e6 + run);
      const calls = Array.from({ length: 1 + random.below(3) }, () => randomCall(random));
      const deltas = mutatedDeltas(calls, random);
      const chunks = deltas.map((delta) => ({
        choices: [{ index: 0, delta: { tool_calls: [delta] }, finish_reason: null }],
      }));
      const finish_reason = random.pick(["tool_calls", "stop", "length", "MAX_TOKENS", "weird", null]);
      const all = [...chunks, { choices: [{ index: 0, delta: {}, finish_reason }] }];
      const { message } = await runOpenAiStream(TOOLS, all, [PROMPT], random.pick([undefined, overMistral]));
      checkCalls(message, run);
    }
  });

  it.each(API_ENCODERS.map((encoder) => [encoder.api, encoder] as const))(
    "as bytes of %s settles",
    { timeout: TIMEOUT },
    async (_, encoder) => {
      // SDKs print chunks that they cannot parse.
      const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
      const server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
      for (let run = 0; run < (RUNS * 0.15) / API_ENCODERS.length; run++) {
        const random = new SeededRandom(SEED + 3e6 + run);
        const calls = Array.from({ length: 1 + random.below(3) }, () => randomCall(random));
        const bytes = mutateBytes(encoder.encode(calls, { finish: "toolUse" }), random);
        const { message, seen } = await runProviderStream(encoder, server, [bytes], context);
        checkCalls(message, run);
        // A nameless piece may have been joined to its call; every other call keeps the id of its events.
        const ids = new Set(message.content.map((block) => (block as ToolCall).id));
        for (const { id, name } of seen) if (name !== "") expect(ids, `run ${run}`).toContain(id);
      }
      await server.close();
      quiet.mockRestore();
    },
  );
});

function checkCalls(message: AssistantMessage, run: number): void {
  checkCallsOf(message, TOOLS, counts, `run ${run}`);
}
