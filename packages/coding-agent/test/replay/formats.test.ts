// Every format that replay reads, as its programs write it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FailureRecords, failureLog } from "../../src/memory/failures/failure-records.ts";
import { tempFolder } from "../memory/support/temp-folder.ts";
import { report } from "./support/replayed.ts";

async function replayed(rows: readonly unknown[], ...words: string[]) {
  const folder = tempFolder();
  const lines = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  writeFileSync(join(folder, "t.jsonl"), `${lines.join("\n")}\n`);
  return report(folder, "t.jsonl", ...words);
}

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["path"],
  additionalProperties: false,
};

describe("pi sessions of earlier releases", () => {
  const session = (timestamp: string, ...calls: readonly [string, object, string?][]) => [
    { type: "session", id: "s", timestamp, cwd: "/", provider: "anthropic", modelId: "claude" },
    ...calls.flatMap(([name, args, error], index) => [
      {
        ...{ type: "message", timestamp },
        message: {
          ...{ role: "assistant", provider: "anthropic", model: "claude", stopReason: "toolUse", usage: { input: 5 } },
          ...{
            content: [{ type: "toolCall", id: `c${index}`, name, arguments: args }],
            timestamp: Date.parse(timestamp),
          },
        },
      },
      {
        ...{ type: "message", timestamp },
        message: {
          ...{ role: "toolResult", toolCallId: `c${index}`, toolName: name, isError: error !== undefined },
          ...{ content: [{ type: "text", text: error ?? "fine" }], timestamp: Date.parse(timestamp) },
        },
      },
    ]),
  ];
  const flat = { path: "a", oldText: "b", newText: "c" };
  const list = { path: "a", edits: [{ oldText: "b", newText: "c" }] };
  const invalid = 'Validation failed for tool "edit":\n  - x: must be there';

  test("have the tools of their time", async () => {
    const { total } = await replayed(session("2025-12-01T00:00:00.000Z", ["edit", flat], ["read", { path: "a" }]));
    expect(total.verdicts).toMatchObject({ clean: 2 });
    const later = await replayed(session("2026-05-01T00:00:00.000Z", ["edit", list], ["edit", flat, invalid]));
    expect(later.total.verdicts).toMatchObject({ clean: 1, wouldRun: 1 });
  });

  test("a call that ran is judged by the release that takes it", async () => {
    const { total } = await replayed(session("2026-05-01T00:00:00.000Z", ["edit", flat]));
    expect(total.verdicts).toMatchObject({ clean: 1, alike: 0, ranWrong: 0 });
  });

  test("bounces, by their text, are judged by the tools of the time", async () => {
    const early = session("2025-12-01T00:00:00.000Z", [
      "edit",
      { file_path: "a", old_string: "b", new_string: "c" },
      invalid,
    ]);
    expect((await replayed(early)).total.verdicts).toMatchObject({ wouldRun: 1 });
    const cut = session("2025-12-01T00:00:00.000Z", ["edit", { path: "a", oldText: "b" }, invalid]);
    expect((await replayed(cut)).total.verdicts).toMatchObject({ stillBounces: 1 });
  });

  test("what this package refused then is judged by what was sent, where that is still there", async () => {
    const refused = (args: object, places: readonly string[], argumentsError: string) => {
      const rows = JSON.stringify(
        session("2026-10-01T00:00:00.000Z", ["write", args, `Invalid arguments for tool "write": x`]),
      );
      const block = JSON.stringify({ argumentsError, bounce: { places } }).slice(1);
      return replayed(JSON.parse(rows.replace('"type":"toolCall",', `"type":"toolCall",${block.slice(0, -1)},`)));
    };
    const bounce = "the call was not run.\n  - path: missing";
    const alias = await refused({ file_path: "a", content: "b" }, ["/path required"], bounce);
    expect(alias.total.verdicts).toMatchObject({ wouldRun: 1 });
    const missing = await refused({ path: null, content: "b" }, ["/path type"], bounce);
    expect(missing.total.verdicts).toMatchObject({ stillBounces: 1 });
    expect(missing.unrepaired[0]!.places).toEqual(["type required path got null"]);
    const text = "The arguments were cut off before the JSON ended (cut off after 9 characters). Nothing was run.";
    for (const places of [["unreadable"], [" the arguments were cut off"], [" type"]]) {
      const cut = await refused({}, places, text);
      expect(cut.total.modes.map(({ mode }) => mode)).toEqual(["truncated"]);
    }
  });

  test("a tool of an extension is unknown, and a failed execution is no bounce", async () => {
    const { total } = await replayed(
      session("2025-12-01T00:00:00.000Z", ["fetch_page", { url: 1 }], ["bash", { command: "x" }, "Exit 1"]),
    );
    expect(total.verdicts).toMatchObject({ unjudged: 1, clean: 1 });
  });

  test("a response that hit its limit bounces, one that failed did not run", async () => {
    const rows = session("2026-10-01T00:00:00.000Z", ["write", { path: "a" }, 'Tool call "write" was not executed: x']);
    const cut = JSON.parse(JSON.stringify(rows).replace('"toolUse"', '"length"'));
    const { total } = await replayed(cut);
    expect(total.verdicts).toMatchObject({ stillBounces: 1 });
    expect(total.modes.map(({ mode }) => mode)).toEqual(["truncated"]);
    const failed = JSON.parse(JSON.stringify(rows.slice(0, 2)).replace('"toolUse"', '"error"'));
    expect((await replayed(failed)).total.verdicts).toMatchObject({ notRun: 1 });
  });
});

