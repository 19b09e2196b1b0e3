// The ids of stored calls as backends get them: legal where the backend is strict, one id a call, the same on its result.
import type { Message, ToolCall } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderEncoder } from "../support/encoders/encoder.ts";
import { API_ENCODERS } from "../support/encoders/index.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { runProviderStream } from "../support/run-provider-stream.ts";
import { reply, toolCall } from "../support/scripted-stream.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { PROMPT, TOOLS_WITH_TEXT, testContext } from "../support/test-model.ts";

/** Gemini gets ids from its third generation on. */
const WITH_IDS = { id: "gemini-3-pro" };
const KIMI = { id: "Kimi-K2.5" };
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const LONG = "x".repeat(64);

interface IdCase {
  readonly name: string;
  /** The ids of each reply's calls. */
  readonly replies: readonly (readonly unknown[])[];
  /** Which replies the model that is asked made itself. */
  readonly own?: readonly number[];
  /** Replies that failed: upstream does not send them. */
  readonly failed?: readonly number[];
}

const CASES: readonly IdCase[] = [
  { name: "characters that become the same one", replies: [["a:b"], ["a_b"], ["a.b"]] },
  { name: "the same first 64 characters", replies: [[`${LONG}1`, `${LONG}2`], [LONG]] },
  { name: "the same first 40 characters", replies: [[`${LONG.slice(24)}1`], [`${LONG.slice(24)}2`]] },
  { name: "underscores at the end", replies: [["a"], ["a_"], ["a__"]] },
  { name: "nothing legal", replies: [[":::"], ["|"], ["é"]] },
  { name: "two ids in one", replies: [["call_1|fc_1", "call_1|fc_2"], ["call_1_fc_1"], ["call_1"]] },
  { name: "two ids in one, the other way round", replies: [["call_1_fc_1"], ["call_1"], ["call_1|fc_1"]] },
  { name: "long ids of two parts", replies: [[`c|${LONG}1`], [`c|${LONG}2`]] },
  { name: "an own id that another's becomes", replies: [["a:b"], ["a_b"]], own: [1] },
  { name: "an own id that another has", replies: [["a:b"], ["a:b"], ["a:b"]], own: [1] },
  { name: "nine letters with a dash between", replies: [["abc-def-ghi"], ["abcdefghi"]], own: [1] },
  { name: "an id in every turn", replies: [["call_0"], ["call_0"], ["call_0"]], own: [0, 1, 2] },
  { name: "an id twice in one turn", replies: [["call_0", "call_0"], ["call_0"]] },
  { name: "no id", replies: [[""], [""], [undefined, null], ["null"]] },
  { name: "a failed turn with the id", replies: [["call_0"], ["call_0"]], failed: [0] },
  { name: "ids that the guard made", replies: [["m1a2b3c4d", "m5e6f7g8h"]], own: [0] },
  { name: "ids of a running counter", replies: [["functions.read:0", "functions.ls:1"], ["functions.read:2"]] },
];

describe.each(API_ENCODERS.map((encoder) => [encoder.api, encoder] as const))("ids over %s", (_, encoder) => {
  let server: Loopback;
  beforeAll(async () => {
    server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  });
  afterAll(() => server.close());

  it.each(CASES.map((row) => [row.name, row] as const))("stay apart and pair: %s", async (_name, row) => {
    const history = historyOf(row, encoder);
    const stored = structuredClone(history);
    const sent = await send(history, encoder, server);
    expect(history).toEqual(stored);
    const isSent = (_: unknown, index: number) => !row.failed?.includes(index);
    const calls = row.replies.filter(isSent).flat().length;
    expect(sent.calls).toHaveLength(calls);
    expect(sent.results).toEqual(sent.calls);
    expect(new Set(sent.calls).size).toBe(calls);
    if (row.own === undefined && encoder.api !== "openai-completions") {
      expect(sent.calls.filter((id) => !legalFor(encoder).test(id))).toEqual([]);
    }
  });

  it("of its own go back as they came, where the backend takes them", async () => {
    const ids = ["functions.read:0", "m1a2b3c4d", "toolu_01-AB_c", "call_2"];
    const sent = await send(historyOf({ name: "", replies: [ids], own: [0] }, encoder), encoder, server);
    expect(sent.results).toEqual(sent.calls);
    for (const [index, id] of ids.entries()) {
      const isRefused = STRICT.has(encoder.api) && !legalFor(encoder).test(id);
      if (isRefused) expect(sent.calls[index]).toMatch(legalFor(encoder));
      else expect(sent.calls[index]).toBe(id);
    }
  });

  it("of another model's calls stay as they are where any text is taken", async () => {
    const ids = ["functions.read:0", "functions.read:1", "call_0", "call 0", LONG + LONG];
    const sent = await send(historyOf({ name: "", replies: [ids] }, encoder), encoder, server);
    if (encoder.api === "openai-completions") expect(sent.calls).toEqual(ids);
    else expect(sent.calls).not.toEqual(ids);
  });

  it("stay apart and pair, whatever they are", async () => {
    const random = new SeededRandom(7);
    const part = () => Array.from({ length: 1 + random.below(3) }, () => random.pick([..."ab:_-|"])).join("");
    const stems = ["", "", LONG.slice(30), LONG.slice(2)];
    const replies = Array.from({ length: 120 }, () => {
      return Array.from({ length: 1 + random.below(3) }, () => random.pick(stems) + part());
    });
    const own = replies.map((_, index) => index).filter(() => random.chance(0.4));
    const sent = await send(historyOf({ name: "", replies, own }, encoder), encoder, server);
    expect(sent.calls).toHaveLength(replies.flat().length);
    expect(sent.results).toEqual(sent.calls);
    expect(new Set(sent.calls).size).toBe(sent.calls.length);
  });

  it("of a call go out the same while the conversation grows", async () => {
    const replies = [["a:b"], ["a_b"], ["a.b"], [LONG], [`${LONG}1`], ["call_0"], ["call_0"]];
    const all = await send(historyOf({ name: "", replies }, encoder), encoder, server);
    for (let count = 1; count < replies.length; count++) {
      const some = await send(historyOf({ name: "", replies: replies.slice(0, count) }, encoder), encoder, server);
      expect(some.calls).toEqual(all.calls.slice(0, count));
    }
  });
});

