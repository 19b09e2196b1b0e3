// pi-mend beside other extensions that use the same hooks, loaded before it and behind it, through the real pi.
import { describe, expect, test } from "vitest";
import { type DoorRun, throughDoor } from "../support/door.ts";
import { CHANGES_RESULTS, LABEL_TOOL, MARKS_MESSAGES, OTHER_READ } from "../support/extensions.ts";

const ORDERS = ["before", "after"] as const;
const call = (name: string, args: string) => ({ calls: [{ id: "c1", name, arguments: args }] });
const beside = (
  when: (typeof ORDERS)[number],
  sources: readonly string[],
  turn: object,
  files = {},
): Promise<DoorRun> => throughDoor({ turns: [turn], files, [when]: sources });

describe.each(ORDERS)("another extension %s pi-mend", (when) => {
  test("that replaces messages: the call is repaired and keeps the mark", async () => {
    const run = await beside(when, [MARKS_MESSAGES], call("read", '{"file_path":"a.txt","limit":{}}'), {
      "a.txt": "one",
    });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("one");
    expect(run.stored[0]).toMatchObject({ arguments: { path: "a.txt" }, marked: true });
    expect(run.stored[0]?.repair?.names).toContain("aliasRename");
  });

  test("that changes results: its change and the note are both there", async () => {
    const run = await beside(when, [CHANGES_RESULTS], call("read", '{"file_path":"a.txt"}'), { "a.txt": "a secret" });
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("a [hidden]");
    expect(run.results[0]).toContain("[harness] aliasRename");
  });

  test("that replaces a built-in tool: its tool runs, repaired by its own schema", async () => {
    const run = await beside(when, [OTHER_READ], call("read", '{"path":["a.txt"]}'));
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.results[0]).toContain("other read of a.txt");
  });

  test("all of them at once, and a tool of its own", async () => {
    const sources = [MARKS_MESSAGES, CHANGES_RESULTS, OTHER_READ, LABEL_TOOL];
    const run = await beside(when, sources, call("set_labels", '{"card":"c","labels":"[\\"x\\",\\"y\\"]"}'));
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(JSON.parse(run.file("labels.json")!)).toEqual({ card: "c", labels: ["x", "y"] });
    expect(run.stored[0]).toMatchObject({ marked: true, arguments: { labels: ["x", "y"] } });
  });
});
