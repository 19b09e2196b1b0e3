// Texts that look like calls and are none: declarations of tools, patterns of a format, elements of other documents, lines of
// files; and calls of which the text around leaves it open whether they were made.
import { describe, expect, it } from "vitest";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, STORE } from "./family-samples.ts";

const LIST = { name: "list", parameters: { type: "object", properties: { depth: { type: "number" } } } };
const TOOLS = [...SAMPLE_TOOLS, LIST];
const read = (text: string) => readLeakedCalls(text, TOOLS);
const door = (text: string) => readLeakedCalls(text, TOOLS, { trailingText: "refuse" });

const SCHEMA = JSON.stringify(LIST.parameters);

describe("no call, and the text stays", () => {
  it.each([
    ["a declaration", `{"name": "list", "parameters": ${SCHEMA}}`],
    ["a list of declarations", `[{"type": "function", "function": {"name": "list", "parameters": ${SCHEMA}}}]`],
    [
      "declarations in their tag",
      `<tools>\n{"name": "list", "description": "Lists.", "parameters": ${SCHEMA}}\n</tools>`,
    ],
    [
      "a pattern",
      "<tool_call>\n<function=fetch_page>\n<parameter=address>\n{{ address }}\n</parameter>\n</function>\n</tool_call>",
    ],
    ["a pattern in JSON", '<tool_call>{"name": "fetch_page", "arguments": {"address": "<address>"}}</tool_call>'],
    ["an element that closes itself", 'An icon:\n<svg><function name="fetch_page"/></svg>'],
    ["a declared parameter", '<function name="fetch_page"><param name="address" type="string"/></function>'],
    [
      "a tool fence in an example",
      '<example>\n```tool\n{"name": "fetch_page", "arguments": {"address": "a"}}\n```\n</example>',
    ],
    ["what strikes out", "It was <s>old</s>"],
  ])("is %s", (_, text) => {
    for (const got of [read(text), door(text)]) expect(got).toMatchObject({ calls: [], text });
  });

  it("is a list that shows a call in its items", () => {
    const text =
      '- <|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "fetch_page", "arguments": {"address": "a"}}';
    expect(read(text)).toMatchObject({ calls: [], text });
  });

  it("is a string with a header of a message", () => {
    const text =
      'text = "<|start|>assistant to=functions.list<|channel|>commentary<|message|>{\\"depth\\": 1}<|call|>"';
    expect(door(text)).toMatchObject({ calls: [], text });
  });
});

describe.each(FAMILIES)("a $family call", ({ print, bare }) => {
  const line = print(STORE).replaceAll("\n", " ");

  it("is none in a line that was found in a file", () => {
    const text = `src/parser/a-test.ts:12:  ${line}`;
    if (!print(STORE).includes("\n\n")) expect(door(text)).toMatchObject({ calls: [], text });
  });

  it("is taken out and does not run where a sentence leads to it", () => {
    if (bare) return;
    for (const text of [`The format of the model is ${line}`, `I will now store it, ${line}`]) {
      const got = door(text);
      expect(got.calls).toEqual([]);
      expect(got.refused.every(({ reason }) => reason === "trailing-text")).toBe(true);
      expect(got.refused.length > 0 || got.text === text).toBe(true);
    }
  });

  it("is taken out and does not run where it was announced before another", () => {
    if (bare) return;
    const text = `First: ${line}\nThen: ${print(FETCH).replaceAll("\n", " ")}`;
    const got = door(text);
    expect(got.calls).toEqual([]);
    expect(got.refused.some(({ reason }) => reason === "trailing-text") || got.text === text).toBe(true);
  });
});
