// Faults of chat-completions servers, chunk by chunk. Each row also says whether upstream alone gets it right, and that
// is checked: a row that flips shows which part of the guard may go.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { streamSimple as unguarded } from "@earendil-works/pi-ai/api/openai-completions";
import { describe, expect, it } from "vitest";
import { streamSimple } from "../../src/api/openai-completions.ts";
import { anthropicEncoder } from "../support/encoders/anthropic.ts";
import { type ProviderEncoder, sse } from "../support/encoders/encoder.ts";
import { googleEncoder } from "../support/encoders/google.ts";
import { openaiResponsesEncoder } from "../support/encoders/openai-responses.ts";
import { startLoopback } from "../support/loopback.ts";
import { overMistral, runOpenAiStream } from "../support/run-openai-stream.ts";
import { runProviderStream } from "../support/run-provider-stream.ts";
import { PROMPT, TOOLS_WITH_TEXT, testContext } from "../support/test-model.ts";

interface FaultRow {
  readonly name: string;
  readonly deltas: readonly (object | readonly object[])[];
  readonly finish?: unknown;
  /** Not run over Mistral's SDK, which reads these fields away before anyone sees them. */
  readonly chatOnly?: true;
  /** Calls that may run, in order; any other call of the reply must carry an error. */
  readonly runs: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly refused?: number;
  readonly upstream: "right" | "wrong";
}

const read = (path: string) => ({ name: "read", arguments: { path } });
const ls = { name: "ls", arguments: {} };
/** One delta: index, id, name and text, each left out when `undefined`. */
const d = (index?: unknown, id?: unknown, name?: string, args?: unknown) => ({
  index,
  id,
  function: { name, arguments: args },
});

