// One action that a worker printed: the forms it may have, and what is refused.
import { describe, expect, it } from "vitest";
import { parseToolAction, type RepairTool } from "../src/utils/tool-repair/index.ts";

const look: RepairTool = {
  name: "look",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, depth: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
};
const say: RepairTool = {
  name: "say",
  parameters: { type: "object", properties: { input: { type: "string" }, name: { type: "string" } } },
};
const TOOLS = [look, say];

describe("parseToolAction", () => {
  it.each([
    ["name and arguments", '{"name":"look","arguments":{"path":"a"}}'],
    ["tool and args", '{"tool":"look","args":{"path":"a"}}'],
    ["with a thought beside it", '{"thought":"hm","action":"look","action_input":{"path":"a"}}'],
    ["fields beside the name", '{"tool":"look","path":"a"}'],
    ["under the tool's name", '{"look":{"path":"a"}}'],
    ["a function envelope", '{"type":"function","function":{"name":"look","arguments":{"path":"a"}}}'],
    ["arguments as JSON text", '{"name":"look","arguments":"{\\"path\\":\\"a\\"}"}'],
    ["a list of one", '[{"name":"look","parameters":{"path":"a"}}]'],
    [
      "a tool_calls envelope",
      '{"tool_calls":[{"id":"1","function":{"name":"look","arguments":"{\\"path\\":\\"a\\"}"}}]}',
    ],
  ])("takes %s", (_form, text) => {
    expect(parseToolAction(text, TOOLS)).toEqual({ outcome: "clean", name: "look", args: { path: "a" } });
  });

  it("mends name, text and arguments, and says what", () => {
    const text = "```json\n{'tool': 'functions.Look', 'args': {'path': 'a', 'depth': '2'}}\n```";
    const action = parseToolAction(text, TOOLS);
    if (action.outcome !== "repaired") throw new Error("must be repaired");
    expect(action).toMatchObject({ name: "look", args: { path: "a", depth: 2 } });
    expect(action.repairs.map((repair) => repair.name)).toEqual(["toolNameResolved", "numberFromString"]);
    expect(action.forgiven).toContain("codeFence");
  });

  it("reads a field of the tool that is called like an argument key", () => {
    expect(parseToolAction('{"tool":"say","input":"hello"}', TOOLS)).toEqual({
      outcome: "clean",
      name: "say",
      args: { input: "hello" },
    });
  });

  it("hands over the very arguments object it read", () => {
    const action = parseToolAction(
      '{"name":"look","arguments":{"path":"a","depth":3}}',
      new Map([["look", look]]).values(),
    );
    expect(action).toEqual({ outcome: "clean", name: "look", args: { path: "a", depth: 3 } });
  });

  it.each([
    ["a cut text", '{"name":"look","arguments":{"path":"secret', /truncated/],
    [
      "two actions",
      '[{"name":"look","arguments":{"path":"secret"}},{"name":"look","arguments":{"path":"b"}}]',
      /exactly one/,
    ],
    ["no JSON", "I would look into secret now", /exactly one/],
    ["a tool that is not there", '{"name":"fly","arguments":{"to":"secret"}}', /Valid tool names: look, say/],
    ["no name", '{"path":"secret"}', /Tool name missing/],
    ["a required field that is missing", '{"name":"look","arguments":{"depth":1}}', /path: expected/],
    ["arguments with fields beside them", '{"tool":"look","args":{"path":"secret"},"depth":1}', /args/],
    ["a list of arguments", '{"name":"look","arguments":[1,2]}', /arguments/],
  ])("bounces %s without an echo of what was sent", (_form, text, message) => {
    const action = parseToolAction(text, TOOLS);
    if (action.outcome !== "bounced") throw new Error("must bounce");
    expect(action.message).toMatch(message);
    expect(action.message).not.toContain("secret");
  });

  it.each(["", "null", "7", "[]", "{}", '{"name":7}', '{"name":"look","arguments":null}', '{"function":{}}'])(
    "never throws: %s",
    (text) => {
      expect(parseToolAction(text, TOOLS).outcome).toBe("bounced");
    },
  );
});
