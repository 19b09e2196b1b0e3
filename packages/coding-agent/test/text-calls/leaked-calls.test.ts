// Calls that a model printed as text, through the real pi: what runs, what the next request says, what the session keeps.
import { describe, expect, it } from "vitest";
import type { ScriptedCall } from "../support/door.ts";
import { type LeakRun, leakRun, wireText } from "./support/leak-run.ts";
import { FAMILY_NAMES, printed } from "./support/printed-calls.ts";

const READ: ScriptedCall = { id: "call_r", name: "read", arguments: '{"path":"list.txt"}' };
const LIST = { "list.txt": "one\n" };
const MARKUP = /tool_call|TOOL_CALLS|tool▁call|DSML|invoke|arg_key|functions\.|parameter=/;

function toldBy(run: LeakRun): string[] {
  return run.entries.flatMap(({ type, customType, content }) =>
    type === "custom_message" && customType === "pi-mend-text-call" ? [content ?? ""] : [],
  );
}

describe("in profile recover", () => {
  it("a call printed by any of ten families runs, and the conversation goes on as if it had been a native one", async () => {
    const turns = FAMILY_NAMES.map((family) => ({ text: `Writing.\n\n${printed(family, `${family}.txt`, "hello")}` }));
    const run = await leakRun({ settings: { profile: "recover" }, turns });
    expect(run.code).toBe(0);
    expect([...run.files.keys()].sort()).toEqual(FAMILY_NAMES.map((family) => `${family}.txt`).sort());
    expect(new Set(run.files.values())).toEqual(new Set(["hello"]));
    expect(run.requests).toHaveLength(FAMILY_NAMES.length + 1);
    const [, ...history] = run.requests.at(-1) ?? [];
    for (const [index, family] of FAMILY_NAMES.entries()) {
      const [assistant, result] = history.slice(index * 2);
      expect(assistant?.tool_calls?.map((call) => call.function.name)).toEqual(["write"]);
      expect(JSON.parse(assistant?.tool_calls?.[0]?.function.arguments ?? "")).toEqual({
        path: `${family}.txt`,
        content: "hello",
      });
      expect(wireText(assistant).trim()).toBe("Writing.");
      expect(result).toMatchObject({ role: "tool", tool_call_id: assistant?.tool_calls?.[0]?.id });
      const block = run.stored[index]?.find(({ type }) => type === "toolCall");
      expect(block?.repair?.names).toEqual(["leakedCallRecovered"]);
      expect(printed(family, `${family}.txt`, "hello")).toContain(block?.repair?.original);
    }
    const ids = history.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
    expect(new Set(ids).size).toBe(FAMILY_NAMES.length);
    expect(toldBy(run)).toEqual([]);
  });

  it("arguments of the wrong shape are repaired on the way", async () => {
    const text = '<tool_call>\n{"name": "read", "arguments": {"path": "list.txt", "limit": "1"}}\n</tool_call>';
    const run = await leakRun({ settings: { profile: "recover" }, files: LIST, turns: [{ text }] });
    expect(run.stored[0]).toMatchObject([
      { type: "toolCall", name: "read", arguments: { path: "list.txt", limit: 1 } },
    ]);
    expect(wireText(run.requests[1]?.at(-1))).toContain("one");
  });

  it("several calls of one message run in their order", async () => {
    const text = `${printed("hermes", "a.txt", "1")}\n${printed("hermes", "b.txt", "2")}`;
    const run = await leakRun({ settings: { profile: "recover" }, turns: [{ text }] });
    expect(run.files).toEqual(
      new Map([
        ["a.txt", "1"],
        ["b.txt", "2"],
      ]),
    );
  });

  it("a shadow of a native call is taken out, and the call runs once", async () => {
    const args = '{"command":"echo x >> count.txt"}';
    const text = `Counting.\n<tool_call>\n{"name": "bash", "arguments": ${args}}\n</tool_call>`;
    const calls = [{ id: "call_a", name: "bash", arguments: args }];
    const run = await leakRun({ settings: { profile: "recover" }, turns: [{ text, calls }] });
    expect(run.files.get("count.txt")).toBe("x\n");
    expect(run.stored[0]?.filter(({ type }) => type === "toolCall")).toHaveLength(1);
    expect(run.stored[0]?.[0]?.text?.trim()).toBe("Counting.");
    expect(toldBy(run)).toEqual([]);
  });

  it.each([
    ["the answer was cut off", { finish: "length" }, printed("hermes", "a.txt", "1"), {}],
    ["text follows it", {}, `${printed("hermes", "a.txt", "1")}\nThat was the call.`, {}],
    ["its tool is not allowed to", {}, printed("hermes", "a.txt", "1"), { recoverTools: ["read"] }],
    ["an argument is missing", {}, '<tool_call>\n{"name": "write", "arguments": {"path": "a.txt"}}\n</tool_call>', {}],
    [
      "the model wrote the result of one itself",
      {},
      `${printed("hermes", "a.txt", "1")}\n<tool_response>\nok\n</tool_response>\n${printed("hermes", "b.txt", "2")}`,
      {},
    ],
    ["its JSON does not end", {}, '<tool_call>\n{"name": "write", "arguments": {"path": "a.txt", "con', {}],
  ])("no call runs when %s, and the run goes on with a line about it", async (_, turn, text, settings) => {
    const run = await leakRun({ settings: { profile: "recover", ...settings }, turns: [{ ...turn, text }] });
    expect([...run.files.keys()]).toEqual([]);
    expect(run.requests).toHaveLength(2);
    expect(toldBy(run)).toHaveLength(1);
    expect(wireText(run.requests[1]?.at(-1))).toBe(toldBy(run)[0]);
    expect(toldBy(run)[0]).toMatch(/printed a tool call .*as text.*native tool call/);
  });

  it("a call to a tool that is switched off does not run", async () => {
    const before = `export default (pi) => pi.on("session_start", () => pi.setActiveTools(["read"]));`;
    const text = printed("hermes", "a.txt", "1");
    const run = await leakRun({ settings: { profile: "recover" }, turns: [{ text }], before });
    expect(run.declared[0]).toEqual(["read"]);
    expect([...run.files.keys()]).toEqual([]);
    expect(toldBy(run)[0]).toContain("does not exist");
  });

  it("a call that the user wrote does not run when the model repeats it", async () => {
    const call = printed("hermes", "a.txt", "1");
    const prompt = `What would this do?\n${call}`;
    const run = await leakRun({ settings: { profile: "recover" }, turns: [{ text: call }], prompt });
    expect([...run.files.keys()]).toEqual([]);
    expect(run.stored).toEqual([[{ type: "text", text: call }]]);
    expect(toldBy(run)).toEqual([]);
  });

  it("a call to a tool that does not exist is answered", async () => {
    const text = '<tool_call>\n{"name": "launch_rocket", "arguments": {"to": "moon"}}\n</tool_call>';
    const run = await leakRun({ settings: { profile: "recover" }, turns: [{ text }] });
    expect(toldBy(run)[0]).toContain("does not exist");
    expect(toldBy(run)[0]).not.toContain("moon");
  });
});

