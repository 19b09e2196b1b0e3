// The guard on a final message alone: what a host does that sees no events.
import type { ToolCall } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { guardFinalMessage } from "../../src/utils/stream-guard/settle-message.ts";
import { reply, toolCall, unparsedCall } from "../support/scripted-stream.ts";
import { TOOLS_WITH_TEXT, testContext } from "../support/test-model.ts";

const context = testContext(TOOLS_WITH_TEXT);
const settle = (...content: Parameters<typeof reply>[0] & object) =>
  guardFinalMessage(deepFreeze(reply(content, "toolUse")), context);

describe("guardFinalMessage", () => {
  it("hands back the same message when nothing is wrong", () => {
    const message = reply([{ type: "text", text: "x" }, toolCall("c1", "read", { path: "a" })], "toolUse");
    expect(guardFinalMessage(message, context)).toBe(message);
  });

  it("hands back the same message the second time", () => {
    const once = settle(unparsedCall("", "Read", "{'path':'a'}"), unparsedCall("c2", "read", '{"path":"b'));
    expect(guardFinalMessage(once, context)).toBe(once);
  });

  it("does not count the message itself as the conversation", () => {
    const message = reply([toolCall("c1", "ls")], "toolUse");
    expect(guardFinalMessage(message, { messages: [...context.messages, message] })).toBe(message);
  });

  it("keeps clean blocks by reference beside a repaired one", () => {
    const message = reply([toolCall("c1", "ls"), unparsedCall("c2", "read", '{"path":"a",}')], "toolUse");
    const settled = guardFinalMessage(deepFreeze(message), context);
    expect(settled.content[0]).toBe(message.content[0]);
    expect(settled.content[1]).toEqual({
      ...toolCall("c2", "read", { path: "a" }),
      repair: { names: ["rawArgumentsRead"], original: '{"path":"a",}' },
    });
  });

  it("reads the text behind the mark even when the text holds the mark", () => {
    const text = '{"path":"\\n\\nReceived arguments:\\n",}';
    expect(settle(unparsedCall("c1", "read", text)).content[0]).toMatchObject({
      arguments: { path: "\n\nReceived arguments:\n" },
    });
  });

  it.each([7, null, undefined, { name: "read" }])("takes a name that is no text for none: %j", (name) => {
    const { content } = settle(toolCall("c1", name as never, { path: "a" }));
    expect(content).toEqual([toolCall("c1", "", { path: "a" })]);
  });

  it("takes an item that was sent twice for one call, and only that", () => {
    const call = (path: string, name = "read", id = "c1|fc_1") => toolCall(id, name, { path });
    const { content } = settle(
      call("a"),
      call("a"),
      call("b"),
      call("a", "ls"),
      call("a", "read", "c2|fc_2"),
      call("a"),
    );
    expect(content).toMatchObject([
      call("a"),
      { name: "read", arguments: { path: "b" } },
      { name: "ls", arguments: { path: "a" } },
      call("a", "read", "c2|fc_2"),
    ]);
    expect(new Set(content.map((block) => (block as ToolCall).id)).size).toBe(4);
    for (const id of ["", "call_0"]) expect(settle(call("a", "ls", id), call("a", "ls", id)).content).toHaveLength(2);
  });

  it("leaves an error without raw text alone", () => {
    const message = reply([toolCall("c1", "read", {}, "refused earlier")], "toolUse");
    expect(guardFinalMessage(message, context)).toBe(message);
  });

  it.each([
    ["a cut text", '{"path":"abc', /cut off after 12 characters.*smaller pieces/s],
    ["two objects", '{"path":"a"}{"path":"b"}', /more than one/],
    ["inner quotes", '{"path":"a "b" c"}', /not valid JSON.*character \d+/s],
  ])("refuses %s with a message that holds no value", (_, text, message) => {
    const call = settle(unparsedCall("c1", "read", text)).content[0];
    expect(call).toMatchObject({ arguments: {}, argumentsError: expect.stringMatching(message) });
    expect(JSON.stringify(call)).not.toContain("Received arguments");
  });

  it.each([
    ["a bare text", '"a.txt"', "a.txt"],
    ["a list", '[{"path":"a"}]', [{ path: "a" }]],
  ])("hands on %s for envelope repair", (_, text, value) => {
    expect(settle(unparsedCall("c1", "read", text)).content[0]).toEqual(toolCall("c1", "read", value));
  });

  it.each([
    ["null", null, {}],
    ["an object in a text", '{"path":"a"}', { path: "a" }],
  ])("makes an object of %s that a provider passed on", (_, sent, value) => {
    expect(settle(toolCall("c1", "read", sent)).content[0]).toMatchObject({ arguments: value });
  });

  it("joins a nameless piece to the call it completes", () => {
    const settled = settle(unparsedCall("c1", "read", '{"path":"'), unparsedCall("", "", 'a"}'));
    expect(settled.content).toMatchObject([{ id: "c1", arguments: { path: "a" } }]);
  });

  it("joins every piece of a call that was opened without text", () => {
    const settled = settle(toolCall("c1", "read"), unparsedCall("", "", '{"path":'), unparsedCall("", "", '"a"}'));
    expect(settled.content).toMatchObject([{ id: "c1", arguments: { path: "a" } }]);
  });

  it("joins a whole object that came nameless to the only open call", () => {
    const settled = settle(toolCall("c1", "read"), toolCall("", "", { path: "a" }));
    expect(settled.content).toMatchObject([{ id: "c1", arguments: { path: "a" } }]);
  });

  it("drops a nameless call that holds nothing", () => {
    expect(settle(toolCall("c1", "read", { path: "a" }), toolCall("", "")).content).toHaveLength(1);
  });

  it("joins nothing when the pieces give no single object", () => {
    const settled = settle(unparsedCall("c1", "read", '{"path":"a'), unparsedCall("", "", '{"path":"b"'));
    expect(settled.content).toMatchObject([
      { name: "read", argumentsError: expect.stringMatching(/cut off/) },
      { name: "", argumentsError: expect.stringMatching(/cut off/) },
    ]);
  });

  it("joins nothing to one of two open calls that are not next to the piece", () => {
    const settled = settle(
      unparsedCall("c1", "read", '{"path":"'),
      unparsedCall("c2", "read", '{"path":"'),
      toolCall("c3", "ls", { path: "x" }),
      unparsedCall("", "", 'a"}'),
    );
    expect(settled.content).toHaveLength(4);
    expect(settled.content.filter((block) => "argumentsError" in block)).toHaveLength(3);
  });

  it("makes the calls inside a parallel wrapper calls of their own", () => {
    const uses = [
      { recipient_name: "functions.read", parameters: { path: "a" } },
      { recipient_name: "ls", parameters: {} },
    ];
    const settled = settle(toolCall("c1", "multi_tool_use.parallel", { tool_uses: uses }), toolCall("c2", "ls"));
    expect(settled.content).toEqual([
      toolCall("c1", "read", { path: "a" }),
      toolCall(expect.stringMatching(/^m\w{8}$/) as never, "ls"),
      toolCall("c2", "ls"),
    ]);
  });

  it.each([
    [
      "names a tool that does not exist",
      [
        { recipient_name: "read", parameters: { path: "a" } },
        { recipient_name: "rm", parameters: {} },
      ],
    ],
    ["holds an entry without an object", [{ recipient_name: "read", parameters: "a" }]],
    ["holds nothing", []],
    ["holds no list", { recipient_name: "read" }],
  ])("leaves a parallel wrapper as it is when it %s", (_, tool_uses) => {
    const message = reply([toolCall("c1", "multi_tool_use.parallel", { tool_uses })], "toolUse");
    expect(guardFinalMessage(message, context)).toBe(message);
  });

  it("leaves a declared tool of the wrapper's name alone", () => {
    const uses = [{ recipient_name: "read", parameters: { path: "a" } }];
    const message = reply([toolCall("c1", "multi_tool_use.parallel", { tool_uses: uses })], "toolUse");
    const tools = [{ name: "read" }, { name: "multi_tool_use.parallel" }];
    expect(guardFinalMessage(message, { ...context, tools })).toBe(message);
  });

  it("reads arguments that stand in the tool name", () => {
    const name = "Read<arg_key>path</arg_key><arg_value>a <b> c</arg_value>";
    expect(settle(toolCall("c1", name)).content).toEqual([
      { ...toolCall("c1", "read", { path: "a <b> c" }), repair: { names: ["nameArgumentsRead"], original: name } },
    ]);
  });

  it.each([
    ["the call has arguments", "read<arg_key>path</arg_key><arg_value>a</arg_value>", { path: "b" }],
    ["a pair does not end", "read<arg_key>path</arg_key><arg_value>a", {}],
    [
      "a key stands twice",
      "read<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>path</arg_key><arg_value>b</arg_value>",
      {},
    ],
    ["text follows", "read<arg_key>path</arg_key><arg_value>a</arg_value> and b", {}],
    ["the name is no tool", "rm<arg_key>path</arg_key><arg_value>a</arg_value>", {}],
  ])("reads nothing from a tool name when %s", (_, name, args) => {
    const message = reply([toolCall("c1", name, args)], "toolUse");
    expect(guardFinalMessage(message, context)).toBe(message);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
