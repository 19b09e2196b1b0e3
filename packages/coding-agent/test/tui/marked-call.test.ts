// The lines of markers: what they hold, and that none is wider than the terminal or moves its cursor.
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { MarkedCall, markerLines, PlainCall } from "../../src/tui/marked-call.ts";
import type { MendedCall } from "../../src/tui/mended-calls.ts";
import { mendedIn } from "../../src/tui/mended-calls.ts";
import { plainLine, plainLines, showable } from "../../src/tui/plain-lines.ts";
import { sentAndRan } from "../../src/tui/sent-and-ran.ts";

const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
const look = (expanded: boolean, padding = 0) => ({ theme, expanded, padding });
const call = (sent: unknown, ran: unknown, sentTool?: string): MendedCall => ({
  ...{ id: "c", tool: "labels", names: ["jsonStringParse"], sent, ran, sentTool },
});

describe("the marker", () => {
  test("closed, it is one line whatever was sent", () => {
    expect(markerLines(call({ a: "x\ny" }, { a: ["x"] }), look(false), 80)).toEqual(["mended: jsonStringParse"]);
  });

  test("a tool that draws its own frame gets the frame's padding", () => {
    expect(markerLines(call({ a: "1" }, { a: 1 }), look(true, 1), 80)).toEqual([
      " mended: jsonStringParse",
      '   sent  {"a":"1"}',
      '   ran   {"a":1}',
    ]);
  });

  test.each([1, 2, 7, 23, 24, 40, 200])("no line is wider than %i columns", (width) => {
    const wide = { a: `日本語 ${"é".repeat(300)} 👩‍👩‍👧‍👦 \t\u001b[31m \u202e ${"x".repeat(300)}` };
    for (const expanded of [true, false]) {
      const rows = [
        ...markerLines(call(wide, { a: 1 }, "Läbels"), look(expanded, 1), width),
        ...new PlainCall("labels", wide, look(expanded)).render(width),
      ];
      for (const row of rows) expect(visibleWidth(row)).toBeLessThanOrEqual(Math.max(2, width));
    }
  });

  test("a frame in which nothing changed gets the same array", () => {
    const inner = new PlainCall("labels", { a: 1 }, look(false));
    const marked = new MarkedCall(inner, call({ a: "1" }, { a: 1 }), look(false));
    const first = marked.render(80);
    expect(marked.render(80)).toBe(first);
    expect(marked.render(60)).not.toBe(first);
    marked.invalidate();
    expect(marked.render(60)).toEqual(first);
  });

  test("switched off, it is gone at the next frame", () => {
    let isOn = true;
    const inner = new PlainCall("labels", { a: 1 }, look(false));
    const marked = new MarkedCall(inner, call({ a: "1" }, { a: 1 }), look(false), () => isOn);
    expect(marked.render(80)).toHaveLength(2);
    isOn = false;
    expect(marked.render(80)).toEqual(['labels {"a":1}']);
  });

  test("the call that it marks is drawn first, and gets the mouse for its own lines only", () => {
    const heard: number[] = [];
    const inner = {
      render: () => ["one", "two"],
      invalidate: () => {},
      handleMouse: ({ y }: { y: number }) => {
        heard.push(y);
        return { handled: true };
      },
    };
    const marked = new MarkedCall(inner, call({ a: "1" }, { a: 1 }), look(false));
    expect(marked.render(80)).toEqual(["one", "two", "mended: jsonStringParse"]);
    for (const y of [0, 1, 2]) marked.handleMouse({ y, height: 3 } as Parameters<typeof marked.handleMouse>[0]);
    expect(heard).toEqual([0, 1]);
  });
});

describe("what was sent and what ran", () => {
  test.each<[string, MendedCall, readonly (readonly [string, string])[]]>([
    ["keys that are the same stay away", call({ a: "1", b: "same" }, { a: 1, b: "same" }), [['{"a":"1"}', '{"a":1}']]],
    ["a key that is gone is on one side", call({ a: 1, b: null }, { a: 1 }), [['{"b":null}', "{}"]]],
    ["text that was no object is shown as it came", call('{"a":1', { a: 1 }), [['{"a":1', '{"a":1}']]],
    ["another tool's name comes first", call({ a: 1 }, { a: 1 }, "Labels"), [["Labels", "labels"]]],
    ["nothing differs, nothing is shown", call({ a: 1 }, { a: 1 }), []],
  ])("%s", (_what, made, expected) => {
    expect(sentAndRan(made).map(({ sent, ran }) => [sent, ran])).toEqual(expected);
  });

  test("a long text is cut and its length given", () => {
    const [change] = sentAndRan(call({ a: "x".repeat(50_000) }, { a: [] }));
    expect(change!.sent.length).toBeLessThan(1_300);
    expect(change!.sent).toContain("(50008 characters)");
  });
});

describe("text that is safe to draw", () => {
  test.each([
    ["escape sequences", "\u001b[2J", "\\u{1b}[2J"],
    ["C1 controls", "\u009b31m", "\\u{9b}31m"],
    ["direction marks", "a\u202eb", "a\\u{202e}b"],
    ["tag characters", "a\u{e0041}b", "a\\u{e0041}b"],
    ["carriage returns", "a\rb", "a\\u{d}b"],
    ["line feeds", "a\nb", "a\nb"],
    ["text", "日本語 é ok", "日本語 é ok"],
  ])("%s", (_what, text, expected) => {
    expect(showable(text)).toBe(expected);
  });

  test("lines keep every character and break at line feeds", () => {
    expect(plainLines("abcdef\n日本", 4)).toEqual(["abcd", "ef", "日本"]);
    expect(plainLines("", 4)).toEqual([""]);
    expect(plainLine("abcdefgh", 6)).toBe("abcd…");
  });
});

describe("what a session file may hold in place of a record", () => {
  test.each<[string, unknown]>([
    ["no record", undefined],
    ["null", null],
    ["no names", { original: {} }],
    ["names that are none", { names: "aliasRename" }],
    ["no name", { names: [3] }],
  ])("%s is no repair", (_what, repair) => {
    const block = { type: "toolCall", id: "c", name: "labels", arguments: {}, repair };
    expect(mendedIn({ role: "assistant", content: [block, null] } as never)).toEqual([]);
  });
});
