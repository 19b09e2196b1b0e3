// What pi-mend relies on in the installed pi-ai and pi-schema: one test a fact. Each name opens with the fact's id and
// closes with what pi-mend may drop or must change on the day the test fails. Nothing of pi-mend is imported here.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { findPackageJSON } from "node:module";
import type { AddressInfo } from "node:net";
import {
  type AssistantMessage,
  type Model,
  normalizeContext,
  type ToolCall,
  validateToolArguments,
  validateToolCall,
} from "@earendil-works/pi-ai";
import { stream } from "@earendil-works/pi-ai/api/openai-completions";
import { arr, compile, obj, str } from "@earendil-works/pi-schema";
import { Type as SinclairType } from "@sinclair/typebox";
import { Type } from "typebox";
import { afterEach, describe, expect, test } from "vitest";

const dependenciesOf = (name: string): string[] => {
  const manifest = JSON.parse(readFileSync(findPackageJSON(name, import.meta.url) as string, "utf8"));
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
};

const objectOf = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

const callOf = (args: unknown, argumentsError?: string): ToolCall => ({
  type: "toolCall",
  id: "call_a",
  name: "probe",
  arguments: args as ToolCall["arguments"],
  ...(argumentsError === undefined ? {} : { argumentsError }),
});

const run = (parameters: object, args: unknown): unknown =>
  validateToolArguments({ name: "probe", description: "", parameters }, callOf(args));

const STRING = { type: "string" };
const STRINGS = { type: "array", items: STRING };

describe("validation", () => {
  test("F1: any JSON Schema validates without TypeBox and without eval; else: the core may not compile with pi-schema alone", () => {
    const typebox = Type.Object({ tags: Type.Array(Type.String()) });
    const sinclair = SinclairType.Object({ tags: SinclairType.Array(SinclairType.String()) });
    const schemas = [typebox, sinclair, obj({ tags: arr(str()) })];
    for (const schema of [...schemas, ...schemas.map((one) => JSON.parse(JSON.stringify(one)) as object)]) {
      expect(run(schema, { tags: ["a"] })).toEqual({ tags: ["a"] });
      expect(() => run(schema, { tags: [{}] })).toThrow("tags.0: expected string, got object");
    }
    expect(dependenciesOf("@earendil-works/pi-ai").filter((name) => /typebox|ajv|zod/.test(name))).toEqual([]);
    expect(dependenciesOf("@earendil-works/pi-schema")).toEqual([]);
    const script = `
      import { validateToolArguments } from "@earendil-works/pi-ai";
      let refused = false;
      try { new Function("return 1"); } catch { refused = true; }
      const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
      const out = validateToolArguments({ name: "p", parameters }, { name: "p", arguments: { n: "7" } });
      process.stdout.write(JSON.stringify({ refused, out }));`;
    const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
    const printed = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual({ refused: true, out: { n: 7 } });
  });

  test.each([
    ["a quoted JSON list", objectOf({ tags: STRINGS }), { tags: '["x","y"]' }, { tags: ['["x","y"]'] }],
    ["a required null", objectOf({ path: STRING }), { path: null }, { path: "null" }],
    ["a fraction for an integer", objectOf({ n: { type: "integer" } }), { n: "4.5" }, { n: 4 }],
    ["a number beyond 2^53", objectOf({ n: { type: "integer" } }), { n: "9007199254740993" }, { n: 9007199254740992 }],
  ])(
    "F1: coercion runs %s as a wrong value; else: drop its row from the superset-of-today guard",
    (_, schema, args, runs) => {
      expect(run(schema, args)).toEqual(runs);
    },
  );

  test.each([
    ["number for a string", objectOf({ s: STRING }), { s: 4 }, { s: "4" }],
    ["1 for a boolean", objectOf({ b: { type: "boolean" } }), { b: 1 }, { b: true }],
    ["single value for a list", objectOf({ l: STRINGS }), { l: "x" }, { l: ["x"] }],
    ["null for an optional field", objectOf({ s: STRING }, []), { s: null }, {}],
  ])(
    "F1: coercion accepts %s harmlessly; else: the superset-of-today promise shrinks by it",
    (_, schema, args, runs) => {
      expect(run(schema, args)).toEqual(runs);
    },
  );

  const bounced: [string, object, unknown, string][] = [
    ["{} placeholders", objectOf({ n: { type: "number" } }, []), { n: {} }, "n: expected number, got object"],
    ["quoted objects", objectOf({ o: objectOf({ a: STRING }) }), { o: '{"a":"x"}' }, "o: expected object, got string"],
    ["argv lists", objectOf({ c: STRING }), { c: ["ls", "-l"] }, "c: expected string, got array"],
    ["{cmd} wrappers", objectOf({ c: STRING }), { c: { cmd: "ls" } }, "c: expected string, got object"],
    ["one-item lists for scalars", objectOf({ c: STRING }), { c: ["ls"] }, "c: expected string, got array"],
    ["enum case variants", objectOf({ m: { enum: ["lines", "files"] } }), { m: "Lines" }, "m: expected one of"],
    ["key aliases", objectOf({ path: STRING }), { file_path: "a" }, "path: missing"],
    ["root strings", objectOf({ path: STRING }), "a", "root: expected object, got string"],
  ];
  test.each(bounced)(
    "F2: pi bounces %s; else: its entry saves no turn any more and may be dropped",
    (_, schema, args, message) => {
      expect(() => run(schema, args)).toThrow(message);
    },
  );

  test("F3: errors are {path: JSON Pointer, keyword, message}, a missing field sits at the field; else: classifyFailures reads wrong places", () => {
    const errors = compile(objectOf({ "a/b": STRING, "c~d": STRING, gone: STRING })).errors({ "a/b": 1, "c~d": 2 });
    expect(errors.map((error) => Object.keys(error).sort())).toEqual(errors.map(() => ["keyword", "message", "path"]));
    expect(errors.map(({ path, keyword }) => [path, keyword]).sort()).toEqual([
      ["/a~1b", "type"],
      ["/c~0d", "type"],
      ["/gone", "required"],
    ]);
  });

  test("F3: a union reports one branch only; else: sites of a union may come from the error list, not the sub-schema", () => {
    const union = compile({ anyOf: [STRING, { type: "array", items: { type: "number" } }] });
    expect(union.errors([1, "x"]).map((error) => error.path)).toEqual(["/1"]);
    expect(union.errors({}).map((error) => error.message)).toEqual(["expected string, got object"]);
  });

  test("F3: with coerce on, errors describe the coerced value; else: one compiled validator may serve both doors", () => {
    const schema = objectOf({ list: { type: "array", items: { type: "number" } } });
    const parsed = compile(schema, { coerce: true }).parse({ list: "abc" });
    expect(parsed.ok ? [] : parsed.errors.map((error) => error.path)).toEqual(["/list/0"]);
    expect(
      compile(schema)
        .errors({ list: "abc" })
        .map((error) => error.path),
    ).toEqual(["/list"]);
  });

  test("F1: validateToolCall coerces as well, with pi-ai's own validator; else: its replacement may be dropped", () => {
    const tool = { name: "probe", description: "", parameters: objectOf({ path: STRING }) };
    expect(validateToolCall([tool], callOf({ path: null }))).toEqual({ path: "null" });
    expect(() => validateToolCall([], callOf({}))).toThrow('Tool "probe" not found');
  });
});