describe("damage", () => {
  test("is counted and passed by; lines that hold nothing are checked at both ends", async () => {
    const user = { type: "message", id: "a", message: { role: "user", content: "hello" } };
    const whole = JSON.stringify(user);
    const rows = [{ type: "session", version: 3, timestamp: "2026-06-01T00:00:00.000Z" }, user];
    const { input } = await replayed([
      ...rows,
      whole.slice(0, -4),
      whole.slice(9),
      "null",
      "[]",
      `${whole}${whole}`,
      "\0\0",
      user,
    ]);
    expect(input).toMatchObject({ damaged: 6, lines: 9, unfinished: 0 });
  });

  test("is not what some systems put around a line", async () => {
    const call = { type: "toolCall", id: "c", name: "read", arguments: { path: "a" } };
    const turn = { role: "assistant", provider: "p", model: "m", content: [call], stopReason: "toolUse" };
    const rows = [
      { type: "session", version: 3, timestamp: "2026-06-01T00:00:00.000Z" },
      { type: "message", id: "a", message: turn },
    ];
    const text = rows.map((row) => JSON.stringify(row)).join("\r\n\r\n");
    const { input, total } = await replayed([`\uFEFF${text}\r`, "\r"]);
    expect(input).toMatchObject({ damaged: 0, unfinished: 0, lines: 2 });
    expect(total.verdicts).toMatchObject({ clean: 1 });
    const other = await replayed(['{"type":"summary"}\r', "{\r"], "--format", "claude-code");
    expect(other.input).toMatchObject({ damaged: 1, lines: 2 });
  });

  test("messages of any shape end no replay", async () => {
    const odd = [
      1,
      "x",
      null,
      [],
      {},
      { role: "assistant" },
      { role: "assistant", content: [null, 1, {}, { type: "toolCall" }] },
    ];
    const more = [
      {
        role: "assistant",
        content: [{ type: "toolCall", id: 1, name: 2, arguments: 3, repair: 4 }],
        usage: "x",
        stopReason: 5,
      },
      {
        role: "toolResult",
        toolCallId: 1,
        content: {},
        isError: true,
        nestedCalls: { calls: [null, 1, { name: "a" }] },
      },
      {
        role: "system",
        toolsAdded: [null, 1, { name: 1 }, { name: "a", parameters: { type: 7 } }],
        toolsRemoved: [null],
      },
      { role: "assistant", content: [{ type: "toolCall", id: "a", name: "a", arguments: { a: 1 } }], timestamp: -1 },
      { role: "assistant", content: "x", timestamp: 1e300 },
    ];
    const rows = [...odd, ...more].map((message) => ({ type: "message", message, timestamp: "never" }));
    const { input } = await replayed([...rows, { type: "compaction", systemMessage: { toolsAdded: 1 } }, { type: 1 }]);
    expect(input).toMatchObject({ unreadable: 0, damaged: 0, lines: rows.length + 2 });
  });

  test.each(["pi", "openai", "anthropic", "claude-code"])(
    "a call that is nested deeper than the stack costs nothing but itself: %s",
    async (format) => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      const lineOf = (args: string, id: string) => {
        const model = { model: "m" };
        const read = { id, name: "read", arguments: "ARGS", input: "ARGS" };
        const line = {
          pi: { type: "message", message: { role: "assistant", ...model, content: [{ ...read, type: "toolCall" }] } },
          openai: {
            ...{ ...model, tools: [{ function: { name: "read", parameters: openTool } }] },
            messages: [{ role: "assistant", tool_calls: [{ id, function: read }] }],
          },
          anthropic: {
            ...{ ...model, tools: [{ name: "read", input_schema: openTool }] },
            messages: [{ role: "assistant", content: [{ ...read, type: "tool_use" }] }],
          },
          "claude-code": {
            type: "assistant",
            message: { id, role: "assistant", ...model, content: [{ ...read, name: "Read", type: "tool_use" }] },
          },
        }[format];
        return JSON.stringify(line).replaceAll('"ARGS"', args);
      };
      const good = format === "claude-code" ? '{"file_path":"a"}' : '{"path":"a"}';
      const lines = [lineOf(good, "a"), lineOf(`{"path":${deep},"limit":${deep},"x":${deep}}`, "b"), lineOf(good, "c")];
      for (const words of [[], ["--show-values"]]) {
        const { total, input } = await replayed(lines, "--format", format, ...words);
        expect(total.verdicts).toMatchObject({ clean: 2 });
        expect(total.calls - 2 + input.damaged).toBe(1);
      }
    },
  );

  test("a line above the bound costs nothing but itself", async () => {
    const big = "x".repeat(9 * 1024 * 1024);
    const message = {
      role: "toolResult",
      toolCallId: "c",
      toolName: "read",
      content: [{ type: "text", text: big }],
      isError: false,
    };
    const call = { type: "toolCall", id: "c", name: "read", arguments: { path: "a" } };
    const turn = { role: "assistant", provider: "p", model: "m", content: [call], stopReason: "toolUse" };
    const { input, total } = await replayed([
      { type: "message", id: "a", parentId: null, message: turn },
      { type: "message", id: "b", parentId: "a", message },
      {
        type: "message",
        id: "c",
        parentId: "b",
        message: { ...turn, content: [{ ...call, arguments: { path: big } }] },
      },
      { type: "message", id: "d", parentId: "c", message: turn },
    ]);
    expect(input).toMatchObject({ oversized: 1, damaged: 0 });
    expect(total.verdicts).toMatchObject({ clean: 2 });
  });
});

