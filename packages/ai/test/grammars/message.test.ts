// What a whole message comes to: reasoning apart, markers of cut calls gone, every other character as it was.
import { describe, expect, it } from "vitest";
import { CodeMask } from "../../src/utils/tool-repair/code-mask.ts";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FETCH, SAMPLE_TOOLS } from "./family-samples.ts";

const CALL = `<tool_call>${JSON.stringify({ name: FETCH.name, arguments: FETCH.args })}</tool_call>`;
const KIMI = `<|tool_calls_section_begin|><|tool_call_begin|>functions.fetch_page:0<|tool_call_argument_begin|>${JSON.stringify(FETCH.args)}<|tool_call_end|><|tool_calls_section_end|>`;
const read = (message: Parameters<typeof readLeakedCalls>[0]) => readLeakedCalls(message, SAMPLE_TOOLS);

describe("reasoning", () => {
  it.each([
    ["a block in the text", `<think>\nI could send ${CALL} now\n</think>\nNo need.`],
    ["a block whose start the prompt held", `I could send ${CALL} now\n</think>\n\nNo need.`],
    ["a bracketed block", `[THINK]I could send ${CALL} now[/THINK]\nNo need.`],
  ])("in %s quotes calls and leaves the text", (_, text) => {
    const got = read(text);
    expect(got.calls).toEqual([]);
    expect(got.text.trim()).toBe("No need.");
    expect(got.thinking).toContain(CALL);
  });

  it("before a call is no part of the text", () => {
    const got = read(`Fetch it.</think>\n\nLooking.\n${CALL}`);
    expect(got).toMatchObject({ thinking: "Fetch it.", text: "Looking.\n" });
    expect(got.calls).toHaveLength(1);
  });

  it("that ends in a call, with no other text, made the call", () => {
    const got = read({ thinking: `I need the page.${KIMI}`, content: "" });
    expect(got).toMatchObject({ thinking: "I need the page.", calls: [{ name: "fetch_page", part: "thinking" }] });
    expect(read(`<think>I need the page.${KIMI}`)).toMatchObject({ thinking: "I need the page.", text: "" });
  });

  it.each([
    ["text follows the call in it", { thinking: `${CALL} is what the page says.`, content: "" }],
    ["the message has text", { thinking: `I need the page.${CALL}`, content: "Done." }],
    ["the message has a call", { thinking: `Maybe ${KIMI}`, content: CALL }],
  ])("makes no call when %s", (_, message) => {
    expect(read(message).calls.filter(({ part }) => part === "thinking")).toEqual([]);
  });

  it("is not what a sentence about its tag says", () => {
    const text = "The tag </think> ends the block, and <think> begins it.";
    expect(read(text)).toMatchObject({ text, thinking: "" });
  });
});

describe("markers without a call", () => {
  it.each([
    ["an opener at the end", "I read it now:\n<tool_call>", "I read it now:\n"],
    ["a half opener at the end", "I read it now:\n<|tool_calls_sect", "I read it now:\n"],
    ["half of a DSML tag", "I read it now:\n<｜DSML｜tool_ca", "I read it now:\n"],
    ["an end tag at the end", "done</function_calls>", "done"],
    ["a token of the chat format at the end", "All is well.<|eot_id|>", "All is well."],
    ["the header of a channel", "<|channel|>final<|message|>All is well.", "All is well."],
    ["tokens around the text", "<|START_RESPONSE|>All is well.<|END_RESPONSE|>", "All is well."],
    [
      "tags of a cut call",
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="fetch_page">\n<｜DSML｜parameter name="address" string="true">docs',
      "docs",
    ],
  ])("go: %s", (_, text, rest) => {
    expect(read(text)).toMatchObject({ calls: [], text: rest });
  });

  it.each([
    "Use `<tool_call>` and `</tool_call>` around it.",
    "The parser looks for <tool_call> and reads on.",
    "if (a < b && c > d) return list[0];",
    "A <functional> style, <tools> and <T extends Tool>.",
    "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> fetch_page\n",
    "````text\nsee <｜DSML｜invoke name=\n````",
    '{"name": "fetch_page"}',
    '{"name": "fetch_page", "arguments": "the page that I mean"}',
    '{"name": "fetch_page", "arguments": {"address": "a"}, "expected": true}',
    'Run fetch_page(address="a") yourself.',
    "See [fetch_page](docs/fetch.md) and [store(key)] for more.",
  ])("stay where they are text: %s", (text) => {
    expect(read(text).text).toBe(text);
    expect(read(text).calls).toEqual([]);
  });
});

describe("the text that remains", () => {
  it("is byte for byte what stood around the calls on a line", () => {
    expect(read(`a  ${CALL} b\t${CALL}  c`).text).toBe("a   b\t  c");
  });

  it("loses the line breaks that only the call's own lines needed", () => {
    expect(read(`first\n\n${CALL}\n\nsecond`).text).toBe("first\n\nsecond");
    expect(read(`${CALL}\nsecond\n`).text).toBe("second\n");
  });

  it("is the same string when there is nothing to take out", () => {
    const text = "Nothing here, not even a <div>.";
    expect(read(text).text).toBe(text);
  });
});

describe("CodeMask", () => {
  const inCode = (text: string) => new CodeMask(text).codeEnd(text.indexOf("X")) > text.indexOf("X");
  it.each([
    ["~~~\n```\nX", true],
    ["````\n```\nX\n````", true],
    ["```\na\n```\nX", false],
    ["``` a ``` X", false],
    ["`` a ` X ``", true],
    ["` a\n\nX `", false],
    ["text\n    X", false],
    ["text\n\n    X", true],
    ["    X\n    y", false],
    ["a > X", false],
    ["<code>X</code>", true],
    ["<code>a</code> X", false],
    [">>> X", true],
    [">>>X", false],
  ])("knows whether %j is code", (text, expected) => {
    expect(inCode(text)).toBe(expected);
  });

  it("does not count a fence inside a call that was jumped over", () => {
    const text = "call ``` end X";
    const mask = new CodeMask(text);
    mask.skip(text.indexOf("end"));
    expect(mask.codeEnd(text.indexOf("X"))).toBe(-1);
  });
});