let server: Server | undefined;
afterEach(async () => {
  await new Promise((done) => (server === undefined ? done(undefined) : server.close(done)));
  server = undefined;
});

type ToolDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } };

/** What upstream's stream makes of these wire deltas: the final message and the text of all toolcall_delta events. */
async function streamed(deltas: readonly ToolDelta[][]): Promise<{ message: AssistantMessage; raw: string }> {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const body = `${deltas.map((tool_calls) => chunk({ tool_calls }, null)).join("")}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
  const started = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.end(body);
  });
  server = started;
  await new Promise<void>((ready) => started.listen(0, "127.0.0.1", ready));
  const model: Model<"openai-completions"> = {
    id: "m",
    name: "m",
    api: "openai-completions",
    provider: "loopback",
    baseUrl: `http://127.0.0.1:${(started.address() as AddressInfo).port}/v1`,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 8000,
    maxTokens: 1000,
  };
  const context = normalizeContext({ messages: [{ role: "user", content: "go", timestamp: 1 }] });
  const events = stream(model, context, { apiKey: "k", maxRetries: 0 });
  let raw = "";
  for await (const event of events) if (event.type === "toolcall_delta") raw += event.delta;
  return { message: await events.result(), raw };
}

const argumentsText = (text: string, cut = Math.ceil(text.length / 2)): ToolDelta[][] => [
  [{ index: 0, id: "call_a", function: { name: "probe", arguments: text.slice(0, cut) } }],
  [{ index: 0, function: { arguments: text.slice(cut) } }],
];

const callsOf = (message: AssistantMessage): ToolCall[] => message.content.filter((block) => block.type === "toolCall");

describe("streams", () => {
  test("F4: malformed JSON arrives as {} plus argumentsError ending in the raw text; else: the raw text must come from the deltas alone", async () => {
    const text = "{path: 'a\"b', limit: 5";
    const { message, raw } = await streamed(argumentsText(text));
    const [call] = callsOf(message);
    expect(raw).toBe(text);
    expect(call?.arguments).toEqual({});
    expect(call?.argumentsError).toMatch(/^[^\n]+\n\nReceived arguments:\n/);
    expect(call?.argumentsError?.split("\n\nReceived arguments:\n").slice(1).join("")).toBe(text);
    expect(() => run(objectOf({}), {})).not.toThrow();
    const tool = { name: "probe", description: "", parameters: objectOf({}) };
    expect(() => validateToolArguments(tool, call as ToolCall)).toThrow(text);
  });

  test.each([
    ["a root string", '"a.txt"'],
    ["a root list", '[{"path":"a.txt"}]'],
    ["a double-encoded object", JSON.stringify('{"path":"a.txt"}')],
    ["a cut object", '{"path":"a.txt","content":"half'],
  ])(
    "F4b: %s arrives as {} plus argumentsError; else: prepareArguments sees it and the envelope repair may move there",
    async (_, text) => {
      const { message } = await streamed(argumentsText(text));
      const [call] = callsOf(message);
      expect(call?.arguments).toEqual({});
      expect(call?.argumentsError?.endsWith(`Received arguments:\n${text}`)).toBe(true);
    },
  );

  test("F6: a stream that lies (finish_reason tool_calls over half an object) still reads toolUse; else: the truncation guard may trust stopReason", async () => {
    const { message } = await streamed(argumentsText('{"path":"a.txt","content":"half'));
    expect(message.stopReason).toBe("toolUse");
  });

  test("F5: calls without an id get the id '', all of them; else: id synthesis for openai-completions may be dropped", async () => {
    const { message } = await streamed([
      [{ index: 0, function: { name: "probe", arguments: '{"path":"a"}' } }],
      [{ index: 1, id: "", function: { name: "probe", arguments: '{"path":"b"}' } }],
    ]);
    expect(callsOf(message).map((call) => [call.id, call.arguments])).toEqual([
      ["", { path: "a" }],
      ["", { path: "b" }],
    ]);
  });
});
