// Ways in which models and servers spell the same call: namespaces, quotes, attribute order, line ends, tokens left behind.
import { describe, expect, it } from "vitest";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, STORE } from "./family-samples.ts";

const LIST = { name: "list", parameters: { type: "object", properties: { depth: { type: "number" } } } };
const TOOLS = [...SAMPLE_TOOLS, LIST];
const door = (text: string) => readLeakedCalls(text, TOOLS, { trailingText: "refuse" });
const VENDOR = ["ant", "ml"].join("");

describe.each(FAMILIES)("a $family call", ({ print }) => {
  it.each(["<|im_end|>", "<|eot_id|>", "\n<|endoftext|>\n", "</s>"])("ends before the end of a turn, %j", (end) => {
    for (const read of [door, (text: string) => readLeakedCalls(text, TOOLS)]) {
      expect(read(`${print(FETCH)}${end}`)).toMatchObject({ calls: [{ name: "fetch_page", arguments: FETCH.args }] });
    }
  });

  it("is the same with line ends of Windows", () => {
    expect(door(print(FETCH).replaceAll("\n", "\r\n")).calls).toMatchObject([{ arguments: FETCH.args }]);
  });

  it("is none of a fence that stands before it", () => {
    const text = `First:\n\`\`\`sh\nls\n\`\`\`\n${print({ ...STORE, args: { key: "a", text: "x ```y``` z" } })}`;
    expect(door(text).calls).toMatchObject([{ arguments: { key: "a", text: "x ```y``` z" } }]);
  });
});

describe("a call", () => {
  it.each([
    [
      "with the vendor's namespace on every tag",
      `<${VENDOR}:function_calls>\n<${VENDOR}:invoke name="fetch_page">\n<${VENDOR}:parameter name="address">a</${VENDOR}:parameter>\n</${VENDOR}:invoke>\n</${VENDOR}:function_calls>`,
    ],
    [
      "with that namespace and no wrapper",
      `<${VENDOR}:invoke name="fetch_page"><${VENDOR}:parameter name="address">a</${VENDOR}:parameter></${VENDOR}:invoke>`,
    ],
    [
      "with another attribute first",
      '<invoke id="1" name="fetch_page"><parameter type="string" name="address">a</parameter></invoke>',
    ],
    ["with single quotes", "<invoke  name='fetch_page'><parameter name='address'>a</parameter></invoke>"],
    [
      "with quotes around assigned names",
      '<tool_call>\n<function="fetch_page">\n<parameter="address">\na\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      "with its opener printed twice",
      '<tool_call>\n<tool_call>\n{"name": "fetch_page", "arguments": {"address": "a"}}\n</tool_call>',
    ],
    [
      "without the token before its role",
      'assistant<|channel|>commentary to=functions.fetch_page<|message|>{"address": "a"}',
    ],
    ["in a fence with line ends of Windows", '```tool\r\n{"name": "fetch_page", "arguments": {"address": "a"}}\r\n```'],
  ])("is read %s", (_, text) => {
    expect(door(text)).toMatchObject({ calls: [{ name: "fetch_page", arguments: { address: "a" } }], text: "" });
  });

  it("keeps a text that quoted names and nested tags surround", () => {
    const body = '{"a": 1} </parameter> and </function>';
    const text = `<tool_call>\n<function="store">\n<parameter="key">\nk\n</parameter>\n<parameter="text">\n${body}\n</parameter>\n</function>\n</tool_call>`;
    expect(door(text).calls).toMatchObject([{ arguments: { key: "k", text: body } }]);
  });

  it.each(["<tool_call>\n<function=list>\n</tool_call>", "<tool_call>\nlist\n</tool_call>"])(
    "has no arguments where none are needed: %j",
    (text) => {
      expect(door(text)).toMatchObject({ calls: [{ name: "list", arguments: {} }], text: "" });
    },
  );

  it.each([
    '<tool_call>\n{"name": "store", "arguments": {"key": "a", "text": "b"}\n</tool_call>',
    '<tool_call>\n{"name": "store", "arguments": {"key": "a", "key": "b", "text": "c"}}\n</tool_call>',
  ])("whose object cannot be read is markup, and is refused: %j", (text) => {
    expect(door(`Storing.\n${text}`)).toMatchObject({
      calls: [],
      text: "Storing.\n",
      refused: [{ name: "store", reason: "unreadable" }],
    });
  });
});
