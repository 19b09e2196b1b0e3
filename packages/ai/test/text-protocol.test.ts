// The listener of the text protocol: envelopes in document order, prose in place, and an answer for every broken one.
import { describe, expect, it } from "vitest";
import { parseTextToolCalls } from "../src/utils/tool-repair/text-protocol.ts";

const TOOLS = [
  { name: "load", parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
  { name: "save", parameters: { type: "object", properties: { path: { type: "string" }, body: { type: "string" } } } },
];

function read(text: string) {
  const { calls, text: rest, refused } = parseTextToolCalls(text, TOOLS);
  return { calls: calls.map(({ name, arguments: args }) => [name, args]), text: rest, refused };
}

const load = (path = "a") => `<pi:call name="load">{"path":"${path}"}</pi:call>`;

describe("an envelope", () => {
  it.each([
    ["pi:call", load()],
    ["pi:call over several lines", '<pi:call name="load">\n{\n  "path": "a"\n}\n</pi:call>'],
    ["pi:call with single quotes", '<pi:call name=\'load\'>{"path":"a"}</pi:call>'],
    ["pi:call without quotes around the name", '<pi:call name=load>{"path":"a"}</pi:call>'],
    ["pi:call whose object names the tool", '<pi:call>{"name":"load","arguments":{"path":"a"}}</pi:call>'],
    ["pi:call with more attributes", '<pi:call id="1" name="load" index=\'0\'>{"path":"a"}</pi:call>'],
    ["pi:call with another name for the tool", '<pi:call name="functions.Load">{"path":"a"}</pi:call>'],
    [
      "pi:call around a tool_call",
      '<pi:call name="load"><tool_call>{"name":"load","arguments":{"path":"a"}}</tool_call></pi:call>',
    ],
    ["pi:call whose JSON is lenient", "<pi:call name=\"load\">{path: 'a',}</pi:call>"],
    ["pi:call with a fence around the JSON", '<pi:call name="load">```json\n{"path":"a"}\n```</pi:call>'],
    ["tool_call with arguments", '<tool_call>{"name":"load","arguments":{"path":"a"}}</tool_call>'],
    ["tool_call with parameters", '<tool_call>\n{"name":"load","parameters":{"path":"a"}}\n</tool_call>'],
    ["tool_call with encoded arguments", '<tool_call>{"name":"load","arguments":"{\\"path\\":\\"a\\"}"}</tool_call>'],
    ["a fence tagged tool", '```tool\n{"name":"load","arguments":{"path":"a"}}\n```'],
    ["a fence tagged tool_call", '```tool_call\n{"name":"load","arguments":{"path":"a"}}\n```\n'],
  ])("is read: %s", (_, text) => {
    expect(read(text)).toMatchObject({ calls: [["load", { path: "a" }]], refused: [] });
    expect(read(text).text.trim()).toBe("");
  });

  it("may hold every envelope as text in its JSON", () => {
    const body = `${load()} </pi:call> <tool_call>{"name":"load"}</tool_call> \`\`\`tool`;
    const text = `<pi:call name="save">${JSON.stringify({ path: "x", body })}</pi:call>`;
    expect(read(text)).toEqual({ calls: [["save", { path: "x", body }]], text: "", refused: [] });
  });

  it.each([
    ["in single quotes", "<pi:call name=\"save\">{'path':'x','body':'BODY'}</pi:call>"],
    ["over lines", '<pi:call name="save">{"path":"x","body":"BODY"}</pi:call>'],
    ["of a tool_call", '<tool_call>{"name":"save","arguments":{"path":"x","body":"BODY"}}</tool_call>'],
    [
      "of a tool_call in single quotes",
      "<tool_call>{'name':'save','arguments':{'path':'x','body':'BODY'}}</tool_call>",
    ],
    ["of a fence", '```tool\n{"name":"save","arguments":{"path":"x","body":"BODY"}}\n```'],
    ["of a fence in single quotes", "```tool\n{'name':'save','arguments':{'path':'x','body':'BODY'}}\n```"],
  ])("has a string that may hold every close tag, %s", (_, text) => {
    const body = "a\n</pi:call> b\n</tool_call> c\n```\nd";
    expect(read(text.replace("BODY", body))).toEqual({ calls: [["save", { path: "x", body }]], text: "", refused: [] });
  });

  it("is not read at all where an inner quote may end its string before a close tag", () => {
    const { calls, refused } = read('<pi:call name="save">{"path":"x","body":"say "hi" </pi:call> x"}</pi:call>');
    expect(calls).toEqual([]);
    expect(refused).toMatchObject([{ reason: "malformed", name: "save" }]);
  });

  it("may be empty", () => {
    expect(read('<pi:call name="save"></pi:call><pi:call name="save"/>').calls).toEqual([
      ["save", {}],
      ["save", {}],
    ]);
  });
});

describe("several envelopes", () => {
  it("are read in document order, prose stays in place", () => {
    const text = `First ${load("1")} then\n<tool_call>{"name":"save","arguments":{"path":"2"}}</tool_call>\nand ${load("3")}.`;
    expect(read(text)).toEqual({
      calls: [
        ["load", { path: "1" }],
        ["save", { path: "2" }],
        ["load", { path: "3" }],
      ],
      text: "First  then\nand .",
      refused: [],
    });
  });

  it("stand where their ranges say", () => {
    const text = `a ${load("1")} b ${load("2")}`;
    const ranges = parseTextToolCalls(text, TOOLS).calls.map(({ range }) => text.slice(range.start, range.end));
    expect(ranges).toEqual([load("1"), load("2")]);
  });
});

describe("a refused envelope", () => {
  it("names the tools there are when its own is unknown", () => {
    const { calls, refused, text } = read('<pi:call name="fly">{"path":"a"}</pi:call> Done.');
    expect(calls).toEqual([]);
    expect(refused).toMatchObject([{ reason: "unknown-tool", name: "fly" }]);
    expect(refused[0]?.message).toContain("load, save");
    expect(text).toBe(" Done.");
  });

  it.each([
    ["in its JSON", 'Now <pi:call name="load">{"path":"a'],
    ["before its close tag", 'Now <pi:call name="load">{"path":"a"}'],
    ["in its close tag", 'Now <pi:call name="load">{"path":"a"}</pi:ca'],
    ["in its opening tag", 'Now <pi:call name="lo'],
    ["as a tool_call", 'Now <tool_call>{"name":"load","arguments":{"path":"a'],
    ["as a fence", 'Now\n```tool\n{"name":"load","arguments":{"path":"a"'],
  ])("was cut %s", (_, text) => {
    const got = read(text);
    expect(got.calls).toEqual([]);
    expect(got.refused).toMatchObject([{ reason: "truncated" }]);
    expect(got.refused[0]?.message).toContain("cut off");
    expect(got.text.trim()).toBe("Now");
  });

  it("is told apart from those around it, which are read in their places", () => {
    const text = `A ${load("1")} B <pi:call name="fly">{}</pi:call> C <pi:call name="load">{"path":</pi:call> D ${load("2")} E`;
    expect(read(text)).toMatchObject({
      calls: [
        ["load", { path: "1" }],
        ["load", { path: "2" }],
      ],
      refused: [
        { reason: "unknown-tool", name: "fly" },
        { reason: "truncated", name: "load" },
      ],
      text: "A  B  C  D  E",
    });
  });

  it.each([
    ["two objects", '<pi:call name="load">{"path":"a"}{"path":"b"}</pi:call>'],
    ["words between two objects", '<pi:call name="load">{"path":"a"} or {"path":"b"}</pi:call>'],
    ["a key twice", '<pi:call name="load">{"path":"a","path":"b"}</pi:call>'],
  ])("holds %s, of which none is picked", (_, text) => {
    expect(read(text)).toMatchObject({ calls: [], refused: [{ reason: "malformed", name: "load" }] });
  });

  it("that is cut does not lose the next one", () => {
    expect(read(`<pi:call name="load">{"path":"a\n${load("b")}`)).toMatchObject({
      calls: [["load", { path: "b" }]],
      refused: [{ reason: "truncated", name: "load" }],
    });
  });

  it.each([
    ["holds prose", '<pi:call name="load">the file a</pi:call>'],
    ["holds a list", '<pi:call name="load">["a"]</pi:call>'],
    ["names its tool in another attribute", '<pi:call tool="load">{"path":"a"}</pi:call>'],
    ["has no name", '<tool_call>{"arguments":{"path":"a"}}</tool_call>'],
  ])("%s", (_, text) => {
    expect(read(text)).toMatchObject({ calls: [], refused: [{ reason: "malformed" }], text: "" });
  });

  it("quotes nothing of a name that is no name", () => {
    const { refused } = read(`<pi:call name="a'&$(x) ${"b".repeat(99)}">{"path":</pi:call>`);
    expect(refused[0]?.message).not.toMatch(/[&$']/);
    expect(refused[0]?.message.length).toBeLessThan(300);
  });
});

describe("behind an invisible character", () => {
  it.each([
    load(),
    '```tool\n{"name":"load","arguments":{"path":"a"}}\n```',
    `<think>I could send ${load("b")}</think>\n${load()}`,
  ])("an envelope is read: %j", (text) => {
    for (const lead of ["\ufeff", "\u200b"]) expect(read(lead + text).calls).toEqual([["load", { path: "a" }]]);
  });
});

describe("text that is no envelope stays", () => {
  it.each([
    `\`\`\`\n${load()}\n\`\`\``,
    `Write \`${load()}\` to load a file.`,
    `> ${load()}`,
    `As in "${load()}" above.`,
    "The <tool_call> tag, the <pi:caller> tag and <pi:call without a name.",
    '```json\n{"name":"load","arguments":{"path":"a"}}\n```',
    '{"name":"load","arguments":{"path":"a"}}',
    "<function=load><parameter=path>a</parameter></function>",
    `It holds:\n----\n${load()}\n----\nI did not send it.`,
    `The post: [code]${load()}[/code]`,
    `\\begin{verbatim}\n${load()}\n\\end{verbatim}\nThat is all.`,
    `def f():\n"""Example.\n\n${load()}\n"""\nThat is all.`,
  ])("%j", (text) => {
    expect(read(text)).toEqual({ calls: [], text, refused: [] });
  });

  it.each([
    ["in a think block", `<think>I could send ${load()}</think>`],
    ["in a block of another tag", `<thinking>Perhaps\n${load()}\nor not.</thinking>\n`],
    ["in a block between brackets", `[THINK]Perhaps\n${load()}[/THINK]`],
    ["in reasoning whose start the prompt held", `I could send\n${load()}\nor not.\n</think>\n\n`],
    ["cut, in reasoning whose start the prompt held", '<pi:call name="fly">{}</pi:call>\n</think>\n\n'],
  ])("%s", (_, reasoning) => {
    expect(read(`${reasoning}${load("b")}`)).toEqual({
      calls: [["load", { path: "b" }]],
      text: reasoning,
      refused: [],
    });
    expect(read(`${reasoning}I do not.`)).toMatchObject({ calls: [], refused: [] });
  });

  it("in reasoning that does not end", () => {
    const text = `<think>I could send\n${load()}\nor not.`;
    expect(read(text)).toEqual({ calls: [], text, refused: [] });
  });

  it("but for a tag of reasoning that a call holds as text", () => {
    const args = { path: "x", body: "a\n</think>\n<think>\nb" };
    const text = `<pi:call name="save">${JSON.stringify(args)}</pi:call>\n${load()}`;
    expect(read(text).calls).toEqual([
      ["save", args],
      ["load", { path: "a" }],
    ]);
    expect(read(`The tag \`</think>\` ends it.\n${load()}`).calls).toHaveLength(1);
    expect(read(`${load()}\nThe tag "</think>" ends it.`).calls).toHaveLength(1);
  });
});

describe("an envelope whose sentence goes on behind it", () => {
  const refuse = (text: string) => parseTextToolCalls(text, TOOLS, { mentions: "refuse" });

  it.each([
    `You would send ${load()} like this.`,
    `You would send ${load()}.`,
    `${load()} loads a file.`,
    `First ${load()}, then wait.`,
  ])("is refused where that is asked for, and stays: %j", (text) => {
    const { calls, refused, text: rest } = refuse(text);
    expect({ calls, rest }).toEqual({ calls: [], rest: text });
    expect(refused).toMatchObject([{ reason: "mentioned", name: "load" }]);
    expect(read(text).calls).toHaveLength(1);
  });

  it.each([
    load(),
    `I load it now: ${load()}`,
    `I load it now: ${load()}.`,
    `I load it. ${load()} Then I wait.`,
    `I load it now:\n${load()}\nthen I wait.`,
    `I load both ${load()} ${load()}`,
    `${load()}</s>`,
    `${load()}<|im_end|>`,
  ])("is made where it ends there: %j", (text) => {
    expect(refuse(text)).toMatchObject({ refused: [] });
    expect(refuse(text).calls.length).toBeGreaterThan(0);
  });
});

it("reads no text beyond the limit", () => {
  expect(parseTextToolCalls(load(), TOOLS, { maxLength: 10 })).toEqual({ calls: [], text: load(), refused: [] });
});
