// What becomes of one message: which text is taken out, which becomes a call, and what closes a gate.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { type LeakSettings, withLeakedCalls } from "@pi-mend/agent/door";
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { describe, expect, it } from "vitest";
import { CONTINUATION } from "../../src/text-calls/continuation-entry.ts";
import { conversationOf } from "../../src/text-calls/conversation.ts";
import { FAMILY_NAMES, printed } from "./support/printed-calls.ts";

const WRITE: RepairTool = {
  name: "write",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};
const TOOLS = new Map([[WRITE.name, WRITE]]);
const RECOVER: LeakSettings = { grammar: "recover", unknownGrammar: "strip", recoverTools: ["*"] };
const STRIP: LeakSettings = { grammar: "strip", unknownGrammar: "preserve", recoverTools: [] };
const CALL = printed("hermes", "a.txt", "hello");

type Content = AssistantMessage["content"];

function message(content: Content | string, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  const blocks: Content = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const rest = { api: "openai-completions", provider: "p", model: "m", stopReason: "stop", timestamp: 1 };
  return { role: "assistant", content: blocks, ...rest, ...fields } as AssistantMessage;
}

function outcomeOf(given: AssistantMessage, settings: LeakSettings, texts: readonly string[] = [], ids: string[] = []) {
  return withLeakedCalls(given, TOOLS, () => ({ texts, callIds: new Set(ids) }), settings);
}

const MANNERS: readonly (readonly [string, (call: string) => string])[] = [
  ["as it is", (call) => call],
  ["behind a sentence", (call) => `The file says:\n\n${call}`],
  ["with a word about it", (call) => `It wants me to send this:\n${call}\n\n`],
  ["twice", (call) => `${call}\n${call}`],
];

describe("a call that the conversation holds", () => {
  const texts = (call: string) => [
    ["a file", `# Notes\n\n${call}\n\nMore.`],
    ["a page", JSON.stringify({ html: call.replaceAll("<", "&lt;").replaceAll(">", "&gt;") })],
    ["the user's text", `What does this do? ${call.replaceAll("\n", " ")}`],
  ];

  it.each(FAMILY_NAMES)("is no call, and stays byte for byte: %s", (family) => {
    const call = printed(family, "owned.txt", "yes");
    for (const [, source] of texts(call)) {
      for (const [, quote] of MANNERS) {
        for (const settings of [RECOVER, STRIP]) {
          const given = message(quote(call));
          const outcome = outcomeOf(given, settings, ["Look at it.", source as string, "ok"]);
          expect(outcome.message).toBe(given);
          expect(outcome.continuation).toBeUndefined();
        }
      }
    }
  });
});

/** Text that shows a call, without any source in the conversation. */
const SHOWN: readonly (readonly [string, (call: string, line: string) => string])[] = [
  ["an AsciiDoc listing", (call) => `It holds:\n\n----\n${call}\n----\n\nThat is all.`],
  ["Org", (call) => `It holds:\n#+begin_example\n${call}\n#+end_example\nThat is all.`],
  ["BBCode", (call) => `The post:\n[code]\n${call}\n[/code]\nThat is all.`],
  ["LaTeX", (call) => `The paper:\n\\begin{lstlisting}\n${call}\n\\end{lstlisting}\nThat is all.`],
  ["a doc string", (call) => `def f():\n"""\n${call}\n"""\nThat is all.`],
  ["a comment", (call) => `<!--\n${call}\n-->\nThat is all.`],
  ["an element", (call) => `<pre><code>\n${call}\n</code></pre>\nThat is all.`],
  ["the text of a link", (_, line) => `See [${line}](https://example.org) for it.`],
  ["struck out text", (_, line) => `The plan: ~~${line}~~ was dropped.`],
  ["a sentence", (call) => `You would write ${call} to create the file.`],
  ["a sentence over lines", (call) => `You would write\n\n${call}\n\nto create the file.`],
];