describe("failure records", () => {
  test("are known by their first line, and replay by themselves", async () => {
    const folder = tempFolder();
    const path = join(folder, "failures.jsonl");
    const records = new FailureRecords({ path, now: () => Date.UTC(2026, 7, 1), isTool: () => true });
    const event = { kind: "call", provider: "p", model: "weak" } as never;
    records.keep(event, { tool: { name: "write", parameters }, sent: { path: null, tags: [] } } as never);
    expect(await failureLog(path).append(records.take())).toMatchObject({ ok: true });
    // A record of a release that repaired less: the call is one that would run now.
    const record = {
      ...{ v: 1, at: Date.UTC(2026, 7, 1), host: "pi", provider: "p", model: "weak", tool: "write" },
      places: [
        { path: "/file_path", keyword: "required", required: true, expected: "", got: "missing", value: "missing" },
      ],
      call: { schema: parameters, hints: { aliases: { path: ["file_path"] } }, args: { file_path: "xxx" } },
    };
    writeFileSync(join(folder, "more.jsonl"), `${JSON.stringify(record)}\n{"v":1}\n`);
    const { total, input } = await report(folder, "failures.jsonl", "more.jsonl");
    expect(total).toMatchObject({ model: "all", calls: 2, spent: { turns: 0 }, lost: { turns: 0 } });
    expect(total.verdicts).toMatchObject({ wouldRun: 1, stillBounces: 1 });
    expect(input.damaged).toBe(1);
  });
});

const sent = { file_path: "a.ts" };
const openTool = { ...parameters, properties: { ...parameters.properties, limit: { type: "integer" } } };

