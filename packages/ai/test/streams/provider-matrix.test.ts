// Every case over every provider: real bytes, real SDK, upstream's adapter, the guard, then the validator.
import type { ToolCall } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateToolCall } from "../../src/utils/validation.ts";
import type { ProviderEncoder } from "../support/encoders/encoder.ts";
import { API_ENCODERS } from "../support/encoders/index.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { type ProviderRun, runProviderStream } from "../support/run-provider-stream.ts";
import { type CallExpectation, STREAM_CASES, type StreamCase, TOOLS } from "../support/stream-cases.ts";
import { testContext } from "../support/test-model.ts";

/** Letters, digits, `_` and `-`, at most 40: what every provider takes back. */
const LEGAL_ID = /^[a-zA-Z0-9_-]{1,40}$/;

let rows = 0;
afterAll(() => console.log(`provider matrix: ${rows} rows, ${API_ENCODERS.length} APIs, ${STREAM_CASES.length} cases`));

describe.each(API_ENCODERS.map((encoder) => [encoder.api, encoder] as const))("%s", (_, encoder) => {
  let server: Loopback;
  beforeAll(async () => {
    server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  });
  afterAll(() => server.close());

  const cases = STREAM_CASES.filter((row) => row.needs === undefined || encoder[row.needs]);
  it.each(cases.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
    rows++;
    const wire = wireOf(row);
    const bytes = encoder.encode(wire, { finish: "toolUse", ...row.ending });
    const run = await runProviderStream(encoder, server, [bytes], testContext(TOOLS, row.history));
    expect(run.message.api).toBe(encoder.api);
    if (encoder.argumentsAreJson && !wire.every((call) => isJsonOrEmpty(call.rawArguments))) {
      // The chunk itself is broken: the reply fails as a whole and nothing of it runs.
      expect(run.message.stopReason).toBe("error");
      return;
    }
    for (const [index, expectation] of row.expect.entries()) checkCall(run, index, expectation);
    expect(run.calls).toHaveLength(row.expect.length);
    checkIds(run, row, encoder);
    if (row.untouched) {
      expect(run.calls.map((call) => call.arguments)).toEqual(wire.map((call) => JSON.parse(call.rawArguments)));
      expect(run.calls.some((call) => "repair" in call || "argumentsError" in call)).toBe(false);
    }
  });

  it("settles wherever the connection breaks, and refuses the call that was open", async () => {
    const sent = [
      { id: "c1", name: "read", rawArguments: '{"path":"abcdefghijklmnop"}' },
      { id: "c2", name: "bash", rawArguments: '{"command":"rm -rf build/tmp"}' },
    ];
    const bytes = encoder.encode(sent, { finish: "toolUse" });
    let refused = 0;
    for (let at = 1; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      server.answer = { contentType: encoder.contentType, pieces: [bytes.slice(0, at)], hangUp: true };
      const message = await encoder.stream(server.url, testContext(TOOLS)).result();
      const calls = message.content.filter((block): block is ToolCall => block.type === "toolCall");
      for (const [index, call] of calls.entries()) {
        if (call.argumentsError !== undefined) refused++;
        else expect(call.arguments).toEqual(JSON.parse(sent[index]?.rawArguments as string));
      }
    }
    // Where arguments travel inside a chunk a call is there as a whole or not at all.
    expect(refused > 0).toBe(!encoder.argumentsAreJson);
  });

  it("gives the same ids for the same bytes, whenever they come", async () => {
    const wire = [undefined, "", "call_used"].map((id) => ({ id, name: "status", rawArguments: "{}" }));
    const bytes = encoder.encode(wire, { finish: "toolUse" });
    const context = testContext(TOOLS, STREAM_CASES.find(({ history }) => history !== undefined)?.history);
    const first = await runProviderStream(encoder, server, [bytes], context);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await runProviderStream(encoder, server, [bytes], context);
    expect(second.calls.map(({ id }) => id)).toEqual(first.calls.map(({ id }) => id));
  });

  it("gives the same reply whatever the chunk boundaries", async () => {
    const wire = [
      { id: undefined, name: "functions.write", rawArguments: '{"path":"é🙂","content":"a\\nb"}' },
      { id: "call_2", name: "status", rawArguments: "{}" },
    ];
    const bytes = encoder.encode(wire, { finish: "toolUse" });
    const whole = await runProviderStream(encoder, server, [bytes], testContext(TOOLS));
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const split = await runProviderStream(encoder, server, single, testContext(TOOLS));
    expect(split.calls).toEqual(whole.calls);
    expect(split.calls[0]).toMatchObject({ name: "write", arguments: { path: "é🙂", content: "a\nb" } });
  });
});

function wireOf({ calls, cutAt }: StreamCase) {
  if (cutAt === undefined) return calls;
  return calls.map((call, index) =>
    index < calls.length - 1 ? call : { ...call, rawArguments: call.rawArguments.slice(0, cutAt) },
  );
}

function checkCall({ message, calls }: ProviderRun, index: number, expectation: CallExpectation): void {
  const call = calls[index] as ToolCall;
  if ("runs" in expectation) {
    expect(message.stopReason).toBe("toolUse");
    expect(validateToolCall([...TOOLS], call)).toEqual(expectation.runs);
    if (expectation.as !== undefined) expect(call.name).toBe(expectation.as);
    return;
  }
  expect(() => validateToolCall([...TOOLS], call)).toThrow(expectation.refused);
}

function checkIds({ calls, seen, message }: ProviderRun, row: StreamCase, encoder: ProviderEncoder): void {
  const ids = calls.map((call) => call.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [index, id] of ids.entries()) {
    const sent = row.calls[index]?.id ?? "";
    if (row.ids?.[index] === "new") {
      expect(id).toMatch(LEGAL_ID);
      expect(id).not.toBe(encoder.storedId(sent, index));
    } else {
      expect(id).toBe(encoder.storedId(sent, index));
    }
  }
  for (const { contentIndex, id } of seen) expect(id).toBe((message.content[contentIndex] as ToolCall).id);
  expect(seen.some(({ type }) => type === "toolcall_start")).toBe(calls.length > 0);
}

function isJsonOrEmpty(text: string): boolean {
  if (text === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