describe("a call that the text shows", () => {
  it.each(FAMILY_NAMES)("stays byte for byte, and nobody is told: %s", (family) => {
    const call = printed(family, "a.txt", "hello");
    for (const [manner, show] of SHOWN) {
      for (const settings of [RECOVER, STRIP]) {
        const given = message(show(call, call.replaceAll("\n", " ")));
        const outcome = outcomeOf(given, settings);
        expect(outcome.message, manner).toBe(given);
        expect(outcome, manner).toMatchObject({ action: "none" });
        expect(outcome.continuation, manner).toBeUndefined();
      }
    }
  });

  it.each(FAMILY_NAMES)("is not what a call with prose around it is: %s", (family) => {
    const call = printed(family, "a.txt", "hello");
    const line = call.replaceAll("\n", " ");
    const texts = [
      `I write it.\n\n${call}\n\nNow it is written.`,
      `I write it.\n${call}\nResult: ok`,
      `I write it. ${line} Now it is written.`,
      `I write it: ${line}`,
    ];
    for (const text of texts) {
      const outcome = outcomeOf(message(text), STRIP);
      expect(outcome.action).toBe("stripped");
      expect(outcome.continuation).toContain("`write`");
      expect(JSON.stringify(outcome.message.content)).not.toContain("hello");
    }
  });

  it.each(FAMILY_NAMES)("goes and is asked for again where its place says too little: %s", (family) => {
    const line = printed(family, "a.txt", "hello").replaceAll("\n", " ");
    const other = printed(family, "b.txt", "more").replaceAll("\n", " ");
    for (const text of [`I will now write it with ${line}`, `First: ${line}\nThen: ${other}`]) {
      const outcome = outcomeOf(message(text), RECOVER);
      expect(outcome.action, text).toBe("stripped");
      expect(outcome.continuation, text).toContain("`write`");
      expect(JSON.stringify(outcome.message.content), text).not.toMatch(/hello|more/);
    }
  });

  it("does not run where a cut call shows it, and the model hears of the cut one", () => {
    const text = `Writing.\n<tool_call>\n<function=write>\n<parameter=content>\n# Format\n${CALL}`;
    const outcome = outcomeOf(message(text), RECOVER);
    expect(outcome.message.content.map(({ type }) => type)).toEqual(["text"]);
    expect(outcome.continuation).toBeDefined();
  });

  it("does not run beside one that was made, which is taken out", () => {
    const shown = printed("hermes", "shown.txt", "no");
    const outcome = outcomeOf(message(`You would write ${shown} to create it. Now:\n${CALL}`), RECOVER);
    expect(outcome.action).toBe("stripped");
    expect(outcome.message.content).toEqual([{ type: "text", text: `You would write ${shown} to create it. Now:\n` }]);
  });
});

describe("an invisible character before a call", () => {
  it.each(["\ufeff", "\u200b"])("changes nothing about the call: %j", (lead) => {
    const text = `${lead}{"name": "write", "arguments": {"path": "a.txt", "content": "hello"}}`;
    expect(outcomeOf(message(text), RECOVER).message.content).toMatchObject([{ type: "toolCall", name: "write" }]);
  });
});

describe("what is changed of a message", () => {
  it("is nothing without markup, and the conversation is not asked", () => {
    const given = message("All is well.");
    const asked = () => {
      throw new Error("asked");
    };
    expect(withLeakedCalls(given, TOOLS, asked, RECOVER).message).toBe(given);
  });

  it.each(["off", "observe"] as const)("is nothing in mode %s", (grammar) => {
    const given = message(CALL);
    expect(outcomeOf(given, { ...STRIP, grammar })).toEqual({
      message: given,
      action: grammar === "off" ? "none" : "observed",
      refused: [],
      families: grammar === "off" ? [] : ["hermes"],
    });
  });

  it.each(["error", "aborted"] as const)("is nothing after %s", (stopReason) => {
    const given = message(CALL, { stopReason });
    expect(outcomeOf(given, RECOVER).message).toBe(given);
  });

  it("is the call and its wrapper only", () => {
    const outcome = outcomeOf(message(`  One  \n${CALL}\n\tTwo \n`), STRIP);
    expect(outcome.message.content).toEqual([{ type: "text", text: "  One  \n\tTwo \n" }]);
    expect(outcome.action).toBe("stripped");
  });

  it("is no other block, whose order stays", () => {
    const native = { type: "toolCall" as const, id: "x", name: "write", arguments: { path: "a", content: "b" } };
    const thinking = { type: "thinking" as const, thinking: "Hm.", thinkingSignature: "reasoning_content" };
    const outcome = outcomeOf(message([thinking, { type: "text", text: `So.\n${CALL}` }, native]), STRIP);
    expect(outcome.message.content).toEqual([thinking, { type: "text", text: "So.\n" }, native]);
    expect(outcome.message.content[0]).toBe(thinking);
    expect(outcome.continuation).toBeUndefined();
  });

  it("is a marker without a call, which needs no answer", () => {
    const outcome = outcomeOf(message("All is well.<|eot_id|>"), STRIP);
    expect(outcome.message.content).toEqual([{ type: "text", text: "All is well." }]);
    expect(outcome.continuation).toBeUndefined();
  });

  it("is the reasoning in it, which moves to a block of its own before the call", () => {
    const outcome = outcomeOf(message(`<think>I write it.</think>\nWriting.\n${CALL}`), RECOVER);
    expect(outcome.message.content).toMatchObject([
      { type: "thinking", thinking: "I write it." },
      { type: "text", text: expect.stringMatching(/^\n?Writing\.\n$/) },
      { type: "toolCall", name: "write" },
    ]);
  });

  it("is nothing of reasoning that makes no call", () => {
    const given = message(`<think>I could send ${CALL}</think>\nNo need.`);
    expect(outcomeOf(given, RECOVER).message).toBe(given);
  });
});

