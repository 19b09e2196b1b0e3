// The guard on streams that no server can be made to send: endings without an end, events before the guard, repeats.
import type { AssistantMessage, AssistantMessageEvent, ToolCall } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { guardStream } from "../../src/utils/stream-guard/guard-stream.ts";
import { emptyStream, pushCall, reply, toolCall, unparsedCall } from "../support/scripted-stream.ts";
import { TOOLS_WITH_TEXT, testContext } from "../support/test-model.ts";

const context = testContext(TOOLS_WITH_TEXT);

async function collect(stream: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessageEvent[]> {
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("guardStream", () => {
  it("hands back the stream itself and the very blocks and message of a clean reply", async () => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    const call = Object.freeze(toolCall("call_1", "read", Object.freeze({ path: "a" })));
    const partial = reply();
    guarded.push({ type: "start", partial });
    pushCall(guarded, partial, call, '{"path":"a"}');
    const message = { ...partial, stopReason: "toolUse" as const, durationMs: 0 };
    guarded.push({ type: "done", reason: "toolUse", message });
    guarded.end();
    expect(guarded).toBe(source);
    expect(await guarded.result()).toBe(message);
    expect((await guarded.result()).content[0]).toBe(call);
  });

  it("ends with the message of its preparer, and for that message's reason", async () => {
    const source = emptyStream();
    const made = reply([toolCall("c", "read", { path: "a" })], "toolUse");
    const guarded = guardStream(source, { ...context, prepare: () => made });
    source.push({ type: "start", partial: reply() });
    source.push({ type: "done", reason: "stop", message: reply([], "stop") });
    source.end();
    expect((await collect(guarded)).at(-1)).toEqual({ type: "done", reason: "toolUse", message: made });
    expect(await guarded.result()).toBe(made);
  });

  it("ends a stream that stops without a final event, and refuses its open call", async () => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    const partial = reply();
    source.push({ type: "start", partial });
    pushCall(source, partial, toolCall("call_1", "read", { path: "a" }), '{"path":"ab', false);
    source.end();
    const events = await collect(guarded);
    expect(events.at(-1)?.type).toBe("error");
    const result = await guarded.result();
    expect(result.errorMessage).toMatch(/without a final event/);
    expect(result.content[0]).toMatchObject({ arguments: {}, argumentsError: expect.stringMatching(/cut off/) });
  });

  it("ends a stream in which nothing ever happened", async () => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    source.end();
    expect(await guarded.result()).toMatchObject({ stopReason: "error", content: [] });
  });

  it("settles a result that is handed over without a final event", async () => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    source.end(reply([unparsedCall("", "read", '{"path":"a",}')], "toolUse"));
    expect((await guarded.result()).content[0]).toMatchObject({
      id: expect.stringMatching(/^m\w{8}$/),
      arguments: { path: "a" },
    });
  });

  it("guards events that were pushed before it came", async () => {
    const source = emptyStream();
    const partial = reply();
    source.push({ type: "start", partial });
    pushCall(source, partial, unparsedCall("", "READ", "{'path':'a'}"), "{'path':'a'}");
    const guarded = guardStream(source, context);
    source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
    source.end();
    const events = await collect(guarded);
    expect(events.map((event) => event.type).slice(-2)).toEqual(["toolcall_end", "done"]);
    expect((await guarded.result()).content[0]).toMatchObject({ name: "read", arguments: { path: "a" } });
  });

  it.each([
    ["without an end", undefined, "error"],
    ["with a result only", reply([toolCall("c", "read", { path: "a" })], "toolUse"), "toolUse"],
  ])("settles a stream that was filled before and stops %s", async (_, result, stopReason) => {
    const source = emptyStream();
    source.push({ type: "start", partial: reply() });
    const guarded = guardStream(source, context);
    source.end(result);
    expect((await guarded.result()).stopReason).toBe(stopReason);
  });

  it.each([
    ["with a terminal event", "done"],
    ["with a result", "result"],
    ["without an end", "none"],
  ])("guards a stream that others took over before, one behind the other: %s", async (_, ending) => {
    const order: string[] = [];
    const source = emptyStream();
    let guarded = source;
    for (const who of ["first", "second", "third"]) {
      const prepare = (message: AssistantMessage) => {
        order.push(who);
        return { ...message, content: message.content.map((block) => ({ ...block, [who]: true })) };
      };
      guarded = guardStream(guarded, { ...context, prepare });
    }
    const partial = reply();
    source.push({ type: "start", partial });
    pushCall(source, partial, unparsedCall("", "READ", "{'path':'a'}"), "{'path':'a'}");
    const message: AssistantMessage = { ...partial, stopReason: "toolUse" };
    if (ending === "done") source.push({ type: "done", reason: "toolUse", message });
    source.end(ending === "result" ? message : undefined);
    const events = await collect(guarded);
    const result = await guarded.result();
    expect(events.filter(({ type }) => type === "toolcall_end")).toHaveLength(1);
    // A reply that failed is nobody's to prepare.
    const prepared = ending !== "none";
    expect(order).toEqual(prepared ? ["first", "second", "third"] : []);
    expect(result.stopReason).toBe(prepared ? "toolUse" : "error");
    expect(result.content[0]).toMatchObject(
      prepared ? { name: "read", first: true, second: true, third: true } : { name: "read" },
    );
  });

  it.each([
    ["an error", new Error("429 rate limited"), "error", "429 rate limited"],
    ["an abort", new DOMException("stopped", "AbortError"), "aborted", "stopped"],
    ["a text", "down", "error", "down"],
    ["nothing", undefined, "error", "The stream ended without a final event"],
  ])("ends a stream that throws %s with its words", async (_, cause, stopReason, errorMessage) => {
    async function* broken(): AsyncGenerator<AssistantMessageEvent> {
      yield { type: "start", partial: reply() };
      throw cause;
    }
    const source = Object.assign(broken(), { result: () => Promise.resolve(reply()) });
    const guarded = guardStream(source as unknown as ReturnType<typeof emptyStream>, context);
    expect((await collect(guarded)).at(-1)).toMatchObject({ type: "error", reason: stopReason });
    expect(await guarded.result()).toMatchObject({ stopReason, errorMessage });
  });

  it("gives the same ids for the same stream and others for a later turn", async () => {
    const run = async (messages = context.messages) => {
      const source = emptyStream();
      const guarded = guardStream(source, { messages });
      const partial = reply();
      for (let index = 0; index < 3; index++) pushCall(source, partial, toolCall("", "ls"), "{}");
      source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
      return (await guarded.result()).content.map((block) => (block as ToolCall).id);
    };
    const first = await run();
    expect(await run()).toEqual(first);
    const later = await run([
      ...context.messages,
      {
        ...reply(
          first.map((id) => toolCall(id, "ls")),
          "error",
        ),
      },
    ]);
    expect(new Set([...first, ...later]).size).toBe(6);
  });

  it.each([
    ["an object", { path: "a" }, true, { arguments: { path: "a" } }],
    ["an object in a block that never closes", { path: "a" }, false, { arguments: { path: "a" } }],
    ["JSON that was encoded", '{"path":"a"}', true, { arguments: { path: "a" } }],
    ["JSON that was encoded, in a block that never closes", '{"path":"a"}', false, { arguments: { path: "a" } }],
    [
      "encoded JSON that was cut",
      '{"path":"a',
      false,
      { arguments: {}, argumentsError: expect.stringMatching(/cut off/) },
    ],
    ["a list", [{ path: "a" }], true, { arguments: [{ path: "a" }] }],
  ])("keeps an input that came with the start of a block and no text: %s", async (_, input, ended, expected) => {
    const source = emptyStream();
    const guarded = guardStream(source, { ...context, startHoldsInput: true });
    const partial = reply();
    const call = toolCall("call_1", "read", input);
    partial.content.push(call);
    source.push({ type: "toolcall_start", contentIndex: 0, partial });
    call.arguments = {};
    if (ended) source.push({ type: "toolcall_end", contentIndex: 0, toolCall: call, partial });
    source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
    expect((await guarded.result()).content[0]).toMatchObject(expected);
  });

  it("takes arguments in a start that never closes for a preview elsewhere", async () => {
    const source = emptyStream();
    const guarded = guardStream(source, context);
    const partial = reply([toolCall("call_1", "read", { path: "a" })]);
    source.push({ type: "toolcall_start", contentIndex: 0, partial });
    source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
    expect((await guarded.result()).content[0]).toMatchObject({ arguments: {}, argumentsError: expect.anything() });
  });

  it("does not take the reply for part of the conversation when the host appends it while it streams", async () => {
    const messages = [...context.messages];
    const source = emptyStream();
    const guarded = guardStream(source, { messages });
    const partial = reply([toolCall("call_1", "ls")]);
    source.push({ type: "start", partial });
    messages.push(partial);
    source.push({ type: "toolcall_start", contentIndex: 0, partial });
    source.push({ type: "toolcall_end", contentIndex: 0, toolCall: partial.content[0] as ToolCall, partial });
    source.push({ type: "done", reason: "toolUse", message: { ...partial, stopReason: "toolUse" } });
    expect((await guarded.result()).content[0]).toMatchObject({ id: "call_1" });
  });
});
