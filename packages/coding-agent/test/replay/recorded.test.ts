// Sessions that the real pi records while the test runs, replayed: what replay says of them is what happened.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { type ScriptedTurn, throughDoor } from "../support/door.ts";
import { CALLING_WITH_ALIASES, LABEL_TOOL } from "../support/extensions.ts";
import { report } from "./support/replayed.ts";

const call = (name: string, args: unknown) => ({
  id: `call_${name}_${JSON.stringify(args).length}`,
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args),
});

/** Runs pi and gives back what replay says of the session it wrote. */
async function recorded(turns: readonly ScriptedTurn[], mended: boolean) {
  const folder = tempFolder();
  const run = await throughDoor({
    turns,
    mended,
    files: { "a.txt": "one\ntwo\n", "list.txt": "one\ntwo\n" },
    before: [LABEL_TOOL, CALLING_WITH_ALIASES],
  });
  expect(run.code).toBe(0);
  writeFileSync(join(folder, "session.jsonl"), run.session);
  return report(folder, "session.jsonl");
}

const TURNS: readonly ScriptedTurn[] = [
  { calls: [call("read", { path: "a.txt" })] },
  { calls: [call("read", { file_path: "a.txt" })] },
  { calls: [call("edit", "{'path': 'a.txt', 'edits': [{'oldText': 'one', 'newText': 'three'}],}")] },
  { calls: [call("set_labels", { card: "c", labels: '["a","b"]' })] },
  { calls: [call("write", { path: null, content: "x" })] },
  { calls: [call("write", { path: "b.txt" })] },
  { calls: [call("frobnicate", {})] },
  { text: 'Once more.\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>' },
];

describe("a session that pi recorded", () => {
  test("without this package: what bounced, ran wrong and was printed", async () => {
    const { total, models, input } = await recorded(TURNS, false);
    expect(models.map(({ model }) => model)).toEqual(["scripted/scripted"]);
    expect(total.verdicts).toEqual({
      ...{ clean: 1, alike: 0, wouldRun: 2, ranWrong: 2, stillBounces: 2, mended: 0, unjudged: 0, notRun: 0 },
    });
    expect(total.wrongBounces).toBe(1);
    expect(total.printed).toBe(1);
    expect(total.lost).toMatchObject({ turns: 4, tokens: 4 * 120 });
    expect(total.saved).toMatchObject({ turns: 2, tokens: 2 * 120 });
    expect(total.saved.seconds).toBeGreaterThan(0);
    expect(total.saved.seconds).toBeLessThan(60);
    expect(total.printedLost.turns).toBe(1);
    expect(input).toMatchObject({ damaged: 0, unfinished: 0, oversized: 0 });
  }, 90_000);

  test("with this package: what it mended, and what bounced in its words", async () => {
    const { total } = await recorded(TURNS, true);
    expect(total.verdicts).toMatchObject({ clean: 1, mended: 3, stillBounces: 3, ranWrong: 0, wouldRun: 0 });
    expect(total.saved.turns).toBe(0);
  }, 90_000);

  test("several calls in one turn, and a call that a tool made and that bounced there", async () => {
    const calls = [call("bash", { command: "true" }), call("bash", { command: "false" }), call("tidy", {})];
    const { total } = await recorded([{ calls }], false);
    expect(total).toMatchObject({ calls: 4, nested: 1, lost: { turns: 0 }, spent: { turns: 2, tokens: 240 } });
    expect(total.verdicts).toMatchObject({ clean: 3, wouldRun: 1 });
    expect(total.modes.map(({ mode }) => mode).sort()).toEqual(["aliasRename", "flatFieldsFold"]);
  }, 90_000);
});
