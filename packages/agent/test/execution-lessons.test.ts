// Lessons of calls that ran: which results teach what, with the texts of pi's real tools, and when nothing is said.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import { createBashTool, createEditTool, createLsTool, createReadTool } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lessonOf } from "../src/execution-lessons.ts";
import { EXECUTION_LESSONS, type FinishedCall, runAgentLoop } from "../src/index.ts";
import { fauxRun, turn } from "./support/faux-run.ts";
import { recordingTool } from "./support/tools.ts";

function finished(text: string, isError: boolean, args: unknown = {}, details?: unknown): FinishedCall {
  return { id: "c", tool: "t", args, content: [{ type: "text", text }], isError, details };
}

const lesson = (text: string, args?: unknown, isError = true, details?: unknown) =>
  lessonOf(finished(text, isError, args, details), false)?.name;

describe("a failed call", () => {
  it.each([
    ["fileNotFound", "File not found: a.ts"],
    ["editTextNotUnique", "oldText is not unique"],
    ["commandNotFound", "bash: foo: command not found\n\n\nCommand exited with code 127"],
    ["permissionDenied", "x: Permission denied\n\nCommand exited with code 126"],
    ["timedOut", "half\n\nCommand timed out after 2 seconds"],
  ])("teaches %s", (name, text) => {
    expect(lesson(text)).toBe(name);
  });

  it.each([
    ["Found 2 occurrences of the text in a. Please provide more context to make it unique."],
    ["ENOENT: no such file or directory. List the directory first."],
    ["Could not find the exact text in a. Read the file and try again."],
    ["the text is not unique in a: send more of the lines around it"],
    ["sh: rg: not found, because it is not installed\nCommand exited with code 127"],
    ["EISDIR: is a directory, name a file instead"],
    ["EACCES: access is denied, ask the user for it"],
    ["Command timed out after 2 seconds. Increase the timeout and try again, it timed out after 2 seconds"],
  ])("teaches nothing that the tool says itself: %s", (text) => {
    expect(lesson(text)).toBeUndefined();
  });

  it.each([["the tool broke"], ["grep: a: No such file or directory\n\nCommand exited with code 2"], [""]])(
    "teaches nothing where the kind is not known: %s",
    (text) => {
      expect(lesson(text)).toBeUndefined();
    },
  );

  it("with the arguments of the last failure teaches that first", () => {
    expect(lessonOf(finished("ENOENT: no", true), true)?.name).toBe("failedCallRepeated");
  });

  it("of a megabyte is looked at in its ends only", () => {
    const text = `${"x ".repeat(500_000)}\nCommand exited with code 127`;
    expect(lesson(text)).toBe("commandNotFound");
    expect(lesson(`${"ENOENT ".repeat(150_000)}`)).toBe("fileNotFound");
  });
});

describe("a call that succeeded and did nothing", () => {
  it.each([
    ["editWithoutChange", "done", { path: "a", edits: [{ oldText: "x", newText: "x" }] }],
    ["editWithoutChange", "done", { path: "a", old_string: "x", new_string: "x" }],
    ["emptyRangeRead", "", { path: "a", offset: 9 }],
    ["emptyRangeRead", "\n\n[12 more lines in file. Use offset=1 to continue.]", { path: "a", limit: 0 }],
  ])("teaches %s", (name, text, args) => {
    expect(lesson(text, args, false)).toBe(name);
  });

  it("is told by an empty diff, too", () => {
    const args = {
      edits: [
        { oldText: "a", newText: "b" },
        { oldText: "b", newText: "a" },
      ],
    };
    expect(lesson("done", args, false, { diff: "" })).toBe("editWithoutChange");
    expect(lesson("done", args, false, { diff: "-1 a" })).toBeUndefined();
  });

  it.each([
    [
      "some edit changes something",
      "done",
      {
        edits: [
          { oldText: "x", newText: "x" },
          { oldText: "a", newText: "b" },
        ],
      },
    ],
    ["the tool says it", "No changes made to a.", { oldText: "x", newText: "x" }],
    ["the range held text", "line", { offset: 3 }],
    ["the range is one from the start", "", { limit: 20 }],
    ["there is no range", "", { path: "a" }],
    ["arguments are no object", "", "x"],
  ])("teaches nothing where %s", (_kind, text, args) => {
    expect(lesson(text, args, false)).toBeUndefined();
  });
});

