// Lines with any value in any place: no transcript ends a replay, whatever format it is read in.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { report } from "./support/replayed.ts";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const call = {
  type: "toolCall",
  id: "c",
  name: "read",
  arguments: { path: "a" },
  argumentsError: "x",
  repair: { names: ["a"] },
};
const usage = { input: 1, output: 2, cost: { total: 0.1 }, total_tokens: 3 };
const nestedCalls = {
  calls: [{ id: "c/1", name: "read", arguments: { path: 1 }, status: "error", error: "x" }],
  complete: true,
};

/** Lines as each format has them, with everything that a reader looks at. */
const LINES: Readonly<Record<string, readonly object[]>> = {
  pi: [
    { type: "session", version: 3, timestamp: "2026-06-01T00:00:00.000Z", parentSession: "/x/y.jsonl" },
    {
      type: "message",
      id: "a",
      message: { role: "system", toolsAdded: [{ name: "read", parameters }], toolsRemoved: [{ name: "x" }] },
    },
    { type: "compaction", id: "b", parentId: "a", systemMessage: { toolsAdded: [{ name: "read", parameters }] } },
    {
      ...{ type: "message", id: "c", parentId: "b", timestamp: "2026-06-01T00:00:01.000Z" },
      message: {
        role: "assistant",
        content: [call, { type: "text", text: "<tool_call>{}" }],
        usage,
        stopReason: "stop",
        model: "m",
      },
    },
    {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: "c",
        content: [{ type: "text", text: "x" }],
        isError: true,
        nestedCalls,
      },
    },
  ],
  openai: [
    {
      ...{ model: "m", created: 1, tools: [{ type: "function", function: { name: "read", parameters } }], usage },
      messages: [{ role: "tool", tool_call_id: "c" }],
      choices: [
        {
          finish_reason: "stop",
          message: {
            role: "assistant",
            content: "x",
            tool_calls: [{ id: "c", function: { name: "read", arguments: "{}" } }],
          },
        },
      ],
    },
  ],
  anthropic: [
    {
      ...{
        model: "m",
        tools: [{ name: "read", input_schema: parameters }],
        role: "assistant",
        usage,
        stop_reason: "end_turn",
      },
      content: [
        { type: "text", text: "x" },
        { type: "tool_use", id: "c", name: "read", input: { path: 1 } },
      ],
      messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c", is_error: true, content: "x" }] }],
    },
  ],
  "claude-code": [
    {
      type: "assistant",
      requestId: "r",
      timestamp: "x",
      message: {
        id: "m",
        role: "assistant",
        model: "m",
        content: [{ type: "tool_use", id: "c", name: "Read", input: {} }],
        usage,
      },
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "x" }], is_error: true }],
      },
    },
  ],
  failures: [
    {
      v: 1,
      at: 1,
      host: "pi",
      provider: "p",
      model: "m",
      tool: "read",
      places: [{ path: "", keyword: "type", required: true, expected: "", got: "null", value: "null" }],
      call: { schema: parameters, args: {} },
    },
  ],
};

const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  1e300,
  "",
  "x",
  true,
  [],
  [null],
  [[]],
  {},
  { a: null },
  "toolCall",
  "__proto__",
];

/** How many places there are in a value, itself included. */
function placesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + placesIn(inner), 1);
}

/** The value with another one at its `place`th place. */
function replacedAt(value: unknown, place: number, by: unknown): unknown {
  if (place === 0) return by;
  if (typeof value !== "object" || value === null) return value;
  let left = place - 1;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const count = placesIn(inner);
    const own = left >= 0 && left < count ? replacedAt(inner, left, by) : inner;
    left -= count;
    return [key, own];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

test.each(Object.keys(LINES))("%s", async (format) => {
  const lines = LINES[format]!;
  const folder = tempFolder();
  const out: string[] = [];
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...ODD)), { minLength: 1, maxLength: 3 });
  const property = fc.property(changes, (made) => {
    const changed = lines.map((line) => line as unknown);
    for (const [which, place, by] of made) {
      const at = which % changed.length;
      changed[at] = replacedAt(changed[at], place % placesIn(changed[at]), by);
    }
    out.push(...changed.map((line) => JSON.stringify(line)));
  });
  fc.assert(property, { numRuns: 1_500, seed: 5 });
  // And every odd value once in every place.
  for (const line of lines) {
    for (let place = 0; place < placesIn(line); place++) {
      for (const by of ODD) {
        out.push(...lines.map((one) => JSON.stringify(one === line ? replacedAt(line, place, by) : one)));
      }
    }
  }
  // Texts of their own, or most messages would count as one that is sent again.
  const text = out.map((line, index) => `${line.replaceAll('"x"', `"x${index}"`)}\n`).join("");
  writeFileSync(join(folder, "t.jsonl"), text);
  const { input, total } = await report(folder, "t.jsonl", "--format", format);
  expect(input).toMatchObject({ lines: out.length, unreadable: 0, unfinished: 0 });
  expect(total.calls).toBeGreaterThan(50);
  expect(Object.values(total.verdicts).reduce((sum, count) => sum + count, 0)).toBe(total.calls);
  for (const cost of [total.spent, total.lost, total.saved]) {
    for (const figure of Object.values(cost)) expect(Number.isFinite(figure) && figure >= 0).toBe(true);
  }
});
