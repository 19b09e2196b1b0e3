// What a message may hold before pi's door: 1,000 calls, arguments of 10 MB, schemas of 5,000 properties, 10,000 levels. The
// cost is linear, nothing overflows, nothing stays behind. Growth is the cost of four times the size over that of the size.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import type { ToolLookup } from "@pi-mend/agent/door";
import { expect, test } from "vitest";
import { growthOf } from "../../ai/test/support/growth.ts";
import { reply, toolCall, unparsedCall } from "../../ai/test/support/scripted-stream.ts";
import { mendAssistant } from "../src/core/message-end.ts";
import { SessionRepairs } from "../src/core/session-repairs.ts";

const MB = 1024 * 1024;
/** 4 is linear, 16 quadratic. */
const LINEAR = 11;

const card = {
  type: "object",
  properties: { text: { type: "string" }, labels: { type: "array", items: { type: "string" } }, any: {} },
  required: ["text"],
  additionalProperties: false,
};
const wide = {
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, { type: "integer" }])),
  additionalProperties: false,
};
const LOOKUP: ToolLookup = new Map(
  Object.entries({ card, wide }).map(([name, parameters]) => [name, { name, parameters }]),
);

function mended(calls: readonly ToolCall[], foreign: readonly string[] = []): readonly ToolCall[] {
  const message: AssistantMessage = reply([...calls], "toolUse");
  const tools = { lookup: LOOKUP, foreign: new Set(foreign) };
  return (mendAssistant(message, new SessionRepairs(), () => tools, false) ?? message).content as ToolCall[];
}

const many = <One>(count: number, one: (at: number) => One): One[] => Array.from({ length: count }, (_, at) => one(at));
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const KINDS: Readonly<Record<string, (at: number) => ToolCall>> = {
  "that are right": (at) => toolCall(`c${at}`, "card", { text: "a" }),
  "to repair": (at) => toolCall(`c${at}`, "card", { text: "a", labels: '["x"]' }),
  "that bounce": (at) => toolCall(`c${at}`, "card", { text: null }),
  "without ids": () => toolCall("", "card", { text: "a" }),
  "with one id": () => toolCall("same", "card", { text: "a" }),
  "of no tool": (at) => toolCall(`c${at}`, `tool${at}`, {}),
  "as text": (at) => unparsedCall(`c${at}`, "card", "{'text': 'a'}"),
};

test.each(Object.entries(KINDS))("1,000 calls %s: every one has its verdict and an id of its own", (kind, one) => {
  const calls = mended(many(1_000, one));
  expect(calls).toHaveLength(1_000);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1_000);
  const refused = calls.filter(({ argumentsError }) => argumentsError !== undefined).length;
  expect(refused).toBe(kind === "that bounce" || kind === "of no tool" ? 1_000 : 0);
});

test.each(Object.entries(KINDS))("the cost of calls %s is linear", (_, one) => {
  expect(
    growthOf(
      (size) => many(size, one),
      1_000,
      (calls) => mended(calls),
    ),
  ).toBeLessThan(LINEAR);
});

test.each(["card", "foreign"])(
  "arguments of 10 MB: repaired, bounced and left as they are, for a tool that is %s",
  (owner) => {
    const foreign = owner === "foreign" ? ["card"] : [];
    const text = "x".repeat(10 * MB);
    const right = toolCall("a", "card", { text });
    const [same, repaired, bounced] = mended(
      [right, toolCall("b", "card", { text, labels: '["x"]' }), toolCall("c", "card", { text, labels: [null] })],
      foreign,
    );
    expect(same).toBe(right);
    expect(repaired?.arguments["labels"]).toEqual(["x"]);
    expect(repaired?.arguments["text"]).toBe(text);
    // Left to the tool's own preparation where it is another extension's and pi would refuse it.
    const words = bounced?.argumentsError ?? "";
    expect(words.length).toBeLessThan(5_000);
    if (words !== "") expect(words).toContain("labels");
  },
);

test("5,000 fields to repair in one call, and 5,000 keys that nobody declared", () => {
  const [repaired, bounced] = mended([
    toolCall("a", "wide", Object.fromEntries(many(5_000, (at) => [`field${at}`, String(at)]))),
    toolCall("b", "wide", Object.fromEntries(many(5_000, (at) => [`other${at}`, at]))),
  ]);
  expect(repaired?.arguments["field4999"]).toBe(4_999);
  expect(bounced?.argumentsError?.length).toBeLessThan(10_000);
});

test("10,000 levels, as a value, as a text, and where pi's own check must be asked", () => {
  const nested = JSON.parse(`{"text":"a","any":${deep(9_000)}}`);
  const [kept, ...rest] = mended(
    [
      toolCall("a", "card", nested),
      unparsedCall("b", "card", `{'text':'a','any':${deep(10_000)}}`),
      toolCall("c", "card", JSON.parse(`{"text":${deep(9_000)}}`)),
      toolCall("d", "card", JSON.parse(`{"labels":${deep(9_000)}}`)),
    ],
    ["card"],
  );
  expect(kept?.arguments["any"]).toBe(nested.any);
  expect(rest).toHaveLength(3);
});

test("memory is given back: a hundred messages of 2 MB leave less than ten of them behind", () => {
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const session = new SessionRepairs();
  let at = 0;
  const pass = () => {
    at += 1;
    const sent = JSON.parse(JSON.stringify({ text: `${at}`.padEnd(2 * MB, "x"), labels: '["x"]' }));
    const message: AssistantMessage = reply([toolCall(`c${at}`, "card", sent)], "toolUse");
    const after = mendAssistant(message, session, () => ({ lookup: LOOKUP, foreign: new Set<string>() }), false);
    expect(after?.content[0]).toMatchObject({ arguments: { labels: ["x"] } });
    session.settle(`c${at}`);
  };
  for (let i = 0; i < 5; i++) pass();
  const before = used();
  for (let i = 0; i < 100; i++) pass();
  // The collector runs when it must: what is left at the best of several looks is what is held.
  let held = used() - before;
  for (let i = 0; i < 100 && held > 20 * MB; i++) {
    pass();
    held = Math.min(held, used() - before);
  }
  expect(held).toBeLessThan(20 * MB);
});