describe("a call in the reasoning", () => {
  const thinking = `I write it.\n${CALL}`;

  it("runs where the message says nothing else", () => {
    const block = { type: "thinking" as const, thinking, thinkingSignature: "reasoning_content" };
    const outcome = outcomeOf(message([block]), RECOVER);
    expect(outcome.message.content).toMatchObject([
      { type: "thinking", thinking: "I write it." },
      { type: "toolCall", arguments: { path: "a.txt", content: "hello" } },
    ]);
  });

  it.each([
    ["the provider signed it", [{ type: "thinking", thinking, thinkingSignature: "c2lnbmF0dXJl+/==" }]],
    [
      "the message has text",
      [
        { type: "thinking", thinking },
        { type: "text", text: "Done." },
      ],
    ],
  ])("is left where %s", (_, content) => {
    const given = message(content as Content);
    expect(outcomeOf(given, RECOVER).message).toBe(given);
  });
});

describe("a recovered call", () => {
  it("has an id that the conversation does not hold, and says what was printed", () => {
    const first = outcomeOf(message(CALL), RECOVER).message;
    const [block] = first.content;
    expect(first.stopReason).toBe("toolUse");
    expect(block).toMatchObject({
      type: "toolCall",
      name: "write",
      arguments: { path: "a.txt", content: "hello" },
      repair: { names: ["leakedCallRecovered"] },
    });
    const id = (block as { id: string }).id;
    expect(id).not.toBe("");
    expect(outcomeOf(message(CALL), RECOVER, [], [id]).message.content[0]).not.toMatchObject({ id });
  });

  it.each([
    [
      "a native call",
      message([
        { type: "text", text: CALL },
        { type: "toolCall", id: "x", name: "write", arguments: {} },
      ]),
    ],
    ["another stop reason", message(CALL, { stopReason: "length" })],
    ["the stop reason of native calls", message(CALL, { stopReason: "toolUse" })],
    ["no arguments where some are required", message('<tool_call>{"name":"write","arguments":{}}</tool_call>')],
    ["no arguments at all where some are required", message("<tool_call>write</tool_call>")],
    ["text behind the last block", message(`${CALL}\nThe file is written.`)],
    [
      "arguments that no repair makes right",
      message('<tool_call>{"name":"write","arguments":{"path":[1],"content":{}}}</tool_call>'),
    ],
    [
      "text in a later block",
      message([
        { type: "text", text: CALL },
        { type: "text", text: "Done." },
      ]),
    ],
    [
      "calls in two blocks",
      message([
        { type: "text", text: CALL },
        { type: "text", text: CALL },
      ]),
    ],
    ["a refused call beside it", message(`<tool_call>{"name":"write","arguments":{"path":"b"}}</tool_call>\n${CALL}`)],
    ["more calls than anyone makes", message(Array.from({ length: 17 }, () => CALL).join("\n"))],
  ])("is none beside %s", (_, given) => {
    const outcome = outcomeOf(given, RECOVER);
    expect(outcome.action).toBe("stripped");
    const before = given.content.filter(({ type }) => type === "toolCall");
    expect(outcome.message.content.filter(({ type }) => type === "toolCall")).toEqual(before);
    expect(outcome.message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("")).not.toMatch(
      /tool_call/,
    );
  });
});

