// Markers in a real pi session: on rows that were streamed, on rows of a resumed session, and nowhere else.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { lines, type MarkedSession, type MarkedSessionOptions, markedSession } from "./support/pi-session.ts";

const open: MarkedSession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function place(): string {
  const home = tempFolder();
  mkdirSync(join(home, "work"));
  writeFileSync(join(home, "work", "notes.txt"), "first line\nsecond line\n");
  return home;
}

async function session(options: MarkedSessionOptions): Promise<MarkedSession> {
  const made = await markedSession(options);
  open.push(made);
  if (options.resume === undefined) await made.prompt();
  return made;
}

/** A tool of an extension without renderers of its own. */
const labels = (pi: ExtensionAPI) =>
  pi.registerTool({
    name: "labels",
    label: "Labels",
    description: "Sets labels",
    parameters: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" } } },
      required: ["names"],
    } as never,
    execute: async () => ({ content: [{ type: "text", text: "set" }], details: {} }),
  });

const TURNS = [
  { calls: [{ id: "one", name: "read", arguments: '{"file_path":"notes.txt","limit":"1"}' }] },
  { calls: [{ id: "two", name: "labels", arguments: '{"names":"[\\"a\\",\\"b\\"]"}' }] },
  { calls: [{ id: "three", name: "read", arguments: '{"path":"notes.txt"}' }] },
  { calls: [{ id: "four", name: "Bash", arguments: '{"command":"echo hi"}' }] },
  { calls: [{ id: "five", name: "read", arguments: '{"path":{}}' }] },
];

const marks = ({ rows }: MarkedSession) => rows.map((row) => lines(row).filter((line) => line.includes("mended")));
const MARKS = [
  [" mended: aliasRename, numberFromString"],
  [" mended: jsonStringParse"],
  [],
  [" mended: toolNameResolved"],
  [],
];

test("streamed calls: a repaired one is marked once, under the call and before its result; clean and bounced ones are not", async () => {
  const live = await session({ home: place(), turns: TURNS, extension: labels });
  expect(marks(live)).toEqual(MARKS);
  const [read] = live.rows;
  const drawn = lines(read!);
  expect(drawn.findIndex((line) => line.includes("mended"))).toBe(1);
  expect(drawn[0]).toContain("notes.txt");
});

/** A tool that draws its calls and results itself, from what it is given. */
const badge = (pi: ExtensionAPI) => {
  const draw = (text: string) => ({ render: () => [text], invalidate: () => {} });
  pi.registerTool({
    name: "badge",
    label: "Badge",
    description: "Makes a badge",
    parameters: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] } as never,
    renderCall: (args, _theme, context) => draw(`call ${JSON.stringify([args, context.args])}`),
    renderResult: (_result, _options, _theme, context) => draw(`result ${JSON.stringify(context.args)}`),
    execute: async () => ({ content: [{ type: "text", text: "made" }], details: {} }),
  });
};

test("a streamed row gets the arguments that ran, for the call and for its result", async () => {
  const call = { id: "one", name: "badge", arguments: '{"size":"3"}' };
  const live = await session({ home: place(), turns: [{ calls: [call] }], extension: badge });
  expect(lines(live.rows[0]!)).toEqual([
    ' call [{"size":3},{"size":3}]',
    " mended: numberFromString",
    ' result {"size":3}',
  ]);
});

test("opening a call shows what was sent and what ran, only where they differ", async () => {
  const live = await session({ home: place(), turns: TURNS, extension: labels });
  for (const row of live.rows) row.setExpanded(true);
  const at = (row: number) => lines(live.rows[row]!);
  expect(at(0).slice(1, 4)).toEqual([
    " mended: aliasRename, numberFromString",
    '   sent  {"file_path":"notes.txt","limit":"1"}',
    '   ran   {"limit":1,"path":"notes.txt"}',
  ]);
  expect(at(3)).toEqual(expect.arrayContaining(["   sent  Bash", "   ran   bash"]));
  expect(at(2).join("\n")).not.toContain("sent");
});

test.each([
  ["after the start of the session", false],
  ["before the start of the session", true],
])("a resumed session has its markers again, drawn %s", async (_when, drawsEarly) => {
  const home = place();
  const live = await session({ home, turns: TURNS, extension: labels });
  const again = await session({ home, turns: [], resume: live.sessionFile, drawsEarly, extension: labels });
  expect(marks(again)).toEqual(MARKS);
  again.rows[1]!.setExpanded(true);
  expect(lines(again.rows[1]!).join("\n")).toContain('sent  {"names":"[\\"a\\",\\"b\\"]"}');
});

test("a tool that is gone keeps the marker on its calls when the session is resumed", async () => {
  const home = place();
  const live = await session({ home, turns: TURNS, extension: labels });
  const again = await session({ home, turns: [], resume: live.sessionFile });
  expect(marks(again)[1]).toEqual([" mended: jsonStringParse"]);
});

test("markers switched off: rows are what they are without markers", async () => {
  const live = await session({ home: place(), turns: TURNS, extension: labels, markers: false });
  expect(marks(live).flat()).toEqual([]);
});

test("a call that was given an id of its own leaves one row on the screen, the one with its result", async () => {
  const call = { id: "", name: "labels", arguments: '{"names":"[\\"a\\"]"}' };
  const live = await session({ home: place(), turns: [{ calls: [call] }], extension: labels });
  const shown = live.rows.map(lines).filter((row) => row.length > 0);
  expect(shown).toHaveLength(1);
  expect(shown[0]).toEqual(expect.arrayContaining([' labels {"names":["a"]}', " mended: jsonStringParse", " set"]));
});

test("an id that comes again leaves the rows of both calls", async () => {
  const calls = [{ id: "same", name: "read", arguments: '{"path":"notes.txt"}' }];
  const live = await session({ home: place(), turns: [{ calls }, { calls }] });
  const shown = live.rows.map(lines).filter((row) => row.length > 0);
  expect(shown.map(([first]) => first)).toEqual([" read notes.txt", " read notes.txt"]);
});
