// Lines of any length, across chunks, in fixed memory.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LineHead } from "../../src/replay/line-head.ts";
import { readLines } from "../../src/replay/line-reader.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";

async function linesOf(text: string | Buffer, maxLine?: number) {
  const path = join(tempFolder(), "lines");
  writeFileSync(path, text);
  const seen = { lines: [] as string[], long: [] as [string, string][], last: [] as string[], bytes: 0 };
  await readLines(
    path,
    {
      line: (line) => void seen.lines.push(line.toString()),
      longLine: (head, tail) => void seen.long.push([head.toString(), tail.toString()]),
      lastLine: (line) => void seen.last.push(line.toString()),
      progress: (bytes) => {
        seen.bytes += bytes;
        return false;
      },
    },
    maxLine,
  );
  return seen;
}

describe("lines", () => {
  test.each([
    ["", [], []],
    ["a\n", ["a"], []],
    ["a\n\n\nb\nc", ["a", "b"], ["c"]],
    ["\n\n", [], []],
    ["ü€😀\n", ["ü€😀"], []],
  ])("%j", async (text, lines, last) => {
    expect(await linesOf(text)).toMatchObject({ lines, last, bytes: Buffer.byteLength(text) });
  });

  test("over the ends of chunks stay whole, whatever their length", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => String(index).padEnd(1 + ((index * 7919) % 40_000), "ü"));
    const long = "x".repeat(3 * 1024 * 1024);
    const seen = await linesOf(`${[...lines, long, "end"].join("\n")}\n`);
    expect(seen.lines).toEqual([...lines, long, "end"]);
  });

  test("above the bound are two ends, and the next line is whole", async () => {
    const long = `{"start":"${"x".repeat(50_000)}","end":1}`;
    const very = `{"s":"${"y".repeat(5_000_000)}","e":1}`;
    const seen = await linesOf(`a\n${long}\nb\n${very}\nc\n`, 20_000);
    expect(seen.lines).toEqual(["a", "b", "c"]);
    expect(seen.long).toHaveLength(2);
    for (const [index, text] of [long, very].entries()) {
      const [head, tail] = seen.long[index]!;
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect([head.length, tail.length]).toEqual([4_096, 4_096]);
    }
  });
});

describe("the ends of a line tell", () => {
  const result = {
    role: "toolResult",
    toolCallId: "call_1|fc_2",
    toolName: "read",
    content: [{ type: "text", text: "x" }],
  };
  const entry = { type: "message", id: "abc", parentId: "def", timestamp: "2026-06-01T00:00:00.000Z" };
  const kinds: readonly (readonly [string, object | string, LineHead["kind"]])[] = [
    ["a result that went well", { ...entry, message: { ...result, isError: false, timestamp: 1 } }, "result"],
    [
      "one with its duration",
      { ...entry, message: { ...result, isError: false, durationMs: 1.5, timestamp: 1 } },
      "result",
    ],
    ["one that failed", { ...entry, message: { ...result, isError: true, timestamp: 1 } }, "parse"],
    [
      "one with nested calls",
      { ...entry, message: { ...result, isError: false, timestamp: 1, nestedCalls: { calls: [] } } },
      "parse",
    ],
    ["one with nested calls inside", { ...entry, message: { ...result, nestedCalls: {}, isError: false } }, "parse"],
    ["a user's message", { ...entry, message: { role: "user", content: "x" } }, "said"],
    ["a user's message about a call", { ...entry, message: { role: "user", content: '"role":"assistant"' } }, "said"],
    ["an assistant's", { ...entry, message: { role: "assistant", content: [] } }, "parse"],
    ["a label", { ...entry, type: "label" }, "nothing"],
    ["an unknown type", { ...entry, type: "new_kind" }, "parse"],
    ["fields in another order", { id: "abc", type: "message", message: { role: "user" } }, "parse"],
    ["half a line", '{"type":"message","id":"a","message":{"role":"user","content":"x', "parse"],
    ["a line with a NUL", '{"type":"message","message":{"role":"user","content":"\0"}}', "parse"],
    ["two lines in one", '{"type":"label"}{"type":"label"}', "parse"],
  ];
  test.each(kinds)("%s", (_name, line, kind) => {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    expect(new LineHead(Buffer.from(text)).kind).toBe(kind);
  });

  test("ids, and when the line was written", () => {
    const head = new LineHead(Buffer.from(JSON.stringify({ ...entry, message: { ...result, isError: false } })));
    expect(head.entry).toEqual(["abc", "def"]);
    expect(head.callId).toBe("call_1|fc_2");
    expect(head.time).toBe(Date.UTC(2026, 5, 1));
  });
});
