// What a session knows again when it is opened: ids in use, lessons given, open failures.
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { SessionRepairs } from "../src/core/session-repairs.ts";

type Message = Parameters<SessionManager["appendMessage"]>[0];

function assistant(...blocks: object[]): Message {
  return { role: "assistant", content: blocks, stopReason: "toolUse" } as unknown as Message;
}

const repair = { name: "numberFromString", path: "/limit", note: "`limit` was text → send a number" };

describe("SessionRepairs.ofBranch", () => {
  it("holds every call id of the branch", () => {
    const manager = SessionManager.inMemory();
    manager.appendMessage({ role: "user", content: "hi", timestamp: 1 });
    manager.appendMessage(
      assistant({ type: "toolCall", id: "a", name: "read", arguments: {} }, { type: "text", text: "x" }),
    );
    manager.appendMessage(assistant({ type: "toolCall", id: "b", name: "read", arguments: {} }));
    expect([...SessionRepairs.ofBranch(manager.getBranch()).seenIds]).toEqual(["a", "b"]);
  });

  it("does not repeat a note that the branch already taught, but gives others", () => {
    const manager = SessionManager.inMemory();
    const record = { names: ["numberFromString"], original: { limit: "1" } };
    manager.appendMessage(
      assistant({ type: "toolCall", id: "a", name: "read", arguments: { limit: 1 }, repair: record }),
    );
    const { notes } = SessionRepairs.ofBranch(manager.getBranch());
    expect(notes.noteFor("read", [repair], {})).toBeUndefined();
    expect(notes.noteFor("write", [repair], {})).toBeDefined();
    expect(notes.noteFor("read", [{ ...repair, name: "bareScalarWrap" }], {})).toBeDefined();
  });

  it("goes on counting failures that repeated themselves", () => {
    const manager = SessionManager.inMemory();
    const failed = { arguments: { path: null }, argumentsError: "no", bounce: { places: ["/path type"] } };
    manager.appendMessage(assistant({ type: "toolCall", id: "a", name: "read", ...failed }));
    manager.appendMessage(assistant({ type: "toolCall", id: "b", name: "write", arguments: {} }));
    manager.appendMessage(assistant({ type: "toolCall", id: "c", name: "read", ...failed }));
    const branch = manager.getBranch();
    expect(SessionRepairs.ofBranch(branch).streaks.fail("read", ["/path type"])).toBe(3);
    expect(SessionRepairs.ofBranch(branch).streaks.fail("read", ["/limit type"])).toBe(1);
    manager.appendMessage(assistant({ type: "toolCall", id: "d", name: "read", arguments: { path: "a" } }));
    expect(SessionRepairs.ofBranch(manager.getBranch()).streaks.fail("read", ["/path type"])).toBe(1);
  });

  it("reads a failure that waited for pi's refusal from the result, and teaches nothing from it", () => {
    const manager = SessionManager.inMemory();
    const refuse = (id: string, extra: object) => {
      manager.appendMessage(assistant({ type: "toolCall", id, name: "move", arguments: { card: 1 } }));
      const result = { role: "toolResult", toolCallId: id, toolName: "move", isError: true, timestamp: 1, ...extra };
      manager.appendMessage({ content: [{ type: "text", text: "no" }], ...result } as unknown as Message);
    };
    refuse("a", { bounce: { places: ["/target required"] } });
    refuse("b", { bounce: { places: ["/target required"] } });
    const session = SessionRepairs.ofBranch(manager.getBranch());
    expect(session.remember({ id: "c", tool: "move", args: { card: 1 }, content: [], isError: true })).toBe(false);
    expect(session.streaks.fail("move", ["/target required"])).toBe(3);
    refuse("d", { bounce: { places: 7 } });
    expect(SessionRepairs.ofBranch(manager.getBranch()).streaks.fail("move", ["/target required"])).toBe(1);
  });

  it("survives records that are no records", () => {
    const manager = SessionManager.inMemory();
    for (const odd of [null, 7, "x", {}, { names: "x" }]) {
      manager.appendMessage(
        assistant({ type: "toolCall", id: "a", name: "read", arguments: {}, repair: odd, bounce: odd }),
      );
    }
    const { notes } = SessionRepairs.ofBranch(manager.getBranch());
    expect(notes.noteFor("read", [repair], {})).toBeDefined();
  });
});
