// The cost of looking: linear on hostile texts, whatever opener they repeat.
import { describe, expect, it } from "vitest";
import { createMarkupFilter } from "../../src/utils/tool-repair/grammars/markup-filter.ts";
import { OPENER_TEXTS } from "../../src/utils/tool-repair/grammars/openers.ts";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { parseTextToolCalls } from "../../src/utils/tool-repair/text-protocol.ts";
import { SAMPLE_TOOLS } from "./family-samples.ts";

const SIZE = 64 * 1024;
const BODIES = ["", '{"name":"store","arguments":{"key":"', 'store"><parameter name="key">', "[store(key='"];

function cost(run: (text: string) => unknown, text: string): number {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    // The time of this process: others on the machine do not count.
    const start = process.cpuUsage();
    run(text);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** The growth of the cost from n to 4n, the least of three tries; small costs count as equal, they are noise. */
function growth(run: (text: string) => unknown, chunk: string, size = SIZE): number {
  const text = chunk.repeat(Math.ceil((size * 4) / chunk.length));
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 8; attempt++) {
    const one = cost(run, text.slice(0, size));
    least = Math.min(least, cost(run, text.slice(0, size * 4)) / Math.max(2, one));
  }
  return least;
}

describe("reading is linear", () => {
  it.each(OPENER_TEXTS)("on repetitions of %s", (opener) => {
    for (const body of BODIES) {
      expect(
        growth((text) => readLeakedCalls(text, SAMPLE_TOOLS), opener + body),
        body,
      ).toBeLessThan(11);
    }
  });

  it.each([
    "\n",
    " ",
    "\n    ",
    "> ",
    "`",
    "`` ` ",
    "~~~\n",
    "<",
    "[",
    "{",
    '{"',
    "\n[",
    "\n{",
    "</",
    "<pre>",
    "<code>\n",
    '"""',
    "----\n",
    "[code]",
    "/* ",
    "\\begin{a}",
    "\ufeff",
    "[code]<tool_call>store</tool_call>\n",
    "a <tool_call>store</tool_call> b ",
  ])("on repetitions of %j", (chunk) => {
    for (const tail of ["", "}", "]", "<tool_call>", "</pre>"]) {
      const run = (text: string) => readLeakedCalls(text + tail, SAMPLE_TOOLS);
      expect(growth(run, chunk), tail).toBeLessThan(11);
    }
  });

  it("on many whole calls", () => {
    const call = '<tool_call>{"name":"store","arguments":{"key":"a","text":"b"}}</tool_call>\n';
    const text = call.repeat(4000);
    expect(readLeakedCalls(text, SAMPLE_TOOLS)).toMatchObject({ text: "" });
    expect(readLeakedCalls(text, SAMPLE_TOOLS).calls).toHaveLength(4000);
    expect(growth((part) => readLeakedCalls(part, SAMPLE_TOOLS), call)).toBeLessThan(11);
  });

  it("up to more markup than any message holds; what follows is text", () => {
    const call = '<tool_call>{"name":"store","arguments":{"key":"a"}}</tool_call>\n';
    const { refused, text } = readLeakedCalls(call.repeat(8000), SAMPLE_TOOLS);
    expect(refused.length).toBeGreaterThan(4000);
    expect(refused.length).toBeLessThan(4200);
    expect(refused.filter(({ message }) => message !== undefined).length).toBeLessThan(100);
    expect(text).toContain(call);
    const marks = "a <|im_end|>";
    expect(readLeakedCalls(marks.repeat(20_000), SAMPLE_TOOLS).text).toContain(marks);
  });

  it.each([
    '<pi:call name="store">',
    '<pi:call name="store">{"key":"',
    '<tool_call>{"name":"',
    "```tool\n{",
    '<pi:call name="store">{</pi:call>',
  ])("in the listener, on repetitions of %s", (chunk) => {
    expect(growth((text) => parseTextToolCalls(text, SAMPLE_TOOLS), chunk)).toBeLessThan(11);
  });

  it.each(["<tool_call>", '<tool_call>{"name":"store","arguments":{"key":"', "word ", "</tool_call>", "`<"])(
    "in the live view, on repetitions of %s",
    (chunk) => {
      const run = (text: string) => {
        const filter = createMarkupFilter(SAMPLE_TOOLS);
        for (let at = 0; at < text.length; at += 16) filter.push(text.slice(at, at + 16));
        return filter.end();
      };
      expect(growth(run, chunk)).toBeLessThan(11);
    },
  );
});

it("half markers that end a text cost one look at its lines, however many they are", () => {
  const lines = "word\n\n".repeat(60_000);
  const read = (text: string) => readLeakedCalls(text, SAMPLE_TOOLS);
  const many = "<｜DSML\n\n".repeat(8);
  expect(read(lines + many).text.trimEnd()).toBe(lines.trimEnd());
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 2; attempt++) {
    least = Math.min(least, cost(read, lines + many) / cost(read, `${lines}<｜DSML`));
  }
  expect(least).toBeLessThan(2.5);
});

describe("white space behind an opener is read once", () => {
  const FILLS = [" ", "\t\n", "\\n"];
  const BEHIND = ["", "<tool_name>", "store", 'store{"key":1}'];
  it.each(OPENER_TEXTS)("%s", (opener) => {
    for (const fill of FILLS) {
      for (const behind of BEHIND) {
        const run = (text: string) => {
          readLeakedCalls(opener + behind + text, SAMPLE_TOOLS);
          parseTextToolCalls(opener + behind + text, SAMPLE_TOOLS);
        };
        expect(growth(run, fill, 8 * 1024), JSON.stringify([fill, behind])).toBeLessThan(11);
      }
    }
  });

  it.each(["```tool\n", "```tool\n{", '<pi:call name="store">', "<pi:call "])("in the text protocol, %j", (opener) => {
    for (const fill of [...FILLS, "`", "``` "]) {
      const run = (text: string) => parseTextToolCalls(`${opener}${text}x`, SAMPLE_TOOLS);
      expect(growth(run, fill, 8 * 1024), fill).toBeLessThan(11);
    }
  });
});
