// The calls that every provider's matrix runs: what the model writes, how the reply ends, and what has to come of it.
// Data only; `streams/provider-matrix.test.ts` runs it.
import type { Message, Tool } from "@earendil-works/pi-ai";
import type { ToolHints } from "../../src/utils/tool-repair/types.ts";
import type { WireCall, WireEnding } from "./encoders/encoder.ts";

/** What becomes of one call: it runs with these arguments, or is refused with a message that fits. */
export type CallExpectation = { readonly runs: unknown; readonly as?: string } | { readonly refused: RegExp };

export interface StreamCase {
  readonly name: string;
  readonly calls: readonly WireCall[];
  readonly ending?: Partial<WireEnding>;
  /** Where the text of the last call stops, in characters. */
  readonly cutAt?: number;
  readonly expect: readonly CallExpectation[];
  /** Ids by position; `new` is a synthesized one. Without it every sent id stays. */
  readonly ids?: readonly ("kept" | "new")[];
  readonly history?: readonly Message[];
  /** Arguments come out as strict JSON gave them: no repair record, no error. */
  readonly untouched?: true;
  /** Only for providers whose block ends or finish words this case is about. */
  readonly needs?: "closesBlocks" | "freeFinish";
}

type TestTool = Tool & { readonly hints?: ToolHints };

const text = { type: "string" };

export const TOOLS: readonly TestTool[] = [
  { name: "write", description: "Writes.", parameters: object({ path: text, content: text }, ["path", "content"]) },
  { name: "read", description: "Reads.", parameters: object({ path: text, limit: { type: "integer" } }, ["path"]) },
  {
    name: "bash",
    description: "Runs a command.",
    parameters: object({ command: text, timeout: { type: "number" } }, ["command"]),
    hints: { shellFields: ["command"], rootField: "command" },
  },
  { name: "status", description: "Shows the status.", parameters: object({}, []) },
  {
    name: "record",
    description: "Records.",
    parameters: object(
      {
        tags: { type: "array", items: text },
        sizes: { type: "array", items: { type: "number" } },
        count: { type: "integer" },
        flag: { type: "boolean" },
        mode: { enum: ["fast", "very_slow"] },
        note: text,
        meta: object({ a: { type: "number" } }, ["a"]),
        edits: { type: "array", items: object({ from: text, to: text }, ["from", "to"]) },
      },
      [],
    ),
  },
];

/** A conversation in which the id `call_used` was already given out. */
const USED: readonly Message[] = [
  { role: "user", content: "go", timestamp: 0 },
  {
    role: "assistant",
    content: [{ type: "toolCall", id: "call_used", name: "status", arguments: {} }],
    api: "test",
    provider: "test",
    model: "test",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "toolUse",
    timestamp: 0,
  },
  {
    role: "toolResult",
    toolCallId: "call_used",
    toolName: "status",
    content: [{ type: "text", text: "ok" }],
    isError: false,
    timestamp: 0,
  },
];

const CUT = /cut off/;
const UNREAD = /not valid JSON/;