describe("ids for models that number their calls over the conversation", () => {
  const encoder = API_ENCODERS.find(({ api }) => api === "openai-completions") as ProviderEncoder;
  let server: Loopback;
  beforeAll(async () => {
    server = await startLoopback({ contentType: encoder.contentType, pieces: [] });
  });
  afterAll(() => server.close());

  it.each<[string, readonly (readonly unknown[])[], readonly string[]]>([
    ["their own stay", [["functions.read:0", "functions.read:1"]], ["functions.read:0", "functions.read:1"]],
    ["their own without the namespace stay", [["read:0"]], ["read:0"]],
    [
      "others are numbered",
      [["call_a", "toolu_01"], [""]],
      ["functions.read:0", "functions.read:1", "functions.read:2"],
    ],
    ["a server's are numbered", [["chatcmpl-tool-1f"]], ["functions.read:0"]],
    ["a taken number is passed over", [["functions.read:1"], ["call_a"]], ["functions.read:1", "functions.read:2"]],
    [
      "a number that comes again is another",
      [["functions.read:0"], ["functions.read:0"]],
      ["functions.read:0", "functions.read:1"],
    ],
    [
      "a number that an earlier call got is another",
      [["call_a"], ["functions.read:0"]],
      ["functions.read:0", "functions.read:1"],
    ],
  ])("%s", async (_, replies, expected) => {
    for (const own of [[], [...replies.keys()]]) {
      const sent = await send(historyOf({ name: "", replies, own }, encoder, KIMI), encoder, server, KIMI);
      expect(sent.calls).toEqual(expected);
      expect(sent.results).toEqual(expected);
    }
  });
});

/** Only AWS and Mistral speak these, and they refuse ids of another form even from their own history. */
const STRICT = new Set(["bedrock-converse-stream", "mistral-conversations"]);

function legalFor({ api }: ProviderEncoder): RegExp {
  return api === "mistral-conversations" ? /^[a-zA-Z0-9]{9}$/ : LEGAL;
}

/** Replies with their calls, and a result for each call that names it. */
function historyOf({ replies, own = [], failed = [] }: IdCase, { api }: ProviderEncoder, model = WITH_IDS): Message[] {
  const history: Message[] = [PROMPT];
  for (const [index, ids] of replies.entries()) {
    const calls = ids.map((id) => toolCall(id as string, "read", { path: `${index}` }) as ToolCall);
    const isFailed = failed.includes(index);
    const source = own.includes(index)
      ? { api, provider: "test-provider", model: model.id }
      : { provider: "elsewhere", model: "other" };
    history.push({ ...reply(calls, isFailed ? "error" : "toolUse"), ...source } as Message);
    if (isFailed) continue;
    for (const id of ids) {
      history.push({
        role: "toolResult",
        toolCallId: id as string,
        toolName: "read",
        content: [{ type: "text", text: "ok" }],
        isError: false,
        timestamp: 0,
      });
    }
  }
  return history;
}

async function send(
  history: readonly Message[],
  encoder: ProviderEncoder,
  server: Loopback,
  model = WITH_IDS,
): Promise<SentIds> {
  const pieces = [encoder.encode([], { finish: "stop" })];
  const { message } = await runProviderStream(encoder, server, pieces, testContext(TOOLS_WITH_TEXT, history), model);
  expect(message.errorMessage).toBeUndefined();
  const sent: SentIds = { calls: [], results: [] };
  collect(server.requests.at(-1), sent);
  return sent;
}

interface SentIds {
  readonly calls: string[];
  readonly results: string[];
}

/** The ids that pair calls with results in a request body, in the order they stand there. */
function collect(value: unknown, into: SentIds, key = ""): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, into, key);
  } else if (typeof value === "object" && value !== null) {
    const node = value as Record<string, unknown>;
    const result =
      node["tool_call_id"] ?? node["tool_use_id"] ?? (key === "toolResult" ? node["toolUseId"] : undefined);
    if (node["type"] === "function_call_output") into.results.push(node["call_id"] as string);
    else if (node["type"] === "function_call") into.calls.push(node["call_id"] as string);
    else if (result !== undefined) into.results.push(result as string);
    else if (key === "functionResponse") into.results.push(node["id"] as string);
    else if (key === "toolUse") into.calls.push(node["toolUseId"] as string);
    else if (key === "functionCall" || key === "tool_calls" || node["type"] === "tool_use")
      into.calls.push(node["id"] as string);
    for (const [name, inner] of Object.entries(node)) collect(inner, into, name);
  }
}