describe("--format openai", () => {
  const tools = [{ type: "function", function: { name: "read", parameters: openTool } }];
  const calls = (...texts: readonly string[]) =>
    texts.map((text, index) => ({ id: `c${index}`, type: "function", function: { name: "read", arguments: text } }));

  test("requests, responses and single messages; a history that is sent again counts once", async () => {
    const history = [
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: calls('{"path":"a","tags":"[\\"a\\"]"}') },
      { role: "tool", tool_call_id: "c0", content: "fine" },
    ];
    const message = { role: "assistant", content: "", tool_calls: calls('{"path":"b","limit":"5"}', '{"path":"b",}') };
    const { total, models } = await replayed(
      [
        { model: "gpt", tools, messages: history },
        { model: "gpt", tools, messages: [...history, history[0]] },
        {
          object: "chat.completion",
          created: 1_780_000_000,
          model: "gpt",
          choices: [{ message }],
          usage: { total_tokens: 70 },
        },
        { role: "assistant", tool_calls: calls('{"path":') },
        {
          request: { tools, messages: [] },
          response: {
            model: "gpt",
            choices: [
              {
                message: {
                  role: "assistant",
                  content: '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>',
                },
              },
            ],
          },
        },
        "{",
      ],
      "--format",
      "openai",
    );
    expect(models.map(({ model }) => model)).toEqual(["openai/gpt"]);
    expect(total.verdicts).toMatchObject({ ranWrong: 1, alike: 1, wouldRun: 1, stillBounces: 1 });
    expect(total).toMatchObject({ calls: 4, printed: 1, lost: { turns: 1 }, spent: { tokens: 70 } });
  });
});

describe("--format openai, by programs other than pi", () => {
  const tools = [{ type: "function", function: { name: "read", parameters } }];
  const call = (args: string, more = {}) => ({
    ...{ id: "c", type: "function", function: { name: "read", arguments: args } },
    ...more,
  });
  const result = (content: string) => ({ role: "tool", tool_call_id: "c", content });
  const said = (...messages: readonly object[]) => replayed([{ model: "gpt", tools, messages }], "--format", "openai");

  test("that there is a result says nothing: every call gets one", async () => {
    const bad = { role: "assistant", content: null, tool_calls: [call('{"file_path":"a"}')] };
    const { total } = await said(bad, result("Error: path is missing"));
    expect(total.verdicts).toMatchObject({ wouldRun: 1, alike: 0 });
    expect(total.saved.turns).toBe(1);
    const good = { ...bad, tool_calls: [call('{"path":"a"}')] };
    expect((await said(good, result("Error: no such file"))).total.verdicts).toMatchObject({ clean: 1 });
    const refused = result('Validation failed for tool "read":');
    expect((await said(good, refused)).total.verdicts).toMatchObject({ wouldRun: 1 });
  });

  test("a message that comes back in another dress counts once, and usage is added up where the total is missing", async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 7 };
    const answer = (message: object) => ({ choices: [{ finish_reason: "stop", message }], usage });
    const history = [{ role: "assistant", content: "", tool_calls: [call('{"path":"a"}')] }, result("fine")];
    const first = { role: "assistant", content: null, tool_calls: [call('{"path":"a"}', { index: 0 })] };
    const { total } = await replayed(
      [
        { request: { model: "gpt", tools, messages: [] }, response: answer(first) },
        {
          request: { messages: history },
          response: answer({ role: "assistant", content: "done", tool_calls: [] }),
        },
        { request: { messages: [...history, { role: "assistant", content: "done" }] } },
      ],
      ...["--format", "openai"],
    );
    expect(total).toMatchObject({ calls: 1, spent: { turns: 2, tokens: 24 } });
  });
});

