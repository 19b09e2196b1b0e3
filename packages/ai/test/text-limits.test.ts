// Size where text comes in: argument texts of 10 MB, messages of 10 MB, 1,000 calls in one message, nesting of 10,000
// levels; for the reader, the stream guard, the reader of leaked calls and the text protocol. Nothing throws, each has a clear
// outcome, and four times the size costs about four times the time.

import type { ToolCall } from "@earendil-works/pi-ai";
import { describe, expect, test } from "vitest";
import { guardStream } from "../src/utils/stream-guard/guard-stream.ts";
import { guardFinalMessage } from "../src/utils/stream-guard/settle-message.ts";
import { createMarkupFilter } from "../src/utils/tool-repair/grammars/markup-filter.ts";
import { readLeakedCalls } from "../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { readRawArguments } from "../src/utils/tool-repair/read-raw-arguments.ts";
import { parseTextToolCalls } from "../src/utils/tool-repair/text-protocol.ts";
import { FAMILIES, SAMPLE_TOOLS, STORE } from "./grammars/family-samples.ts";
import { growthOf } from "./support/growth.ts";
import { emptyStream, pushCall, reply, toolCall, unparsedCall } from "./support/scripted-stream.ts";
import { TOOLS } from "./support/stream-cases.ts";
import { testContext } from "./support/test-model.ts";

const MB10 = 10 * 1024 * 1024;
const LINEAR = 11;
const context = testContext(TOOLS);
const write = (content: string) => JSON.stringify({ path: "a", content });
const many = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n");
const envelope = (i: number) => `<pi:call name="store">${JSON.stringify({ key: `${i}`, text: "t" })}</pi:call>`;

describe("argument texts", () => {
  test("of 10 MB are read, strict or lenient", () => {
    expect(readRawArguments(write("x".repeat(MB10)))).toMatchObject({ ok: true, forgiven: [] });
    const lenient = readRawArguments(`{'path': 'a', 'content': '${"x".repeat(MB10)}',}`);
    expect(lenient.ok && (lenient.value["content"] as string).length).toBe(MB10);
  });

  test("of 10 MB that are cut are refused as cut", () => {
    expect(readRawArguments(write("x".repeat(MB10)).slice(0, -2))).toMatchObject({ ok: false, reason: "truncated" });
    expect(readRawArguments(`{'a': '${"x".repeat(MB10)}`)).toMatchObject({ ok: false, reason: "truncated" });
  });

  test("above the limit are too large", () => {
    expect(readRawArguments(" ".repeat(17 * 1024 * 1024))).toMatchObject({ ok: false, reason: "too-large" });
  });

  test.each(["[", '{"a":', "{a:", "{'a':["])("of %s to 10,000 levels and beyond are refused", (open) => {
    for (const depth of [600, 10_000, 200_000]) expect(readRawArguments(`{"a":${open.repeat(depth)}`).ok).toBe(false);
  });

  test.each<[string, (n: number) => string]>([
    ["strict", (n) => write("x\n".repeat(n / 2))],
    ["with single quotes", (n) => `{'a': '${"x".repeat(n)}'}`],
    ["of many keys", (n) => `{${many(n / 16, (i) => `'k${i}': ${i},`)}}`],
    ["in a string in a string", (n) => JSON.stringify(JSON.stringify({ a: '"'.repeat(n / 8) }))],
    ["of open quotes", (n) => `{"a": ${'"\\"'.repeat(n / 3)}`],
    ["of blanks", (n) => `{"a":1}${" ".repeat(n)}x`],
    ["of fences", (n) => "```\n".repeat(n / 4)],
    ["of prose before an object", (n) => `${"well, ".repeat(n / 6)}{"a":1}`],
  ])("%s cost linear time", (_, make) => {
    expect(growthOf(make, 256 * 1024, readRawArguments)).toBeLessThan(LINEAR);
  });
});

describe("a guarded stream", () => {
  const stream = async (calls: number, text: (i: number) => string) => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    const partial = reply();
    for (let i = 0; i < calls; i++) pushCall(source, partial, toolCall("", "write", JSON.parse(text(i))), text(i));
    source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
    source.end();
    return guarded.result();
  };

  test("of 1,000 calls without ids gives each an id of its own", async () => {
    const message = await stream(1_000, () => write("x"));
    const ids = message.content.map((block) => (block as ToolCall).id);
    expect(new Set(ids).size).toBe(1_000);
    expect(message.content.every((block) => (block as ToolCall).argumentsError === undefined)).toBe(true);
  });

  test("of 10 MB in one call keeps it whole", async () => {
    const message = await stream(1, () => write("x".repeat(MB10)));
    expect(((message.content[0] as ToolCall).arguments as { content: string }).content.length).toBe(MB10);
  });

  test("of 10 MB of arguments without an end refuses the call", () => {
    const text = write("x".repeat(MB10)).slice(0, -2);
    const [call] = guardFinalMessage(reply([unparsedCall("c", "write", text)], "toolUse"), context).content;
    expect(call).toMatchObject({ arguments: {}, argumentsError: expect.stringMatching(/cut off/) });
    expect((call as ToolCall).argumentsError!.length).toBeLessThan(2_000);
  });

  test.each<[string, (n: number) => ToolCall[]]>([
    ["unparsed calls", (n) => Array.from({ length: n }, () => unparsedCall("", "read", "{'path': 'a'}"))],
    ["calls with one id", (n) => Array.from({ length: n }, () => toolCall("same", "read", { path: "a" }))],
    [
      "nameless pieces",
      (n) => [toolCall("a", "read", {}), ...Array.from({ length: n }, () => unparsedCall("", "", '{"a":'))],
    ],
    [
      "names of spaces",
      (n) => [toolCall("a", " ".repeat(n * 10), {}), toolCall(" ".repeat(n * 10), "read", { path: "a" })],
    ],
  ])("settles %s in linear time", (_, make) => {
    const message = (n: number) => reply(make(n), "toolUse");
    expect(growthOf(message, 1_000, (one) => guardFinalMessage(one, context))).toBeLessThan(LINEAR);
  });
});

