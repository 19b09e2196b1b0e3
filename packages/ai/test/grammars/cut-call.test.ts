// A call that is cut inside a value which shows another call: what is shown there never runs.
import { describe, expect, it } from "vitest";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { parseTextToolCalls } from "../../src/utils/tool-repair/text-protocol.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, STORE } from "./family-samples.ts";

const SHOWN = ["hermes", "qwen coder", "glm", "invoke", "dsml", "kimi", "mistral v11", "harmony", "gemma", "bare list"];
const shownCalls = FAMILIES.filter(({ family }) => SHOWN.includes(family)).map(({ print }) => print(FETCH));

describe.each(FAMILIES.filter(({ bare }) => bare !== true))("a $family call", ({ print }) => {
  it("that is cut in a value makes no call of what the value shows", () => {
    for (const shown of shownCalls) {
      const text = print({ name: STORE.name, args: { key: "k", text: `# Doc\n${shown}\nThe end` } });
      for (let end = 1; end < text.length; end++) {
        const { calls } = readLeakedCalls(text.slice(0, end), SAMPLE_TOOLS);
        expect(
          calls.map(({ name }) => name).filter((name) => name !== STORE.name),
          text.slice(0, end),
        ).toEqual([]);
      }
    }
  });
});

describe("an envelope", () => {
  it.each([
    ["tags", "<tool_call>\n<function=store>\n<parameter=key>\nk\n</parameter>\n<parameter=text>\n"],
    ["keys", "<tool_call>store\n<arg_key>text</arg_key>\n<arg_value>"],
    ["an object", '<tool_call>\n{"name": "store", "arguments": {"text": "'],
    ["a call", '<pi:call name="store">{"text": "'],
  ])("that is cut in %s is answered, and what it shows is not read", (_, open) => {
    for (const shown of [
      '<pi:call name="fetch_page">{"address": "a"}</pi:call>',
      '<tool_call>{"name": "fetch_page", "arguments": {"address": "a"}}</tool_call>',
    ]) {
      const escaped = open.endsWith('"') ? shown.replaceAll('"', '\\"') : shown;
      const { calls, refused } = parseTextToolCalls(`On it.\n${open}See:\n${escaped}\nThe e`, SAMPLE_TOOLS);
      expect(calls).toEqual([]);
      expect(refused.length).toBeGreaterThan(0);
    }
  });
});

describe("a call behind one that cannot be read", () => {
  const good = '<tool_call>{"name": "fetch_page", "arguments": {"address": "a"}}</tool_call>';

  it.each([
    ["that has its end", `<tool_call>\n<function=store>\n<oops>\n</function>\n</tool_call>\n${good}`],
    ["whose JSON is broken", `<tool_call>{"name": "store", "arguments": {"key" "a"}}</tool_call>\n${good}`],
    ["to a tool that nobody has", `<tool_call>\n<function=other>\n<parameter=a>\n${good}`],
    ["that is only an opener", `<tool_call>\n[TOOL_CALLS]fetch_page[ARGS]{"address": "a"}`],
  ])("is one: %s", (_, text) => {
    expect(readLeakedCalls(text, SAMPLE_TOOLS).calls).toMatchObject([{ name: "fetch_page" }]);
  });

  it("is stripped of its markers with the cut one around it, and does not run", () => {
    const text = `Writing.\n<tool_call>\n<function=store>\n<parameter=text>\nUse this:\n${good}`;
    const got = readLeakedCalls(text, SAMPLE_TOOLS, { trailingText: "refuse" });
    expect(got).toMatchObject({ calls: [], refused: [{ name: "fetch_page", reason: "quoted" }] });
    expect(got.text).not.toContain("tool_call");
  });
});