describe("--format anthropic", () => {
  test("a message that comes back in another dress counts once", async () => {
    const tools = [{ name: "read", input_schema: parameters }];
    const use = { type: "tool_use", id: "t", name: "read", input: { path: "a" } };
    const text = { type: "text", text: "I look." };
    const thought = { type: "thinking", thinking: "hm", signature: "s" };
    const usage = { input_tokens: 5, output_tokens: 6 };
    const response = {
      ...{ type: "message", role: "assistant", model: "claude", stop_reason: "tool_use", usage },
      content: [thought, { ...text, citations: null }, use],
    };
    const again = { role: "assistant", content: [text, { ...use, cache_control: { type: "ephemeral" } }] };
    const answer = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "fine" }] };
    const request = { model: "claude", tools, messages: [] };
    const { total } = await replayed(
      [{ request, response }, { request: { ...request, messages: [again, answer] } }],
      ...["--format", "anthropic"],
    );
    expect(total).toMatchObject({ calls: 1, verdicts: { clean: 1 }, spent: { turns: 1, tokens: 11 } });
  });

  test("requests with results, and responses", async () => {
    const tools = [{ name: "read", input_schema: openTool }];
    const use = (id: string, input: object) => ({ type: "tool_use", id, name: "read", input });
    const failed = { type: "tool_result", tool_use_id: "t1", is_error: true, content: 'InputValidationError: "path"' };
    const { total, models } = await replayed(
      [
        {
          ...{ model: "claude", tools },
          messages: [
            { role: "assistant", content: [use("t1", { path: "a", limit: "1", mode: 1 })] },
            { role: "user", content: [failed] },
          ],
        },
        {
          ...{ type: "message", role: "assistant", model: "claude", stop_reason: "tool_use" },
          ...{
            content: [use("t2", { path: "a" })],
            usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 },
          },
        },
      ],
      ...["--format", "anthropic"],
    );
    expect(models.map(({ model }) => model)).toEqual(["anthropic/claude"]);
    expect(total.verdicts).toMatchObject({ clean: 1, stillBounces: 1 });
    expect(total.spent.tokens).toBe(18);
  });
});

describe("--format claude-code", () => {
  test("the last lines of a response say how it ended and what it used", async () => {
    const line = (block: object, output_tokens: number, stop_reason: string | null) => ({
      ...{ type: "assistant", requestId: "r", timestamp: "2026-06-01T00:00:00.000Z" },
      message: {
        ...{ id: "m", role: "assistant", model: "claude-x", content: [block], stop_reason },
        usage: { input_tokens: 10, output_tokens },
      },
    });
    const use = { type: "tool_use", id: "t", name: "Read", input: { file_path: "a" } };
    const lines = [line({ type: "text", text: "I look." }, 1, null), line(use, 50, "max_tokens")];
    const { total } = await replayed([...lines, lines[1]], "--format", "claude-code");
    expect(total).toMatchObject({ calls: 1, verdicts: { stillBounces: 1 }, spent: { turns: 1, tokens: 60 } });
  });

  test("one response over several lines is one turn", async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second)).toISOString();
    const usage = { input_tokens: 10, output_tokens: 5 };
    const line = (second: number, id: string, block: object) => ({
      ...{
        type: "assistant",
        uuid: `u${second}`,
        sessionId: "s",
        version: "2.0.1",
        timestamp: at(second),
        requestId: "r",
      },
      message: { id, role: "assistant", model: "claude-x", content: [block], usage, stop_reason: null },
    });
    const result = (second: number, id: string, text: string, is_error: boolean) => ({
      ...{ type: "user", uuid: `u${second}`, sessionId: "s", timestamp: at(second) },
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text, is_error }] },
    });
    const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
    const refused = "<tool_use_error>InputValidationError: Read failed due to the following issue: x</tool_use_error>";
    const { total, input } = await replayed(
      [
        { type: "user", timestamp: at(0), message: { role: "user", content: "go" } },
        line(4, "m1", { type: "text", text: "I look." }),
        line(5, "m1", use("t1", "Read", { file_path: "a" })),
        line(6, "m1", use("t2", "mcp__x__y", { a: 1 })),
        result(7, "t1", "content", false),
        result(8, "t2", "content", false),
        line(10, "m2", use("t3", "Read", { path: sent.file_path, file_path: null })),
        result(11, "t3", refused, true),
        line(15, "m3", use("t4", "Read", { filePath: "a" })),
        result(16, "t4", refused, true),
        { type: "file-history-snapshot", snapshot: {} },
      ],
      ...["--format", "claude-code"],
    );
    expect(total.spent).toMatchObject({ turns: 3, tokens: 45 });
    expect(total.verdicts).toMatchObject({ clean: 1, unjudged: 1, wouldRun: 1, stillBounces: 1 });
    expect(total.lost).toMatchObject({ turns: 2, seconds: 3 + 5 });
    expect(input.damaged).toBe(0);
  });
});