describe("a message of calls as text", () => {
  const hermes = FAMILIES.find(({ family }) => family === "hermes")!;

  test("with 1,000 calls gives them all, in order", () => {
    const calls = Array.from({ length: 1_000 }, (_, i) => ({ name: "store", args: { key: `${i}`, text: "t" } }));
    const read = readLeakedCalls(hermes.print(...calls), SAMPLE_TOOLS);
    expect(read.calls.map((call) => (call.arguments as { key: string }).key)).toEqual(
      calls.map(({ args }) => args.key),
    );
    expect(parseTextToolCalls(many(1_000, envelope), SAMPLE_TOOLS).calls.length).toBe(1_000);
  });

  test("of 10 MB is read, or left as the text it is", () => {
    const args = { key: "a", text: "x".repeat(MB10) };
    const [call] = readLeakedCalls(hermes.print({ name: "store", args }), SAMPLE_TOOLS).calls;
    expect(call?.arguments).toEqual(args);
    const prose = "Nothing but words, a < b and list[0]. ".repeat(MB10 / 38);
    expect(readLeakedCalls(prose, SAMPLE_TOOLS)).toMatchObject({ calls: [], text: prose });
    expect(parseTextToolCalls(prose, SAMPLE_TOOLS)).toEqual({ calls: [], text: prose, refused: [] });
  });

  test("that is cut in 10 MB gives no call", () => {
    const cut = hermes.print({ name: "store", args: { key: "a", text: "x".repeat(MB10) } }).slice(0, -40);
    expect(readLeakedCalls(cut, SAMPLE_TOOLS).calls).toEqual([]);
    expect(parseTextToolCalls(`<pi:call name="store">{"key":"${"x".repeat(MB10)}`, SAMPLE_TOOLS)).toMatchObject({
      calls: [],
      refused: [{ reason: "truncated" }],
    });
  });

  test("nested to 10,000 levels overflows nothing", () => {
    for (const open of ["[", '{"a":', "<tool_call>", '<pi:call name="store">', "<think>"]) {
      const text = `<tool_call>{"name":"store","arguments":${open.repeat(10_000)}`;
      expect(readLeakedCalls(text, SAMPLE_TOOLS).calls).toEqual([]);
      expect(parseTextToolCalls(`<pi:call name="store">${open.repeat(10_000)}`, SAMPLE_TOOLS).calls).toEqual([]);
    }
  });

  test.each<[string, (n: number) => string]>([
    ["calls", (n) => hermes.print(...Array.from({ length: n / 64 }, () => STORE))],
    ["envelopes", (n) => many(n / 64, envelope)],
    ["broken envelopes", (n) => '<pi:call name="store">{"key":"a'.repeat(n / 32)],
    ["tool fences", (n) => '```tool\n{"name":"store"\n'.repeat(n / 24)],
    ["prose", (n) => "Nothing but words, a < b and list[0]. ".repeat(n / 38)],
  ])("of %s costs linear time", (_, make) => {
    expect(growthOf(make, 64 * 1024, (text) => readLeakedCalls(text, SAMPLE_TOOLS))).toBeLessThan(LINEAR);
    expect(growthOf(make, 64 * 1024, (text) => parseTextToolCalls(text, SAMPLE_TOOLS))).toBeLessThan(LINEAR);
    const live = (text: string) => {
      const filter = createMarkupFilter(SAMPLE_TOOLS);
      for (let at = 0; at < text.length; at += 16) filter.push(text.slice(at, at + 16));
      return filter.end();
    };
    expect(growthOf(make, 16 * 1024, live)).toBeLessThan(LINEAR);
  });
});

test("memory is given back: 40 texts of 10 MB leave less than four of them behind", () => {
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const pass = () => {
    readRawArguments(`{'a': '${"x".repeat(MB10)}'}`);
    readLeakedCalls(`<tool_call>{"name":"store","arguments":{"key":"${"x".repeat(MB10)}`, SAMPLE_TOOLS);
  };
  pass();
  const before = used();
  for (let i = 0; i < 20; i++) pass();
  let after = used();
  // The collector runs when it must: what is left at the best of several looks is what is held.
  for (let i = 0; i < 20 && after - before > 4 * MB10; i++) {
    pass();
    after = Math.min(after, used());
  }
  expect(after - before).toBeLessThan(4 * MB10);
});
