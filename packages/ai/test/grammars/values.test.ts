// Values of parameters: typed by the schema, ended by the tag that is structure, never by a tag that is data.
import { describe, expect, it } from "vitest";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { typedValue } from "../../src/utils/tool-repair/grammars/typed-value.ts";

describe("typedValue", () => {
  it.each([
    ["text for a text field, whatever it looks like", "12", { type: "string" }, "12"],
    ["text for a text field, white space and all", "  a \n", { type: "string" }, "  a \n"],
    ["the word null for a text field", "null", { type: "string" }, "null"],
    ["null where it is allowed", "null", { type: ["string", "null"] }, null],
    ["Python's None where null is allowed", "None", { anyOf: [{ type: "integer" }, { type: "null" }] }, null],
    ["a number", "-2.5e3", { type: "number" }, -2500],
    ["an integer in blanks", " 41 ", { type: "integer" }, 41],
    ["an integer that is written as a fraction", "3.0", { type: "integer" }, 3],
    ["no integer for a fraction", "3.5", { type: "integer" }, "3.5"],
    ["no number beyond exactness", "90071992547409931", { type: "integer" }, "90071992547409931"],
    ["no number for a version", "1.2.3", { type: "number" }, "1.2.3"],
    ["a boolean in any case", "TRUE", { type: "boolean" }, true],
    ["no boolean for a word", "yes", { type: "boolean" }, "yes"],
    ["the number of a union, whatever its order", "7", { type: ["string", "integer"] }, 7],
    ["the text of a union", "seven", { type: ["integer", "string"] }, "seven"],
    ["an object", ' {"a": [1]} ', { type: "object" }, { a: [1] }],
    ["a Python dict", "{'a': True, 'b': None}", { type: "object" }, { a: true, b: null }],
    ["no object for a cut one", '{"a": [1', { type: "object" }, '{"a": [1'],
    ["no list where an object is due", "[1]", { type: "object" }, "[1]"],
    ["a list through a reference", '["a"]', { $ref: "#/$defs/tags" }, ["a"]],
    ["text without a schema", "5", undefined, "5"],
    ["an object without a schema", '{"a":1}', undefined, { a: 1 }],
    ["a type that is spelled otherwise", "5", { type: "int32" }, 5],
  ])("gives %s", (_, text, schema, expected) => {
    expect(typedValue(text, schema, { $defs: { tags: { type: "array" } } })).toEqual(expected);
  });
});

const SAVE = {
  name: "save",
  parameters: {
    type: "object",
    properties: { target: { type: "string" }, body: { type: "string" }, force: { type: "boolean" } },
    required: ["target", "body"],
  },
};

function argumentsIn(text: string): unknown {
  const { calls } = readLeakedCalls(text, [SAVE]);
  return calls.length === 1 ? calls[0]?.arguments : calls;
}

const call = (body: string, target = "a.txt") =>
  `<tool_call>\n<function=save>\n<parameter=target>\n${target}\n</parameter>\n<parameter=body>\n${body}\n</parameter>\n</function>\n</tool_call>`;

describe("a parameter's end", () => {
  it.each([
    ["its own end tag in a string", 'print("</parameter>")\nprint("</function>")'],
    ["an end tag and an undeclared parameter", "x\n</parameter>\n<parameter=other>\ny\n</parameter>\nz"],
    ["a declared parameter in a string", 'x = """\n<parameter=target>\nother\n</parameter>\n"""'],
    ["a whole call", `before\n${call("inner", "inner.txt")}\nafter`],
    ["an unclosed fence", "```\n<tool_call>"],
    ["a think tag", "<think>\nno\n</think>"],
    ["JSON that looks like a call", '{"name":"save","arguments":{"target":"x","body":"y"}}'],
    ["line breaks at its ends", "\nbody\n"],
    ["entities", "a &lt; b &amp;&amp; c"],
  ])("is not confused by %s", (_, body) => {
    expect(argumentsIn(call(body))).toEqual({ target: "a.txt", body });
  });

  it("is where the next declared parameter begins, when its tag is missing", () => {
    const text = "<function=save>\n<parameter=target>\na.txt\n<parameter=body>\nx\n</parameter>\n</function>";
    expect(argumentsIn(text)).toEqual({ target: "a.txt", body: "x" });
  });

  it("is where the call ends, when its tag is missing", () => {
    const text =
      "<tool_call>\n<function=save>\n<parameter=target>\na\n</parameter>\n<parameter=body>\nx\n</function>\n</tool_call>";
    expect(argumentsIn(text)).toEqual({ target: "a", body: "x" });
  });

  it("is never the end of the text", () => {
    expect(argumentsIn("<function=save>\n<parameter=target>\na\n</parameter>\n<parameter=body>\nx")).toEqual([]);
    expect(
      argumentsIn(
        "<tool_call>save<arg_key>target</arg_key><arg_value>a</arg_value><arg_key>body</arg_key><arg_value>x",
      ),
    ).toEqual([]);
  });

  it("is the JSON string's own end in a JSON family", () => {
    const body = '</tool_call> "]} <tool_call>{"name":"save"}';
    const text = `<tool_call>${JSON.stringify({ name: "save", arguments: { target: "a", body } })}</tool_call>`;
    expect(argumentsIn(text)).toEqual({ target: "a", body });
  });

  it("keeps a key that is called like a prototype as data", () => {
    const text = '<function=save>{"target":"a","body":"b","__proto__":{"force":true}}</function>';
    const args = argumentsIn(text) as Record<string, unknown>;
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect(args["force"]).toBeUndefined();
  });
});

describe("arguments that the schema refuses", () => {
  it("are repaired where one reading fits", () => {
    expect(
      argumentsIn('<tool_call>{"name":"save","arguments":{"target":"a","body":"b","force":"true"}}</tool_call>'),
    ).toEqual({
      target: "a",
      body: "b",
      force: true,
    });
  });

  it("are refused with what the model needs, and the markup goes", () => {
    const got = readLeakedCalls('Now: <tool_call>{"name":"save","arguments":{"target":"a"}}</tool_call>', [SAVE]);
    expect(got).toMatchObject({ calls: [], text: "Now: ", refused: [{ name: "save", reason: "arguments" }] });
    expect(got.refused[0]?.message).toContain("body");
  });
});