const ROWS: readonly FaultRow[] = [
  {
    name: "a name that comes after an empty one",
    deltas: [d(0, "c1", "", ""), d(0, undefined, "read"), d(0, undefined, undefined, '{"path":"a"}')],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a name that comes behind all of the text",
    deltas: [d(0, "c1", "", '{"path":'), d(0, undefined, undefined, '"a"}'), d(0, undefined, "read", "")],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a name in pieces",
    deltas: [d(0, "c1", "re", ""), d(0, undefined, "ad", ""), d(0, undefined, undefined, '{"path":"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "a name in pieces, a tool's name first, the last piece with a text",
    deltas: [d(0, "c1", "ls", ""), d(0, "c1", "_all", '{"path":'), d(0, undefined, undefined, '"a"}')],
    runs: [{ name: "ls_all", arguments: { path: "a" } }],
    upstream: "wrong",
  },
  {
    name: "a name in pieces and no index",
    deltas: [d(undefined, "c1", "re", ""), d(undefined, undefined, "ad", ""), d(undefined, undefined, undefined, "{}")],
    runs: [{ name: "read", arguments: {} }],
    upstream: "wrong",
  },
  {
    name: "a name that grows",
    deltas: [d(0, "c1", "re", ""), d(0, "c1", "read", ""), d(0, undefined, undefined, '{"path":"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "index always 0, no ids, a call without arguments first",
    deltas: [d(0, undefined, "ls", ""), d(0, undefined, "read", '{"path":"a"}')],
    runs: [ls, read("a")],
    upstream: "wrong",
  },
  {
    name: "index always 0, no ids, a call without arguments first, then a name alone",
    deltas: [d(0, "", "ls", ""), d(0, "", "read", ""), d(0, "", undefined, '{"path":"a"}')],
    runs: [ls, read("a")],
    upstream: "wrong",
  },
  {
    name: "index always 0, pieces of two calls in turn",
    deltas: [
      d(0, "c1", "read", ""),
      d(0, "c2", "read", ""),
      d(0, "c1", undefined, '{"path":'),
      d(0, "c2", undefined, '{"path":'),
      d(0, "c1", undefined, '"a"}'),
      d(0, "c2", undefined, '"b"}'),
    ],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "one id for two indexes, in pieces",
    deltas: [
      d(0, "same", "read", ""),
      d(1, "same", "read", ""),
      d(0, "same", undefined, '{"path":"a"}'),
      d(1, "same", undefined, '{"path":"b"}'),
    ],
    runs: [],
    refused: 1,
    upstream: "right",
  },
  {
    name: "name and arguments beside the id",
    deltas: [
      { index: 0, id: "c1", type: "function", name: "read", arguments: '{"path":' } as object,
      { index: 0, arguments: '"a"}' } as object,
    ],
    runs: [read("a")],
    chatOnly: true,
    upstream: "wrong",
  },
  {
    name: "an entry that says nothing before the call",
    deltas: [{}, d(0, "c1", "read", '{"path":"a"}')],
    runs: [read("a")],
    chatOnly: true,
    upstream: "right",
  },
  {
    name: "the call under its old name",
    deltas: [
      { delta: { function_call: { name: "read", arguments: "" } } },
      { delta: { function_call: { arguments: '{"path":' } } },
      { delta: { function_call: { arguments: '"a"}' }, tool_calls: null } },
    ],
    finish: "function_call",
    runs: [read("a")],
    chatOnly: true,
    upstream: "wrong",
  },
  {
    name: "the call under its old name, cut",
    deltas: [{ delta: { function_call: { name: "read", arguments: '{"path":"a' } } }],
    finish: "function_call",
    runs: [],
    refused: 1,
    chatOnly: true,
    upstream: "right",
  },
  {
    name: "the call under its old and its new name",
    deltas: [
      {
        delta: {
          function_call: { name: "read", arguments: '{"path":"a"}' },
          tool_calls: [d(0, "c1", "read", '{"path":"a"}')],
        },
      },
    ],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a number for the finish word",
    deltas: [d(0, "c1", "read", '{"path":"a"}')],
    finish: 1,
    runs: [],
    refused: 1,
    upstream: "right",
  },
  {
    name: "an object for the finish word",
    deltas: [d(0, "c1", "read", '{"path":"a"}')],
    finish: { type: "tool_calls" },
    runs: [],
    refused: 1,
    upstream: "right",
  },
  {
    name: "an object for the name and a failure behind it",
    deltas: [d(0, "c1", "", ""), d(0, undefined, { name: "read" } as never, '{"path":"a"}')],
    finish: "content_filter",
    runs: [],
    refused: 1,
    chatOnly: true,
    upstream: "right",
  },
  {
    name: "a number for the name, then the name",
    deltas: [d(0, "c1", 7 as never, ""), d(0, undefined, "read", '{"path":"a"}')],
    runs: [read("a")],
    chatOnly: true,
    upstream: "wrong",
  },
  {
    name: "deltas without a text and without a function",
    deltas: [
      d(0, "c1", "read"),
      { index: 0 },
      d(0, undefined, undefined, '{"path":'),
      { index: 0, id: "c1", function: null },
      d(0, undefined, undefined, null),
      d(0, undefined, undefined, '"a"}'),
    ],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a name repeated in every delta",
    deltas: [d(0, "c1", "read", '{"pa'), d(0, "c1", "read", 'th":"a"}'), d(0, "c1", "read", "")],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a name and an empty id repeated in every delta",
    deltas: [d(0, "c1", "read", '{"pa'), d(0, "", "read", 'th":"a"}'), d(0, "", "read", "")],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "no index, whole calls in one chunk",
    deltas: [[d(undefined, "c1", "read", '{"path":"a"}'), d(undefined, "c2", "read", '{"path":"b"}')]],
    runs: [read("a"), read("b")],
    upstream: "right",
  },
  {
    name: "no index, continued without id",
    deltas: [d(undefined, "c1", "read", '{"path":'), d(undefined, undefined, undefined, '"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "no index and no id, name repeated",
    deltas: [d(undefined, undefined, "read", '{"path":'), d(undefined, undefined, "read", '"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "no index, two calls streamed in turn",
    deltas: [
      d(undefined, "c1", "read", '{"path":'),
      d(undefined, undefined, undefined, '"a"}'),
      d(undefined, "c2", "read", '{"path":'),
      d(undefined, "", undefined, '"b"}'),
    ],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "index always 0, ids differ",
    deltas: [d(0, "c1", "read", '{"path":"a"}'), d(0, "c2", "ls", "{}")],
    runs: [read("a"), ls],
    upstream: "wrong",
  },
  {
    name: "index always 0, ids differ, texts in pieces",
    deltas: [
      d(0, "c1", "read", ""),
      d(0, undefined, undefined, '{"path":"a"}'),
      d(0, "c2", "read", ""),
      d(0, undefined, undefined, '{"path":'),
      d(0, undefined, undefined, '"b"}'),
    ],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "index always 0 and no ids",
    deltas: [d(0, undefined, "read", '{"path":"a"}'), d(0, undefined, "read", '{"path":"b"}')],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "a fresh id in every delta",
    deltas: [d(0, "x1", "read", '{"pa'), d(0, "x2", undefined, 'th":"'), d(0, "x3", undefined, 'a"}')],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a fresh id and the name in every delta",
    deltas: [d(0, "x1", "read", ""), d(0, "x2", "read", '{"path":'), d(0, "x3", "read", '"a"}')],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "one id for two indexes",
    deltas: [d(0, "same", "read", '{"path":"a"}'), d(1, "same", "read", '{"path":"b"}')],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "indexes that start at 1",
    deltas: [d(1, "c1", "read", '{"path":"a"}'), d(2, "c2", "ls", "")],
    runs: [read("a"), ls],
    upstream: "right",
  },
  {
    name: "indexes as text",
    deltas: [
      d("0", "c1", "read", '{"path":"a"}'),
      d("1", "c2", "read", '{"pa'),
      d("1", undefined, undefined, 'th":"b"}'),
    ],
    runs: [read("a"), read("b")],
    upstream: "wrong",
  },
  {
    name: "interleaved pieces without ids go by index",
    deltas: [
      d(0, "c1", "read", ""),
      d(1, "c2", "read", ""),
      d(0, undefined, undefined, '{"path":"a"}'),
      d(1, undefined, undefined, '{"path":"b"}'),
    ],
    runs: [read("a"), read("b")],
    upstream: "right",
  },
  {
    name: "the last piece on an index that was never opened",
    deltas: [d(0, "c1", "read", '{"path":"'), d(1, undefined, undefined, 'a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "all pieces on an index that was never opened",
    deltas: [d(0, "c1", "read", ""), d(1, undefined, undefined, '{"path":'), d(1, undefined, undefined, '"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "a piece that fits no open call",
    deltas: [d(0, "c1", "read", '{"path":"a"}'), d(1, undefined, undefined, '{"path":"b"}')],
    runs: [read("a")],
    refused: 1,
    upstream: "right",
  },
  { name: "arguments as an object", deltas: [d(0, "c1", "read", { path: "a" })], runs: [read("a")], upstream: "wrong" },
  { name: "arguments null", deltas: [d(0, "c1", "ls", null)], runs: [ls], upstream: "right" },
  { name: "the word null for no arguments", deltas: [d(0, "c1", "ls", "null")], runs: [ls], upstream: "wrong" },
  { name: "an empty text for no arguments", deltas: [d(0, "c1", "ls", "")], runs: [ls], upstream: "right" },
  {
    name: "a placeholder, then the object",
    deltas: [d(0, "c1", "read", "{}"), d(0, undefined, undefined, '{"path":"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "the whole call once more at the end",
    deltas: [d(0, "c1", "read", '{"path":'), d(0, undefined, undefined, '"a"}'), d(0, "c1", "read", '{"path":"a"}')],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "an id that is null",
    deltas: [{ index: 0, id: null, type: null, function: { name: "read", arguments: '{"path":"a"}' } }],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "an id that is a number",
    deltas: [d(0, 7, "read", '{"path":"a"}'), d(0, 7, undefined, "")],
    runs: [read("a")],
    upstream: "right",
  },
  {
    name: "a list entry that is null",
    deltas: [[null as never, d(0, "c1", "read", '{"path":"a"}')]],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "one call in place of the list",
    deltas: [{ single: d(0, "c1", "read", '{"path":"a"}') }],
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "a foreign word for the end",
    deltas: [d(0, "c1", "read", '{"path":"a"}')],
    finish: "TOOL_USE",
    runs: [read("a")],
    upstream: "wrong",
  },
  {
    name: "two different objects for one call",
    deltas: [d(0, "c1", "read", '{"path":"a"}'), d(0, undefined, undefined, '{"path":"b"}')],
    runs: [],
    refused: 1,
    upstream: "right",
  },
  {
    name: "a call that never completes under an id that moves on",
    deltas: [d(0, "c1", "read", '{"path":'), d(0, "c2", "read", '{"path":'), d(0, undefined, undefined, '"b"}')],
    runs: [read("b")],
    refused: 1,
    upstream: "wrong",
  },
];

describe("a chat-completions server that sends", () => {
  it.each(ROWS.map((row) => [row.name, row] as const))("%s", async (_, row) => {
    const chunks = chunksOf(row);
    const { message, events } = await runOpenAiStream(TOOLS_WITH_TEXT, chunks);
    expect(outcome(message)).toEqual({ runs: row.runs, refused: row.refused ?? 0, idsDiffer: true });
    for (const event of events) {
      if (event.type === "toolcall_delta") expect(typeof event.delta).toBe("string");
      if (event.type === "toolcall_end")
        expect(message.content).toContainEqual(expect.objectContaining({ id: event.toolCall.id }));
    }
    const alone = await runOpenAiStream(TOOLS_WITH_TEXT, chunks, [PROMPT], unguarded).then(({ message: reply }) =>
      outcome(reply),
    );
    const sameRuns = JSON.stringify(alone.runs) === JSON.stringify(row.runs);
    expect(sameRuns ? "right" : "wrong").toBe(row.upstream);
  });

  it.each(ROWS.filter((row) => !row.chatOnly).map((row) => [row.name, row] as const))(
    "%s, over Mistral's adapter",
    async (_, row) => {
      const { message } = await runOpenAiStream(TOOLS_WITH_TEXT, chunksOf(row), [PROMPT], overMistral);
      expect(outcome(message)).toEqual({ runs: row.runs, refused: row.refused ?? 0, idsDiffer: true });
    },
  );

  it("misnumbered chunks shows them to the observer as they came", async () => {
    const seen: unknown[] = [];
    const chunks = chunksOf({ ...(ROWS[0] as FaultRow), deltas: [d(undefined, "c1", "read", { path: "a" })] });
    const { message } = await runOpenAiStream(TOOLS_WITH_TEXT, chunks, [PROMPT], (model, context, options) =>
      streamSimple(model, context, {
        ...options,
        onProviderStreamEvent: (chunk) => void seen.push(structuredClone(chunk)),
      }),
    );
    expect(outcome(message).runs).toEqual([read("a")]);
    expect(seen[0]).toMatchObject({
      choices: [{ delta: { tool_calls: [{ id: "c1", function: { arguments: { path: "a" } } }] } }],
    });
    expect(JSON.stringify(seen[0])).not.toContain('"index":0,"id"');
  });
});

describe("an Anthropic-compatible server that sends", () => {
  it.each<[string, { input?: unknown; deltas?: readonly unknown[]; unclosed?: true }, object]>([
    ["the input with the start", { input: { path: "a" } }, { arguments: { path: "a" } }],
    ["the input with the start and no end", { input: { path: "a" }, unclosed: true }, { arguments: { path: "a" } }],
    ["the input with the start, encoded", { input: '{"path":"a"}' }, { arguments: { path: "a" } }],
    [
      "the input with the start, encoded and cut, and no end",
      { input: '{"path":"a', unclosed: true },
      { argumentsError: expect.stringMatching(/cut off/) },
    ],
    [
      "the input with the start and as text",
      { input: { path: "a" }, deltas: ['{"path":"a"}'] },
      { arguments: { path: "a" } },
    ],
    ["the input as an object in a delta", { deltas: [{ path: "a" }] }, { arguments: { path: "a" } }],
    ["whole text and no end", { deltas: ['{"path":', '"a"}'], unclosed: true }, { arguments: { path: "a" } }],
    ["each delta with all of the text", { deltas: ['{"path"', '{"path":"a"}'] }, { argumentsError: expect.anything() }],
  ])("%s", async (_, { input = {}, deltas = [], unclosed }, expected) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test-model", content: [], usage };
    const events = [
      { type: "message_start", message },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "toolu_1", name: "read", input },
      },
      ...deltas.map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      ...(unclosed ? [] : [{ type: "content_block_stop", index: 0 }]),
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ];
    const { contentType } = anthropicEncoder;
    const server = await startLoopback({ contentType, pieces: [] });
    const { calls } = await runProviderStream(
      anthropicEncoder,
      server,
      [sse(events, true)],
      testContext(TOOLS_WITH_TEXT),
    );
    await server.close();
    expect(calls).toMatchObject([{ id: "toolu_1", name: "read", ...expected }]);
  });
});

/** A call of `ls` that must not run without the arguments that were sent for it, as events of one provider. */
describe("a server whose pieces and blocks do not fit", () => {
  const start = (index: unknown, input: unknown = {}) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: "toolu_1", name: "ls", input },
  });
  const text = (index: unknown) => ({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
  const own = { type: "content_block_start", index: 1, content_block: { type: "server_tool_use", id: "s", name: "x" } };
  const piece = (index: unknown, partial_json: unknown = '{"path":"a"}') => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const stop = (index: unknown) => ({ type: "content_block_stop", index });
  const withArguments = { arguments: { path: "a" } };
  const refused = { argumentsError: expect.stringMatching(/cut off/) };

  it.each<[string, readonly object[], object]>([
    ["pieces under another number", [start(1), piece(0), stop(1)], withArguments],
    ["pieces under an open text's number", [text(0), start(1), piece(0), stop(0), stop(1)], withArguments],
    [
      "pieces without a number",
      [start(1), piece(undefined, '{"path":'), piece(undefined, '"a"}'), stop(1)],
      withArguments,
    ],
    ["no numbers at all", [start(undefined), piece(undefined), stop(undefined)], withArguments],
    ["a piece before the start", [piece(0), start(0), stop(0)], refused],
    ["a piece behind the stop", [start(0), stop(0), piece(0)], refused],
    ["a piece of a tool of its own", [own, start(0), piece(1), stop(1), stop(0)], { arguments: {} }],
    ["null for a piece", [start(0), piece(0, null), piece(0), piece(0, undefined), stop(0)], withArguments],
    ["the input with the start and a placeholder", [start(0, { path: "a" }), piece(0, "{}"), stop(0)], withArguments],
    ["no pieces", [start(0), stop(0)], { arguments: {} }],
  ])("Anthropic messages: %s", async (_, blocks, expected) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test-model", content: [], usage };
    const calls = await callsOf(anthropicEncoder, [
      { type: "message_start", message },
      ...blocks,
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ]);
    expect(calls).toMatchObject([{ id: "toolu_1", name: "ls", ...expected }]);
  });

  const item = (args: unknown) => ({ type: "function_call", id: "fc_0", call_id: "c1", name: "ls", arguments: args });
  const added = (output_index: unknown) => ({ type: "response.output_item.added", output_index, item: item("") });
  const delta = (output_index: unknown) => ({
    type: "response.function_call_arguments.delta",
    output_index,
    delta: '{"path":"a"}',
  });
  const done = (output_index: unknown, args: unknown) => ({
    type: "response.output_item.done",
    output_index,
    item: item(args),
  });

  it.each<[string, readonly object[], object]>([
    ["an item that ends with no text behind its pieces", [added(0), delta(0), done(0, "")], withArguments],
    ["an item that ends with null behind its pieces", [added(0), delta(0), done(0, "null")], withArguments],
    ["null for no arguments", [added(0), done(0, "null")], { arguments: {} }],
    ["pieces under another number", [added(0), delta(1), done(0, "")], withArguments],
    ["pieces behind the end", [added(0), done(0, ""), delta(0)], refused],
    ["pieces of another item as well", [added(0), delta(0), delta(4), done(0, '{"path":"a"}')], withArguments],
    ["no pieces", [added(0), done(0, "")], { arguments: {} }],
  ])("OpenAI responses: %s", async (_, items, expected) => {
    const response = { id: "resp_1", object: "response", status: "completed", output: [] };
    const end = { type: "response.completed", response };
    const calls = await callsOf(openaiResponsesEncoder, [{ type: "response.created", response }, ...items, end]);
    expect(calls).toMatchObject([{ name: "ls", ...expected }]);
  });

  it("OpenAI responses: an item that is sent twice is one call", async () => {
    const response = { id: "resp_1", object: "response", status: "completed", output: [] };
    const twice = [done(0, '{"path":"a"}'), done(0, '{"path":"a"}'), done(1, '{"path":"b"}')];
    const end = { type: "response.completed", response };
    const calls = await callsOf(openaiResponsesEncoder, [{ type: "response.created", response }, ...twice, end]);
    expect(calls.map((call) => call.arguments)).toEqual([{ path: "a" }, { path: "b" }]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  it.each<[string, readonly object[], object]>([
    ["a name, then the arguments", [{ name: "ls" }, { args: { path: "a" } }], withArguments],
    ["arguments in parts", [{ name: "ls", willContinue: true }, { partialArgs: [{ jsonPath: "$.path" }] }], refused],
    ["no arguments", [{ name: "ls" }], { arguments: {} }],
  ])("Google: %s", async (_, parts, expected) => {
    const chunks = parts.map((functionCall) => ({
      candidates: [{ index: 0, content: { role: "model", parts: [{ functionCall }] } }],
    }));
    const calls = await callsOf(googleEncoder, [...chunks, { candidates: [{ index: 0, finishReason: "STOP" }] }]);
    expect(calls[0]).toMatchObject({ name: "ls", ...expected });
    for (const call of calls.slice(1)) expect(call.name).toBe("");
  });
});

async function callsOf(encoder: ProviderEncoder, events: readonly object[]) {
  const server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  const pieces = [sse(events, encoder.closesBlocks)];
  const { message, calls } = await runProviderStream(encoder, server, pieces, testContext(TOOLS_WITH_TEXT));
  await server.close();
  expect(message.stopReason).toBe("toolUse");
  return calls;
}

function chunksOf({ deltas, finish }: FaultRow): object[] {
  const chunk = (delta: object, finish_reason: unknown = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const toolCalls = (delta: object | readonly object[]) =>
    "single" in delta ? delta.single : Array.isArray(delta) ? delta : [delta];
  return [
    ...deltas.map((delta) => chunk("delta" in delta ? (delta.delta as object) : { tool_calls: toolCalls(delta) })),
    chunk({}, finish ?? "tool_calls"),
  ];
}

function outcome(message: AssistantMessage) {
  const calls = message.content.filter((block): block is ToolCall => block.type === "toolCall");
  const failed = message.stopReason === "error";
  const usable = failed ? [] : calls.filter((call) => call.argumentsError === undefined && call.name !== "");
  const ids = new Set(calls.map((call) => call.id).filter((id) => typeof id === "string" && id !== ""));
  return {
    runs: usable.map(({ name, arguments: args }) => ({ name, arguments: args })),
    refused: calls.length - usable.length,
    idsDiffer: ids.size === calls.length,
  };
}