describe("pi's own tools", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "pi-mend-lessons-"));
    mkdirSync(join(cwd, "folder"));
    writeFileSync(join(cwd, "a.txt"), "one\ntwo\ntwo\n");
    chmodSync(join(cwd, "a.txt"), 0o644);
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  const edit = (oldText: string, newText: string) => ({ path: "a.txt", edits: [{ oldText, newText }] });

  it.each([
    ["fileNotFound", "read", { path: "none.txt" }],
    ["fileNotFound", "ls", { path: "none" }],
    ["fileNotFound", "edit", { path: "none.txt", edits: [{ oldText: "a", newText: "b" }] }],
    ["isDirectory", "read", { path: "folder" }],
    ["editTextNotFound", "edit", edit("three", "3")],
    ["commandNotFound", "bash", { command: "no-such-command-here" }],
    ["timedOut", "bash", { command: "sleep 3", timeout: 0.2 }],
    ["emptyRangeRead", "read", { path: "a.txt", offset: 4 }],
    ["emptyRangeRead", "read", { path: "a.txt", limit: 0 }],
    ["permissionDenied", "bash", { command: "./a.txt" }],
    ["isDirectory", "edit", { path: "folder", edits: [{ oldText: "a", newText: "b" }] }],
    [undefined, "edit", edit("two", "2")],
    [undefined, "edit", edit("one", "one")],
    [undefined, "read", { path: "a.txt", offset: 99 }],
    [undefined, "read", { path: "a.txt" }],
    [undefined, "bash", { command: "exit 3" }],
  ])("teach %s: %s %j", async (name, tool, args) => {
    const tools = [createReadTool(cwd), createLsTool(cwd), createEditTool(cwd), createBashTool(cwd)] as AgentTool[];
    const run = await fauxRun(runAgentLoop, { turns: [turn([tool, args])], tools });
    const taught = /\[harness] (\w+): (.+)$/.exec(run.texts[0] ?? "");
    expect(taught?.[1]).toBe(name);
    if (name !== undefined) expect(taught?.[2]).toBe(EXECUTION_LESSONS.find((row) => row.name === name)?.guidance);
  });
});

describe("the loop", () => {
  const failing = () =>
    recordingTool("look", {
      execute: async (id) => {
        if (id === "ok") return { content: [], details: {} };
        throw new Error("ENOENT: no such file or directory");
      },
    });
  const fail = (path: string, id: string) => turn(["look", { path }, id]);
  const names = (texts: readonly string[]) => texts.map((text) => /\[harness] (\w+)/.exec(text)?.[1]);

  it("says one line, first time and then every fifth", async () => {
    const turns = Array.from({ length: 6 }, (_, index) => fail(`p${index}`, `c${index}`));
    const run = await fauxRun(runAgentLoop, { turns, tools: [failing()] });
    expect(names(run.texts)).toEqual(["fileNotFound", undefined, undefined, undefined, "fileNotFound", undefined]);
    expect(run.texts[0]?.split("\n")).toHaveLength(2);
  });

  it("tells a repeated failing call to change, not one that another result stands between", async () => {
    const turns = [fail("a", "c1"), fail("a", "c2"), fail("b", "c3"), fail("a", "ok"), fail("a", "c4")];
    const run = await fauxRun(runAgentLoop, { turns, tools: [failing()] });
    expect(names(run.texts)).toEqual(["fileNotFound", "failedCallRepeated", undefined, undefined, undefined]);
  });

  it("goes on counting in a resumed session", async () => {
    const first = await fauxRun(runAgentLoop, { turns: [fail("a", "c1")], tools: [failing()] });
    const messages = JSON.parse(JSON.stringify(first.messages));
    const second = await fauxRun(runAgentLoop, {
      turns: [fail("b", "c2"), fail("b", "c3")],
      tools: [failing()],
      messages,
    });
    expect(names(second.texts)).toEqual([undefined, "failedCallRepeated"]);
  });

  it("says nothing with teach off", async () => {
    const run = await fauxRun(runAgentLoop, {
      turns: [fail("a", "c1")],
      tools: [failing()],
      config: { toolRepair: { teach: false } },
    });
    expect(names(run.texts)).toEqual([undefined]);
  });
});