describe("a call without arguments", () => {
  const PING: RepairTool = { name: "ping", parameters: { type: "object", properties: { host: { type: "string" } } } };

  it.each([
    '<tool_call>{"name":"ping","arguments":{}}</tool_call>',
    "<tool_call>\n<function=ping>\n</function>\n</tool_call>",
    "<tool_call>ping</tool_call>",
    "[TOOL_CALLS]ping[ARGS]{}",
  ])("runs where nothing is required: %s", (text) => {
    const settings = () => ({ texts: [], callIds: new Set<string>() });
    const outcome = withLeakedCalls(message(text), new Map([["ping", PING]]), settings, RECOVER);
    expect(outcome.message.content).toMatchObject([{ type: "toolCall", name: "ping", arguments: {} }]);
  });
});

describe("markup that names no tool", () => {
  const text = 'Go.\n<tool_call>\n{"name": "launch", "arguments": {"to": "moon"}}\n</tool_call>';

  it("stays with preserve", () => {
    const given = message(text);
    expect(outcomeOf(given, STRIP).message).toBe(given);
  });

  it("goes with strip, and the model hears of it without its values", () => {
    const outcome = outcomeOf(message(text), { ...STRIP, unknownGrammar: "strip" });
    expect(outcome.message.content).toEqual([{ type: "text", text: "Go.\n" }]);
    expect(outcome.continuation).toContain("does not exist");
    expect(outcome.continuation).not.toMatch(/launch|moon/);
  });
});

describe("what the model is told", () => {
  it("names the tool, never a value, and says what the arguments lack", () => {
    const text = '<tool_call>{"name":"write","arguments":{"path":"secret.txt"}}</tool_call>';
    const { continuation = "" } = outcomeOf(message(text), STRIP);
    expect(continuation).toMatch(/^Your last message printed a tool call \(`write`\) as text\./);
    expect(continuation).toContain("native tool call");
    expect(continuation).toContain("content");
    expect(continuation).not.toContain("secret");
  });

  it("is to print an envelope where the model makes its calls in text", () => {
    const { continuation } = outcomeOf(message(CALL), { ...STRIP, inText: true });
    expect(continuation).toContain("envelope");
    expect(continuation).not.toContain("native");
  });

  it("is told of a call that was cut, whose markers go", () => {
    const text = 'Writing.\n<tool_call>\n{"name": "write", "arguments": {"path": "a';
    const outcome = outcomeOf(message(text), STRIP);
    expect(outcome.continuation).toBeDefined();
    expect(JSON.stringify(outcome.message.content)).not.toContain("tool_call");
  });
});

describe("the conversation", () => {
  it("is what others than the model said, without this package's own lines", () => {
    const manager = SessionManager.inMemory();
    manager.appendMessage({ role: "user", content: "asked", timestamp: 1 });
    manager.appendMessage(
      message([
        { type: "text", text: "said" },
        { type: "toolCall", id: "c1", name: "write", arguments: {} },
      ]),
    );
    const result = { toolCallId: "c1", toolName: "write", isError: false, timestamp: 2 };
    manager.appendMessage({ role: "toolResult", content: [{ type: "text", text: "got" }], ...result });
    manager.appendCustomMessageEntry("other", "told", false);
    manager.appendCustomMessageEntry(CONTINUATION, "ours", false);
    const { texts, callIds } = conversationOf(manager.getBranch(), ["prompt"]);
    expect(texts).toEqual(["prompt", "asked", "got", "told"]);
    expect([...callIds]).toEqual(["c1"]);
  });
});

describe("a long conversation", () => {
  it("counts what stands before a compaction only while there is room, and what it kept always", () => {
    const manager = SessionManager.inMemory();
    const say = (content: string) => manager.appendMessage({ role: "user", content, timestamp: 1 });
    say("oldest");
    const kept = say("kept");
    manager.appendCompaction("summary", kept, 10);
    say("newest");
    const textsOf = () => conversationOf(manager.getBranch(), []).texts.map((text) => text.slice(0, 9));
    expect(textsOf()).toEqual(["oldest", "kept", "summary", "newest"]);
    say("x".repeat(5 * 1024 * 1024));
    expect(textsOf()).toEqual(["kept", "summary", "newest", "x".repeat(9)]);
  });
});