export const STREAM_CASES: readonly StreamCase[] = [
  // right as it is
  clean("a valid call stays as it is", "write", { path: "a.txt", content: 'x "y"\n\tz é 🙂' }),
  clean("a deep valid call stays as it is", "record", {
    edits: [{ from: "{", to: "}]" }],
    meta: { a: -0.5 },
    tags: [],
  }),
  one("no text is no arguments", "status", "", { runs: {} }),
  one("an empty object is no arguments", "status", "{}", { runs: {} }),
  many("parallel calls keep their own arguments", [
    [call("call_1", "read", '{"path":"a"}'), { runs: { path: "a" } }],
    [call("call_2", "read", '{"path":"b"}'), { runs: { path: "b" } }],
    [call("call_3", "write", '{"path":"c","content":""}'), { runs: { path: "c", content: "" } }],
  ]),

  // the failure grammar
  one("an optional null is absent", "read", '{"path":"a","limit":null}', { runs: { path: "a" } }),
  one("a quoted list is the list", "record", String.raw`{"tags":"[\"a\",\"b\"]"}`, { runs: { tags: ["a", "b"] } }),
  one("a quoted object is the object", "record", String.raw`{"meta":"{\"a\":1}"}`, { runs: { meta: { a: 1 } } }),
  one("one object for a list is wrapped", "record", '{"edits":{"from":"a","to":"b"}}', {
    runs: { edits: [{ from: "a", to: "b" }] },
  }),
  one("one text for a list is wrapped", "record", '{"tags":"a"}', { runs: { tags: ["a"] } }),
  one("an empty object for an optional text is absent", "record", '{"note":{},"count":1}', { runs: { count: 1 } }),
  one("a numeric text is the number", "record", '{"count":" 42 "}', { runs: { count: 42 } }),
  one("a boolean word is the boolean", "record", '{"flag":"True"}', { runs: { flag: true } }),
  one("an enum member in other spelling is the member", "record", '{"mode":"Very-Slow"}', {
    runs: { mode: "very_slow" },
  }),
  one("a one-item list for a text is the item", "read", '{"path":["a"]}', { runs: { path: "a" } }),
  one("numeric texts in a number list are numbers", "record", '{"sizes":["1","2.5"]}', { runs: { sizes: [1, 2.5] } }),
  one("an argv list is a command line", "bash", '{"command":["ls","-la"]}', { runs: { command: "ls -la" } }),
  one("an argv item with a space stays one argument", "bash", '{"command":["echo","a b"]}', {
    runs: { command: "echo 'a b'" },
  }),
  one("a wrapped command is unwrapped", "bash", '{"command":{"cmd":"pwd"}}', { runs: { command: "pwd" } }),
  one("a shell invocation is its script", "bash", '{"command":["bash","-lc","make && make test"]}', {
    runs: { command: "make && make test" },
  }),

  // what must bounce
  one("a required null bounces", "write", '{"path":null,"content":"x"}', { refused: /path/ }),
  one("a grouped number bounces", "record", '{"count":"1,000"}', { refused: /count/ }),
  one("a fraction for an integer bounces", "record", '{"count":"4.5"}', { refused: /count/ }),
  one("a number beyond precision bounces", "record", '{"count":"9007199254740993"}', { refused: /count/ }),
  one("a text that looks like a broken list is not wrapped", "record", '{"tags":"[a, b"}', { refused: /tags/ }),

  // ids
  {
    name: "a missing id is synthesized",
    calls: [call(undefined, "read", '{"path":"a"}')],
    expect: [{ runs: { path: "a" } }],
    ids: ["new"],
  },
  { ...one("an empty id is synthesized", "read", '{"path":"a"}', { runs: { path: "a" } }, ""), ids: ["new"] },
  {
    ...many("several missing ids differ", [
      [call(undefined, "read", '{"path":"a"}'), { runs: { path: "a" } }],
      [call(undefined, "read", '{"path":"b"}'), { runs: { path: "b" } }],
    ]),
    ids: ["new", "new"],
  },
  {
    ...many("an id that repeats in the reply is replaced the second time", [
      [call("call_x", "read", '{"path":"a"}'), { runs: { path: "a" } }],
      [call("call_x", "status", "{}"), { runs: {} }],
    ]),
    ids: ["kept", "new"],
  },
  {
    ...one("an id of an earlier turn is replaced", "read", '{"path":"a"}', { runs: { path: "a" } }, "call_used"),
    ids: ["new"],
    history: USED,
  },
  one("an unusual id stays", "read", '{"path":"a"}', { runs: { path: "a" } }, "functions.read:7"),

  // truncation: the text decides
  cut("a text cut inside a string is refused", "bash", '{"command":"rm -rf build/tmp"}', 20, { finish: "toolUse" }),
  cut("a cut number is refused", "bash", '{"command":"make","timeout":600}', 29, { finish: "stop" }),
  cut("a text without its last brace is refused", "read", '{"path":"a"}', 11, { finish: "stop" }),
  cut("a cut text is refused under the length reason", "read", '{"path":"abc"}', 11, { finish: "length" }),
  cut("a cut text is refused when the reply never ends", "read", '{"path":"abc"}', 11, { finish: "none" }),
  {
    ...cut("a cut text is refused under a foreign length word", "read", '{"path":"abc"}', 11, {
      finish: "length",
      word: "MAX_OUTPUT_TOKENS",
    }),
    needs: "freeFinish",
  },
  {
    ...cut("a cut text in a block that never closes is refused", "bash", '{"command":"rm -rf build/tmp"}', 20, {
      finish: "toolUse",
      unclosed: true,
    }),
    needs: "closesBlocks",
  },
  {
    ...one("a foreign stop word does not fail the reply", "read", '{"path":"a"}', { runs: { path: "a" } }),
    ending: { finish: "toolUse", word: "Tool-Calls" },
    needs: "freeFinish",
  },
  {
    ...many("a complete call runs beside a cut one", [
      [call("call_1", "read", '{"path":"a"}'), { runs: { path: "a" } }],
      [call("call_2", "read", '{"path":"b"}'), { refused: CUT }],
    ]),
    cutAt: 9,
  },

  // text that is no JSON
  one("single quotes are read", "read", "{'path': 'a'}", { runs: { path: "a" } }),
  one("a trailing comma is read", "read", '{"path":"a",}', { runs: { path: "a" } }),
  one("Python words are read", "record", '{"flag": True}', { runs: { flag: true } }),
  one("bare keys are read", "read", '{path: "a"}', { runs: { path: "a" } }),
  one("a code fence is read", "read", '```json\n{"path":"a"}\n```', { runs: { path: "a" } }),
  one("arguments that were encoded twice are read", "read", String.raw`"{\"path\":\"a\"}"`, { runs: { path: "a" } }),
  one("a repeated object is read once", "read", '{"path":"a"}{"path":"a"}', { runs: { path: "a" } }),
  one("a placeholder before the object is skipped", "read", '{}{"path":"a"}', { runs: { path: "a" } }),
  one("a raw line break in a string is kept", "write", '{"path":"a","content":"x\ny"}', {
    runs: { path: "a", content: "x\ny" },
  }),
  one("two different objects are refused", "read", '{"path":"a"}{"path":"b"}', { refused: /more than one/ }),
  one("unescaped inner quotes are refused", "write", '{"path":"a","content":"say "hi" now"}', { refused: UNREAD }),

  // arguments that are JSON but no object
  one("a bare text is the one required field", "read", '"a.txt"', { runs: { path: "a.txt" } }),
  one("a list of one object is that object", "read", '[{"path":"a"}]', { runs: { path: "a" } }),
  one("null is no arguments", "status", "null", { runs: {} }),
  one("a bare number is refused", "read", "7", { refused: /./ }),

  // names
  one("a namespace before the name is taken off", "functions.read", '{"path":"a"}', {
    runs: { path: "a" },
    as: "read",
  }),
  one("another case is the tool", "READ", '{"path":"a"}', { runs: { path: "a" }, as: "read" }),
  one("control tokens after the name are cut", "read<|channel|>commentary", '{"path":"a"}', {
    runs: { path: "a" },
    as: "read",
  }),
  one("a name that is no tool stays for the loop to report", "reed", '{"path":"a"}', { refused: /reed/ }),
];

function object(properties: object, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}

function call(id: string | undefined, name: string, rawArguments: string): WireCall {
  return { id, name, rawArguments };
}

function one(
  name: string,
  tool: string,
  rawArguments: string,
  expectation: CallExpectation,
  id: string | undefined = "call_1",
): StreamCase {
  return { name, calls: [call(id, tool, rawArguments)], expect: [expectation] };
}

function many(name: string, rows: readonly (readonly [WireCall, CallExpectation])[]): StreamCase {
  return { name, calls: rows.map(([wire]) => wire), expect: rows.map(([, expectation]) => expectation) };
}

function clean(name: string, tool: string, args: object): StreamCase {
  return { ...one(name, tool, JSON.stringify(args), { runs: args }), untouched: true };
}

function cut(name: string, tool: string, whole: string, cutAt: number, ending: Partial<WireEnding>): StreamCase {
  return { ...one(name, tool, whole, { refused: CUT }), cutAt, ending };
}
