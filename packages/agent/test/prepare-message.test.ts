// The calls of one message: ids first, then the step, and only for calls that a loop executes.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { type PreparedToolCall, prepareMessage } from "../src/prepare-tool-call.ts";

function message(content: AssistantMessage["content"], stopReason: AssistantMessage["stopReason"] = "toolUse") {
  return { role: "assistant", content, stopReason, model: "m" } as AssistantMessage;
}

function call(id: string, name = "show"): ToolCall {
  return { type: "toolCall", id, name, arguments: {} };
}

const clean = (block: ToolCall): PreparedToolCall => ({ outcome: "clean", block });
const bouncing = (block: ToolCall): PreparedToolCall => ({
  outcome: "bounced",
  block: { ...block, argumentsError: "no" },
  message: "no",
});

const NAMES = new Set(["show", "bad"]);

describe("prepareMessage", () => {
  it("hands back the same message when nothing changed", () => {
    const sent = message([{ type: "text", text: "a" }, call("c1"), call("c2")]);
    const result = prepareMessage(sent, new Set(), NAMES, clean);
    expect(result.message).toBe(sent);
    expect(result.calls.map((one) => one.outcome)).toEqual(["clean", "clean"]);
  });

  it("changes only the blocks that changed, in a message with the same fields", () => {
    const sent = message([{ type: "text", text: "a" }, call("c1"), call("c2", "bad")]);
    const result = prepareMessage(sent, new Set(), NAMES, (block) =>
      block.name === "bad" ? bouncing(block) : clean(block),
    );
    expect(result.message).toMatchObject({ role: "assistant", stopReason: "toolUse", model: "m" });
    expect(result.message.content[0]).toBe(sent.content[0]);
    expect(result.message.content[1]).toBe(sent.content[1]);
    expect(result.message.content[2]).toHaveProperty("argumentsError", "no");
    expect(sent.content[2]).not.toHaveProperty("argumentsError");
  });

  it("prepares calls under the ids they will have", () => {
    const asked: string[] = [];
    const result = prepareMessage(message([call(""), call("")]), new Set(), NAMES, (block) => {
      asked.push(block.id);
      return clean(block);
    });
    expect(new Set(asked).size).toBe(2);
    expect(result.message.content.map((block) => (block as ToolCall).id)).toEqual(asked);
  });

  it.each(["error", "aborted", "length"] as const)("gives only ids to a message that ended with %s", (stopReason) => {
    const seen = new Set<string>(["c1"]);
    const result = prepareMessage(message([call("c1")], stopReason), seen, NAMES, bouncing);
    expect(result.calls).toEqual([]);
    const [block] = result.message.content as ToolCall[];
    expect(block?.id).not.toBe("c1");
    expect(block).not.toHaveProperty("argumentsError");
    expect(seen.has(block?.id ?? "")).toBe(true);
  });

  it("gives every call of a conversation an id of its own that strict servers take, and keeps good ones", () => {
    const seen = new Set<string>();
    const sent = ["", "", "call_0", "call_0", "toolu_1|fc_2"];
    const ids = Array.from({ length: 40 }, () =>
      prepareMessage(message(sent.map((id) => call(id))), seen, NAMES, clean),
    )
      .flatMap((result) => result.message.content as ToolCall[])
      .map((block) => block.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 5)).toEqual([
      expect.any(String),
      expect.any(String),
      "call_0",
      expect.any(String),
      "toolu_1|fc_2",
    ]);
    const made = ids.filter((id) => id !== "call_0" && id !== "toolu_1|fc_2");
    expect(made.every((id) => /^[a-zA-Z0-9_-]{1,40}$/.test(id))).toBe(true);
  });

  it("gives the same ids to the same messages in the same order", () => {
    const run = () => {
      const seen = new Set<string>();
      const messages = [message([call(""), call("")]), message([call("")])];
      return messages.flatMap((one) =>
        (prepareMessage(one, seen, NAMES, clean).message.content as ToolCall[]).map((c) => c.id),
      );
    };
    expect(run()).toEqual(run());
  });
});