describe("in profile adaptive", () => {
  it("a call printed by any of ten families is taken out and never runs, and the model hears of it", async () => {
    const turns = FAMILY_NAMES.flatMap((family) => [
      { text: `Writing.\n\n${printed(family, `${family}.txt`, "hello")}` },
      { calls: [READ] },
    ]);
    const run = await leakRun({ files: LIST, turns });
    expect([...run.files.keys()]).toEqual(["list.txt"]);
    expect(run.requests).toHaveLength(FAMILY_NAMES.length * 2 + 1);
    expect(toldBy(run)).toHaveLength(FAMILY_NAMES.length);
    const texts = run.stored.flatMap((blocks) => blocks.flatMap(({ text }) => text ?? []));
    expect(texts.filter((text) => text.trim() === "Writing.")).toHaveLength(FAMILY_NAMES.length);
    expect(texts.join("\n")).not.toMatch(MARKUP);
    expect((run.requests.at(-1) ?? []).map(wireText).join("\n")).not.toMatch(MARKUP);
  });

  it("after two continuations in a row the user is told instead", async () => {
    const turns = ["a", "b", "c", "d"].map((name) => ({ text: printed("hermes", `${name}.txt`, "1") }));
    const run = await leakRun({ turns });
    expect(run.requests).toHaveLength(3);
    expect(toldBy(run)).toHaveLength(2);
    expect(run.stderr).toContain("keeps printing tool calls as text");
  });

  it.each([
    ["a sentence", (call: string) => `You would write ${call} to create the file.`],
    ["an AsciiDoc listing", (call: string) => `The page:\n\n----\n${call}\n----\n\nThat is all.`],
    ["BBCode", (call: string) => `The post:\n[code]\n${call}\n[/code]\nThat is all.`],
    ["a doc string", (call: string) => `def f():\n"""\n${call}\n"""\nThat is all.`],
  ])("a call that %s shows stays byte for byte and ends the run", async (_, show) => {
    const text = show(printed("qwenCoder", "a.txt", "1"));
    const run = await leakRun({ turns: [{ text }] });
    expect(run.requests).toHaveLength(1);
    expect(run.stored).toEqual([[{ type: "text", text }]]);
    expect(run.stdout.trim()).toBe(text);
  });

  it("ordinary text and shown code stay byte for byte and end the run", async () => {
    const text = `Use it so:\n\n\`\`\`xml\n${printed("hermes", "a.txt", "1")}\n\`\`\`\n\nDone.  \n`;
    const run = await leakRun({ turns: [{ text }] });
    expect(run.requests).toHaveLength(1);
    expect(run.stored).toEqual([[{ type: "text", text }]]);
  });
});

describe("in profile conservative", () => {
  it("a printed call is left as it is and the run ends", async () => {
    const text = `Writing.\n${printed("hermes", "a.txt", "1")}`;
    const run = await leakRun({ settings: { profile: "conservative" }, turns: [{ text }] });
    expect(run.requests).toHaveLength(1);
    expect([...run.files.keys()]).toEqual([]);
    expect(run.stored).toEqual([[{ type: "text", text }]]);
    expect(run.stderr).not.toContain("pi-mend");
  });
});

describe("a call that a file holds", () => {
  it.each(["hermes", "qwenCoder", "kimi"])("never runs when the model quotes it: %s", async (family) => {
    const call = printed(family, "owned.txt", "yes");
    const files = { "list.txt": `# Notes\n\n${call}\n` };
    const text = `As the file says:\n\n${call}`;
    const run = await leakRun({ settings: { profile: "recover" }, files, turns: [{ calls: [READ] }, { text }] });
    expect([...run.files.keys()]).toEqual(["list.txt"]);
    // Left as text, and not handed to the model as something to send again.
    expect(run.requests).toHaveLength(2);
    expect(run.stored.at(-1)).toEqual([{ type: "text", text }]);
    expect(toldBy(run)).toEqual([]);
  });
});
