// The transcript as a model in text mode reads it, for every API alike: it is projected before any of them sees it.
import { describe, expect, it } from "vitest";
import { asTextMode, PRIMER_SECTION } from "../../src/text-calls/text-mode-context.ts";

type Messages = Parameters<typeof asTextMode>[0];

const PROMPT = "Base.\n\nFirst.";
const SYSTEM = {
  role: "system",
  content: "Base.",
  sections: { one: "First." },
  toolsAdded: [{ name: "read", description: "", parameters: {} }],
  timestamp: 1,
};
const USER = { role: "user", content: "Begin.", timestamp: 2 };

function call(id: string, args: object, more: object = {}) {
  return { type: "toolCall", id, name: "read", arguments: args, ...more };
}

function assistant(...content: object[]) {
  return { role: "assistant", content, stopReason: "toolUse", api: "anthropic-messages", provider: "p", model: "m" };
}

function result(toolCallId: string, text: string, more: object = {}) {
  const content = [{ type: "text", text }];
  return { role: "toolResult", toolCallId, toolName: "read", isError: false, timestamp: 3, content, ...more };
}

function project(messages: readonly object[], prompt = PROMPT): Messages {
  const given = structuredClone(messages) as unknown as Messages;
  const projected = asTextMode(given, "PRIMER", prompt);
  expect(given).toEqual(messages);
  return projected;
}

describe("a transcript in text mode", () => {
  it("declares no tools and holds the primer once, in the leading system message", () => {
    const later = { role: "system", content: "", toolsAdded: SYSTEM.toolsAdded, timestamp: 2 };
    const { toolsAdded, ...head } = SYSTEM;
    const sections = { ...SYSTEM.sections, [PRIMER_SECTION]: "PRIMER" };
    expect(project([SYSTEM, USER, later])).toEqual([{ ...head, sections }, USER]);
  });

  it("keeps what a later system message says beside its tools", () => {
    const later = {
      role: "system",
      content: "",
      sections: { one: null },
      toolsRemoved: [{ name: "read" }],
      timestamp: 2,
    };
    expect(project([SYSTEM, USER, later], "Base.").at(-1)).toEqual({
      role: "system",
      content: "",
      sections: { one: null },
      timestamp: 2,
    });
  });

  it("opens the first user message with the primer where the prompt was forced", () => {
    const [head, user] = project([SYSTEM, USER], "Another prompt.");
    expect(head).not.toHaveProperty(["sections", PRIMER_SECTION]);
    expect(user).toMatchObject({ content: [{ text: "PRIMER\n" }, { text: "Begin." }] });
  });

  it("prints calls behind the text, and leaves reasoning where it is", () => {
    const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: "s" };
    const more = { thoughtSignature: "s", repair: { names: ["x"], original: "" } };
    const message = assistant(
      thinking,
      { type: "text", text: "So." },
      call("a", { path: "a" }),
      call("b", { path: "</pi:call>" }, more),
    );
    expect(project([SYSTEM, USER, message]).at(-1)).toMatchObject({
      stopReason: "stop",
      content: [
        thinking,
        {
          type: "text",
          text: 'So.\n<pi:call name="read">{"path":"a"}</pi:call>\n<pi:call name="read">{"path":"</pi:call>"}</pi:call>',
        },
      ],
    });
  });

  it("tells the results of one message's calls in one user message, with their images", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    const messages = [
      SYSTEM,
      USER,
      assistant(call("a", {}), call("b", {})),
      result("a", "one"),
      result("b", "no such file", { isError: true }),
      assistant(call("c", {})),
      result("c", "", { content: [image] }),
    ];
    expect(project(messages).filter(({ role }) => role === "user")).toMatchObject([
      USER,
      {
        content: [
          { type: "text", text: "Result of read (1 of 2), ok:\none" },
          { type: "text", text: "Result of read (2 of 2), failed:\nno such file" },
        ],
      },
      { content: [{ type: "text", text: "Result of read, ok:\n" }, image] },
    ]);
  });

  it("hands on messages of any other kind as they are", () => {
    const given = [
      USER,
      { role: "custom", customType: "x", content: "y", display: false, timestamp: 1 },
    ] as unknown as Messages;
    const projected = asTextMode(given, "", "");
    expect(projected[0]).toBe(given[0]);
    expect(projected[1]).toBe(given[1]);
  });

  it("leaves a reply that was aborted or failed as it is, so that it is not replayed", () => {
    for (const stopReason of ["aborted", "error"]) {
      const message = { ...assistant({ type: "text", text: "I read" }, call("a", {})), stopReason };
      expect(project([SYSTEM, USER, message, USER])[2]).toEqual(message);
    }
  });
});
