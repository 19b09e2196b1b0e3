// What is known of a conversation's ids from request to request: that all are plain and distinct may be believed, or nothing may.
import { describe, expect, test } from "vitest";
import { TranscriptWatch } from "../src/transcript-watch.ts";

const user = { role: "user", content: "go" };
const reply = (...ids: unknown[]) => ({ role: "assistant", content: ids.map((id) => ({ type: "toolCall", id })) });
const result = (toolCallId: string) => ({ role: "toolResult", toolCallId, content: [] });

function watching(...messages: ReturnType<typeof reply>[]): TranscriptWatch {
  const watch = new TranscriptWatch([]);
  watch.look([user, ...messages]);
  return watch;
}

describe("ids that go out as they are", () => {
  test.each([
    ["none", [], true],
    ["plain and distinct", [reply("call_1", "call_2"), reply("call_3")], true],
    ["one twice in a reply", [reply("a", "a")], false],
    ["one in two replies", [reply("a"), reply("a")], false],
    ["characters that some adapters replace", [reply("a:b")], false],
    ["two in one", [reply("call_1|fc_1")], false],
    ["an underscore at the end", [reply("a_")], false],
    ["longer than any backend takes", [reply("a".repeat(41))], false],
    ["empty", [reply("")], false],
    ["missing", [reply(undefined)], false],
  ])("%s", (_name, messages, isPlain) => {
    expect(watching(...messages).hasPlainIds).toBe(isPlain);
  });

  test("of a resumed conversation count as its own", () => {
    const watch = new TranscriptWatch(["call_1", "call_2"]);
    watch.look([user, reply("call_1", "call_2"), result("call_1"), result("call_2")]);
    expect(watch.hasPlainIds).toBe(true);
  });

  test("are looked at once as replies settle, repaired or not", () => {
    const watch = watching();
    const first = reply("a");
    const second = reply("b");
    watch.settle(first, false);
    watch.look([user, first, result("a")]);
    watch.settle(second, true);
    watch.look([user, first, result("a"), second, result("b")]);
    expect(watch.hasPlainIds).toBe(true);
    watch.settle(reply("c:d"), false);
    expect(watch.hasPlainIds).toBe(false);
  });

  test("are not believed when a message from elsewhere repeats one", () => {
    const watch = watching();
    const first = reply("a");
    // As the guard does while it streams.
    watch.takenIds.add("a");
    watch.settle(first, false);
    watch.look([user, first, result("a"), user]);
    watch.look([user, first, result("a"), user, reply("a")]);
    expect(watch.hasPlainIds).toBe(false);
  });

  test("are looked at anew when the conversation is another", () => {
    const watch = watching(reply("a"), reply("a"));
    watch.look([user, reply("a")]);
    expect(watch.hasPlainIds).toBe(true);
  });
});
