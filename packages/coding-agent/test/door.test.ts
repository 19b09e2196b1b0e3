// pi-mend inside the real pi: what the model reads next, what ran, and what the session file keeps.
import { describe, expect, it } from "vitest";
import { type ScriptedCall, throughDoor } from "./support/door.ts";
import {
  CALLING_TOOL,
  CALLING_WITH_ALIASES,
  EDIT_AT_LOAD,
  EDIT_AT_SESSION_START,
  HINTED_TOOL,
  LABEL_TOOL,
  OTHER_READ,
  PREPARING_TOOL,
  REFUSING_GATE,
  SIGNING_PROVIDER,
  STRUCTURED_WITNESS,
} from "./support/extensions.ts";

const LIST = { "list.txt": "one\ntwo\nthree\n" };

function call(name: string, args: unknown, id = "call_a"): ScriptedCall {
  return { id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

describe("a call that cannot be repaired", () => {
  it("does not run, and the next request says what is missing and how the call is written", async () => {
    const run = await throughDoor({ turns: [{ calls: [call("write", { path: null, content: "hello" })] }] });
    expect(run.names).toEqual([]);
    expect(run.results[0]).toContain("path");
    expect(run.results[0]).toContain('"content"');
    expect(run.results[0]).not.toContain("Successfully");
    expect(run.stored[0]?.argumentsError).toBeDefined();
    expect(run.stored[0]?.arguments).toEqual({ path: null, content: "hello" });
    expect(run.stored[0]).not.toHaveProperty("repair");
  });

  it("whose text was cut off is refused as that, without an echo of the text", async () => {
    const run = await throughDoor({
      turns: [{ calls: [call("write", '{"path":"note.txt","content":"first half of')] }],
    });
    expect(run.names).toEqual([]);
    expect(run.results[0]).toMatch(/cut off/);
    expect(run.results[0]).not.toContain("first half of");
  });

  it("does not run with a null that pi would have made into text, whoever the tool belongs to", async () => {
    const args = { card: null, labels: ["red"] };
    const run = await throughDoor({ before: [LABEL_TOOL], turns: [{ calls: [call("set_labels", args)] }] });
    expect(run.names).toEqual([]);
    expect(run.results[0]).toMatch(/^Invalid arguments for tool "set_labels": /);
    expect(run.results[0]).toContain("card");
  });

  it.each([
    ["write", '"\\"some text\\""'],
    ["write", "[1,2]"],
    ["set_labels", "5"],
    ["set_labels", '["red","blue"]'],
    ["no_such_tool", '"text"'],
  ])("is replayed with an object, also where the text held none: %s %s", async (name, text) => {
    const run = await throughDoor({ before: [LABEL_TOOL], turns: [{ calls: [call(name, text)] }] });
    expect(run.names).toEqual([]);
    expect(run.stored[0]?.arguments).toEqual({});
    const sent = run.history.flatMap((message) => message.tool_calls ?? []);
    expect(sent.map((one) => JSON.parse(one.function.arguments))).toEqual([{}]);
    expect(run.results[0]).toMatch(/expected|not found/);
  });

  it("does not stop the other call of its message", async () => {
    const calls = [
      call("write", { path: null, content: "x" }),
      call("read", { path: "list.txt", limit: "1" }, "call_b"),
    ];
    const run = await throughDoor({ files: LIST, turns: [{ calls }] });
    expect(run.results[1]).toContain("one");
    expect(run.names).toEqual(["list.txt"]);
  });
});

describe("a call that fails in the same way again", () => {
  const bad = (id: string) => ({ calls: [call("write", { path: null, content: "hello" }, id)] });

  it("is answered with the whole schema and a valid call, until a call of that tool passes", async () => {
    const good = { calls: [call("write", { path: "a.txt", content: "hello" }, "call_c")] };
    const run = await throughDoor({ turns: [bad("call_a"), bad("call_b"), good, bad("call_d")] });
    expect(run.results[0]).not.toContain("JSON Schema");
    expect(run.results[1]).toContain("failed 2 times in the same way: sending it again will fail again");
    expect(run.results[1]).toMatch(/"required":\["path","content"]/);
    expect(run.results[1]).toContain('{"path":"<path>","content":"<content>"}');
    expect(run.results[3]).not.toContain("in the same way");
    expect(run.names).toEqual(["a.txt"]);
  });

  it("is so for a tool that was given its chance to prepare the call", async () => {
    const turns = ["call_a", "call_b"].map((id) => ({ calls: [call("move_card", { card: "K-1" }, id)] }));
    const run = await throughDoor({ after: [PREPARING_TOOL], turns });
    expect(run.results[1]).toMatch(/^Invalid arguments for tool "move_card": /);
    expect(run.results[1]).toContain("failed 2 times in the same way");
  });
});

describe("a call that fails in the same way after the session was opened again", () => {
  it("goes on counting, also where the refusal waited for the tool's own preparation", async () => {
    const failing = (id: string) => ({ calls: [call("move_card", { card: "K-1" }, id)] });
    const prepared = { calls: [call("move_card", { card: "K-1", legacyTarget: "done#2" }, "call_c")] };
    const first = await throughDoor({ after: [PREPARING_TOOL], turns: [failing("call_a")] });
    const again = await throughDoor({
      after: [PREPARING_TOOL],
      turns: [failing("call_b")],
      resumes: first.session,
    });
    expect(again.results).toHaveLength(2);
    expect(again.results[1]).toContain("failed 2 times in the same way");
    expect(JSON.stringify(again.history)).not.toContain('"bounce"');
    const ran = await throughDoor({ after: [PREPARING_TOOL], turns: [prepared], resumes: again.session });
    expect(ran.results[2]).toBe("moved");
    const last = await throughDoor({ after: [PREPARING_TOOL], turns: [failing("call_d")], resumes: ran.session });
    expect(last.results).toHaveLength(4);
    expect(last.results[3]).not.toContain("in the same way");
  });
});

describe("a call that runs and fails", () => {
  it("is told once how to get past it", async () => {
    const turns = ["none.txt", "none.md"].map((path, index) => ({ calls: [call("read", { path }, `call_${index}`)] }));
    const run = await throughDoor({ turns });
    expect(run.results[0]).toMatch(/^ENOENT[^\n]*\n\[harness] fileNotFound: [^\n]+list the directory[^\n]*$/);
    expect(run.results[1]).not.toContain("[harness]");
  });

  it("is told nothing on the way to another tool that made it", async () => {
    const run = await throughDoor({ before: [CALLING_TOOL], turns: [{ calls: [call("tidy", {})] }] });
    expect(run.results[0]).toContain("ENOENT");
    expect(run.results[0]).not.toContain("[harness]");
  });
});

describe("a repaired call", () => {
  it("runs, teaches once, and stands repaired in the history with its original in the session file", async () => {
    const args = { path: "list.txt", limit: "1" };
    const run = await throughDoor({
      files: LIST,
      turns: [{ calls: [call("read", args)] }, { calls: [call("read", args, "call_b")] }],
    });
    expect(run.results[0]).toMatch(/^one\n/);
    expect(run.results[0]).toMatch(/\[harness] numberFromString: [^\n]+ ran as \{"path":"list\.txt","limit":1\}$/);
    expect(run.results[1]).toMatch(/^one\n/);
    expect(run.results[1]).not.toContain("[harness]");
    const sent = run.history[0]?.tool_calls?.[0]?.function.arguments ?? "";
    expect(JSON.parse(sent)).toEqual({ path: "list.txt", limit: 1 });
    expect(run.stored[0]).toMatchObject({
      arguments: { path: "list.txt", limit: 1 },
      repair: { names: ["numberFromString"], original: args },
    });
  });

  it("may have been written as something else than strict JSON", async () => {
    const text = "{'path': 'list.txt', 'limit': 1}";
    const run = await throughDoor({ files: LIST, turns: [{ calls: [call("read", text)] }] });
    expect(run.results[0]).toMatch(/^one\n/);
    expect(run.stored[0]).toMatchObject({
      arguments: { path: "list.txt", limit: 1 },
      repair: { names: ["rawArgumentsRead"], original: text },
    });
    expect(run.stored[0]).not.toHaveProperty("argumentsError");
  });

  it("may belong to another extension's tool, by that tool's own schema", async () => {
    const args = { card: "K-1", labels: '["red","blue"]', rank: "3" };
    const run = await throughDoor({
      before: [LABEL_TOOL],
      after: [STRUCTURED_WITNESS],
      turns: [{ calls: [call("set_labels", args)] }],
    });
    expect(JSON.parse(run.file("labels.json") ?? "")).toEqual({ card: "K-1", labels: ["red", "blue"], rank: 3 });
    expect(run.results[0]).toMatch(/^labelled\n\[harness] [^\n]*jsonStringParse/);
    expect(JSON.parse(run.file("structured.json") ?? "")).toEqual({ ok: true });
  });
});

describe("a repaired call that a provider signed", () => {
  it("runs repaired, and is replayed as it was signed", async () => {
    const args = { path: "list.txt", limit: "1" };
    const run = await throughDoor({
      files: LIST,
      before: [SIGNING_PROVIDER],
      turns: [{ calls: [call("read", args)] }],
    });
    expect(run.results[0]).toMatch(/^one\n\n/);
    expect(JSON.parse(run.history[0]?.tool_calls?.[0]?.function.arguments ?? "")).toEqual(args);
    expect(run.stored[0]?.arguments).toEqual({ path: "list.txt", limit: 1 });
  });
});

describe("a repaired call that a gate stops", () => {
  it("is not said to have run, and the note is still owed to the first one that does", async () => {
    const args = { path: "list.txt", limit: "1" };
    const gate = REFUSING_GATE.replace("() => (", '(event) => event.toolCallId === "call_a" && (');
    const turns = [{ calls: [call("read", args)] }, { calls: [call("read", args, "call_b")] }];
    const run = await throughDoor({ files: LIST, after: [gate], turns });
    expect(run.results[0]).toBe("the gate is closed");
    expect(run.results[1]).toContain("[harness] numberFromString");
  });
});

describe("ids", () => {
  it("match results to two parallel calls that came without", async () => {
    const calls = [call("read", { path: "list.txt", limit: 1 }, ""), call("read", { path: "list.txt", offset: 3 }, "")];
    const run = await throughDoor({ files: LIST, turns: [{ calls }] });
    const sent = run.history[0]?.tool_calls?.map((one) => one.id) ?? [];
    expect(new Set(sent).size).toBe(2);
    expect(sent.every((id) => /^[a-zA-Z0-9_-]{1,40}$/.test(id))).toBe(true);
    const answers = run.history.filter((message) => message.role === "tool");
    expect(answers.map((message) => message.tool_call_id)).toEqual(sent);
    expect(answers[0]?.content).toMatch(/^one\n/);
    expect(answers[1]?.content).toMatch(/^three/);
  });

  it("stay unique over the conversation", async () => {
    const turn = { calls: [call("read", { path: "list.txt" }, "call_0")] };
    const run = await throughDoor({ files: LIST, turns: [turn, turn, turn] });
    expect(new Set(run.stored.map((one) => one.id)).size).toBe(3);
    expect(run.stored[0]?.id).toBe("call_0");
  });
});

describe("tool names", () => {
  it("run under the active tool they mean", async () => {
    const run = await throughDoor({ files: LIST, turns: [{ calls: [call("Read", { path: "list.txt" })] }] });
    expect(run.results[0]).toMatch(/^one\ntwo\nthree\n/);
    expect(run.history[0]?.tool_calls?.[0]?.function.name).toBe("read");
    expect(run.stored[0]?.repair).toMatchObject({ names: ["toolNameResolved"], originalName: "Read" });
  });

  it("that no active tool fits are answered with the valid ones, and others still run", async () => {
    const calls = [call("Glob", { pattern: "*" }), call("read", { path: "list.txt" }, "call_b")];
    const run = await throughDoor({ files: LIST, turns: [{ calls }] });
    expect(run.results[0]).toBe('Tool "Glob" not found. Valid tool names: read, bash, edit, write.');
    expect(run.results[1]).toMatch(/^one\n/);
  });

  it("that no server would take back are replayed in a legal form", async () => {
    const run = await throughDoor({
      turns: [{ calls: [call("fs/glob files!", { pattern: "*" }), call("", { path: "list.txt" }, "call_b")] }],
    });
    const names = run.history[0]?.tool_calls?.map((one) => one.function.name) ?? [];
    expect(names).toHaveLength(2);
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(run.results[0]).toContain("Valid tool names");
    expect(run.results[1]).toContain("Tool name missing");
  });
});

describe("pi's edit", () => {
  const flat = call("edit", { path: "list.txt", oldText: "two", newText: "2" });

  it("takes a flat pair and changes the file as asked", async () => {
    const run = await throughDoor({ files: LIST, turns: [{ calls: [flat] }] });
    expect(run.file("list.txt")).toBe("one\n2\nthree\n");
    expect(run.stored[0]).toMatchObject({
      arguments: { path: "list.txt", edits: [{ oldText: "two", newText: "2" }] },
      repair: { original: { path: "list.txt", oldText: "two", newText: "2" } },
    });
  });

  it("takes a flat pair from another tool's call", async () => {
    const run = await throughDoor({ files: LIST, before: [CALLING_TOOL], turns: [{ calls: [call("tidy", {})] }] });
    expect(run.file("list.txt")).toBe("one\n2\nthree\n");
  });

  it("runs without pi's own preparation: another tool's call is mended by the general repair", async () => {
    const turns = [{ calls: [call("tidy", {})] }];
    const run = await throughDoor({ files: LIST, before: [CALLING_WITH_ALIASES], turns });
    expect(run.file("list.txt")).toBe("one\n2\nthree\n");
    const stock = await throughDoor({ files: LIST, before: [CALLING_WITH_ALIASES], turns, mended: false });
    expect(stock.file("list.txt")).toBe("one\ntwo\nthree\n");
  });

  it("is declared and described to the model as before", async () => {
    const turns = [{ calls: [call("read", { path: "list.txt" })] }];
    const mended = await throughDoor({ files: LIST, turns });
    const stock = await throughDoor({ files: LIST, turns, mended: false });
    expect([...mended.declared]).toEqual([...stock.declared]);
    // The work folders differ by name only.
    const folder = /pi-mend-door-\w+/g;
    expect(mended.systemPrompt.replace(folder, "")).toBe(stock.systemPrompt.replace(folder, ""));
  });

  it("is not brought back where the user left it out", async () => {
    const run = await throughDoor({ files: LIST, args: ["--tools", "read,bash"], turns: [{ calls: [flat] }] });
    expect([...run.declared.keys()].sort()).toEqual(["bash", "read"]);
    expect(run.file("list.txt")).toBe(LIST["list.txt"]);
    expect(run.results[0]).toContain("Valid tool names: read, bash.");
  });

  it.each([
    ["loaded before", { before: [EDIT_AT_LOAD] }],
    ["loaded after", { after: [EDIT_AT_LOAD] }],
    ["that registers it as the session starts", { after: [EDIT_AT_SESSION_START] }],
  ])("stays replaced by another extension %s", async (_when, extensions) => {
    const run = await throughDoor({ files: LIST, turns: [{ calls: [flat] }], ...extensions });
    expect(run.results[0]).toBe("other edit ran");
    expect(JSON.parse(run.file("other-edit.json") ?? "")).toEqual({ path: "list.txt", oldText: "two", newText: "2" });
    expect(run.declared.get("edit")?.description).toBe("Another edit");
    expect(run.stored[0]).not.toHaveProperty("repair");
  });
});

describe("what pi-mend knows about pi's own tools", () => {
  const turns = [{ calls: [call("read", { uri: "list.txt" })] }];

  it("serves their calls", async () => {
    const run = await throughDoor({ files: LIST, turns });
    expect(run.results[0]).toMatch(/^one\n/);
    expect(run.stored[0]?.arguments).toEqual({ path: "list.txt" });
  });

  it("is not used for another extension's tool of the same name", async () => {
    const run = await throughDoor({ files: LIST, before: [OTHER_READ], turns });
    expect(run.results[0]).toContain("path");
    expect(run.results[0]).not.toContain("other read of");
    expect(run.stored[0]?.arguments).toEqual({ uri: "list.txt" });
  });
});

describe("another extension's own preparation of arguments", () => {
  it("still takes the shapes its schema does not show", async () => {
    const args = { card: "K-1", legacyTarget: "done#2" };
    const run = await throughDoor({ after: [PREPARING_TOOL], turns: [{ calls: [call("move_card", args)] }] });
    expect(JSON.parse(run.file("move.json") ?? "")).toEqual({ card: "K-1", target: { column: "done", place: 2 } });
    expect(run.results[0]).toBe("moved");
  });

  it("leaves the word to a gate that stops the prepared call", async () => {
    const args = { card: "K-1", legacyTarget: "done#2" };
    const run = await throughDoor({
      after: [PREPARING_TOOL, REFUSING_GATE],
      turns: [{ calls: [call("move_card", args)] }],
    });
    expect(run.names).toEqual([]);
    expect(run.results[0]).toBe("the gate is closed");
  });

  it("that does not help leaves the refusal that teaches", async () => {
    const run = await throughDoor({
      after: [PREPARING_TOOL],
      turns: [{ calls: [call("move_card", { card: "K-1" })] }],
    });
    expect(run.names).toEqual([]);
    expect(run.results[0]).toContain("target");
    expect(run.results[0]).not.toContain("Received arguments");
  });
});

describe("what pi-mend leaves alone", () => {
  it("is every clean call: the conversation is the same without it", async () => {
    const turns = [
      { text: "Reading.", calls: [call("read", { path: "list.txt" }), call("bash", { command: "echo hi" }, "call_b")] },
      { calls: [call("edit", { path: "list.txt", edits: [{ oldText: "one", newText: "1" }] }, "call_c")] },
    ];
    const mended = await throughDoor({ files: LIST, turns });
    const stock = await throughDoor({ files: LIST, turns, mended: false });
    expect(mended.history).toEqual(stock.history);
    expect(mended.stored).toEqual(stock.stored);
    expect(mended.file("list.txt")).toBe("1\ntwo\nthree\n");
  });

  it("is a response cut off by the token limit, which pi refuses as a whole", async () => {
    const calls = [call("read", { path: "list.txt", limit: "1" })];
    const run = await throughDoor({ files: LIST, turns: [{ calls, finish: "length" }] });
    expect(run.results[0]).toContain("output token limit");
    expect(run.stored[0]).not.toHaveProperty("repair");
  });

  it("is everything when PI_MEND is off", async () => {
    const turns = [{ calls: [call("write", { path: null, content: "x" }), call("Glob", {}, "call_b")] }];
    const off = await throughDoor({ turns, env: { PI_MEND: "off" } });
    const stock = await throughDoor({ turns, mended: false });
    expect(off.history).toEqual(stock.history);
    expect(off.stored).toEqual(stock.stored);
    expect(off.names).toEqual(stock.names);
  });
});

describe("what a server left of a call", () => {
  it("is put together before it runs: a last piece under an index that was never opened", async () => {
    const turns = [{ calls: [call("read", '{"path":"list', "call_a"), call("", '.txt"}', "")] }];
    const run = await throughDoor({ files: LIST, turns });
    expect(run.results).toHaveLength(1);
    expect(run.results[0]).toContain("two");
  });

  it("is taken out of the wrapper for parallel calls, all or none", async () => {
    const uses = [
      { recipient_name: "functions.read", parameters: { path: "list.txt", limit: 1 } },
      { recipient_name: "functions.read", parameters: { path: "list.txt", offset: 3 } },
    ];
    const run = await throughDoor({
      files: LIST,
      turns: [{ calls: [call("multi_tool_use.parallel", { tool_uses: uses })] }],
    });
    expect(run.results).toHaveLength(2);
    expect(run.results[0]).toContain("one");
    expect(run.results[1]).toContain("three");
  });
});

describe("hints that an extension sends for its tool", () => {
  const turns = [{ calls: [call("ticket", { subject: "leak", tags: ["bug"] })] }];

  it.each([
    ["loaded before pi-mend", { before: [HINTED_TOOL] }],
    ["loaded after pi-mend", { after: [HINTED_TOOL] }],
  ])("are used, %s", async (_when, extensions) => {
    const run = await throughDoor({ ...extensions, turns });
    expect(JSON.parse(run.file("ticket.json") ?? "null")).toEqual({ title: "leak", labels: ["bug"] });
  });

  it("are heard by nobody without pi-mend, and the call bounces as in stock pi", async () => {
    const run = await throughDoor({ before: [HINTED_TOOL], mended: false, turns });
    expect(run.file("ticket.json")).toBeUndefined();
    expect(run.results[0]).toContain("title: missing");
  });
});
