// The primer: pi's real tools in one line each, the same bytes every time, within the budget. Where pi changes a schema this
// says so.
import * as pi from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import { ENVELOPE_FORMS, printEnvelope } from "../src/utils/tool-repair/envelope-forms.ts";
import { projectFields, projectType } from "../src/utils/tool-repair/project-schema.ts";
import { renderPrimer, renderToolLine } from "../src/utils/tool-repair/render-primer.ts";
import { parseTextToolCalls } from "../src/utils/tool-repair/text-protocol.ts";

const BUILTIN = [
  pi.createReadTool("."),
  pi.createBashTool("."),
  pi.createEditTool("."),
  pi.createWriteTool("."),
  pi.createGrepTool("."),
  pi.createFindTool("."),
  pi.createLsTool("."),
];

describe("pi's built-in tools", () => {
  it("have these lines", () => {
    expect(BUILTIN.map(renderToolLine)).toEqual([
      "read(path:string, offset:number?, limit:number?) - Read the contents of a file",
      "bash(command:string, timeout:number?) - Execute a bash command in the current working directory",
      "edit(path:string, edits:{oldText:string, newText:string}[]) - Edit a single file using exact text replacement",
      "write(path:string, content:string) - Write content to a file",
      "grep(pattern:string, path:string?, glob:string?, ignoreCase:boolean?=false, literal:boolean?=false, context:number?=0, limit:number?=100) - Search file contents for a pattern",
      "find(pattern:string, path:string?, limit:number?=1000) - Search for files by glob pattern",
      "ls(path:string?, limit:number?=500) - List directory contents",
    ]);
  });

  it("fit the budget of 1,700 characters", () => {
    expect(renderPrimer(BUILTIN).length).toBeLessThanOrEqual(1700);
  });

  it("give the same bytes whatever the identity of the schemas", () => {
    const copy = BUILTIN.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: JSON.parse(JSON.stringify(parameters)),
    }));
    expect(renderPrimer(copy)).toBe(renderPrimer(BUILTIN));
  });

  it("are shown with two examples that the listener reads: a simple one, and one with a list of objects", () => {
    const primer = renderPrimer(BUILTIN);
    const { calls, refused } = parseTextToolCalls(primer.slice(primer.indexOf("Examples:")), BUILTIN);
    expect(refused).toEqual([]);
    expect(calls.map(({ name }) => name)).toEqual(["read", "edit"]);
    expect(calls[1]?.arguments).toMatchObject({
      edits: [{ oldText: expect.any(String), newText: expect.any(String) }],
    });
  });

  it("are told without a word of JSON Schema", () => {
    expect(renderPrimer(BUILTIN)).not.toMatch(/"type"|properties|required|anyOf|\$ref|additionalProperties/);
  });
});

describe("the projection", () => {
  it.each([
    [{ enum: ["left", "right"] }, "left|right"],
    [{ enum: ["a b", 2, null] }, '"a b"|2|null'],
    [{ const: "fixed" }, "fixed"],
    [{ type: "array", items: { type: "integer" } }, "integer[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, "(a|b)[]"],
    [{ type: "array" }, "any[]"],
    [{ type: ["string", "null"] }, "string|null"],
    [{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "string|string[]"],
    [{ anyOf: [{ const: "on" }, { const: "off" }] }, "on|off"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{name:number}"],
    [{ type: "object" }, "{…}"],
    [{}, "any"],
    [{ $ref: "#/$defs/id", $defs: { id: { type: "string" } } }, "string"],
    [{ $ref: "#" }, "any"],
    [{ enum: [] }, "nothing"],
    [{ enum: Array.from({ length: 14 }, (_, index) => index) }, "0|1|2|3|4|5|6|7|8|9|10|11|…"],
    [{ type: "array", items: { type: "array", items: { type: "boolean" } } }, "boolean[][]"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "[string, number]"],
    [
      { type: "array", items: { anyOf: [{ type: "object", properties: { a: {} } }, { type: "string" }] } },
      "({a:any?}|string)[]",
    ],
    [{ type: "array", items: { enum: ["a|b"] } }, '"a|b"[]'],
    [{ anyOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "null" }] }, "string|null"],
    [
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { properties: { b: {} }, required: ["b"] },
        ],
      },
      "{b:any, a:string?}",
    ],
  ])("of %j is %s", (schema, expected) => {
    expect(projectType(schema)).toBe(expected);
  });

  it("puts required fields first and shows defaults", () => {
    const schema = {
      type: "object",
      properties: {
        depth: { type: "integer", default: 2 },
        mode: { enum: ["fast", "exact"], description: "How to look (default: fast)" },
        where: { type: "string", description: "Folder (default: current directory)" },
        "odd key": { type: "string" },
      },
      required: ["odd key"],
    };
    expect(projectFields(schema)).toBe('"odd key":string, depth:integer?=2, mode:fast|exact?=fast, where:string?');
  });

  it("ends at a bounded depth", () => {
    const deep = { type: "object", properties: { next: { $ref: "#" } } };
    expect(projectFields(deep)).toBe("next:{next:{next:{next:{…}?}?}?}?");
  });
});

describe("a schema that refers to itself", () => {
  const line = (node: object) =>
    projectFields({ type: "object", properties: { x: { $ref: "#/$defs/n" } }, $defs: { n: node } });
  const self = { $ref: "#/$defs/n" };

  it.each([
    ["a list of itself", { type: "array", items: self }],
    ["itself or nothing", { anyOf: [self, { type: "null" }] }],
    ["a list or nothing", { type: ["array", "null"], items: self }],
    ["all of itself", { allOf: [self, { type: "object" }] }],
    ["a map of itself", { type: "object", additionalProperties: self }],
    ["many unions of itself", { anyOf: Array.from({ length: 12 }, () => ({ type: "array", items: self })) }],
    [
      "many fields of itself",
      { type: "object", properties: Object.fromEntries(Array.from("abcdefghijklmnopqrstuvwx", (key) => [key, self])) },
    ],
  ])("ends, and stays short: %s", (_, node) => {
    expect(line(node)).toMatch(/^x:.*\?$/);
    expect(line(node).length).toBeLessThan(4_000);
    expect(line(node)).toBe(line(structuredClone(node)));
  });
});

describe("every form of the envelope", () => {
  it.each(ENVELOPE_FORMS)("%s: what the primer shows is what the listener reads, within the budget", (form) => {
    const primer = renderPrimer(BUILTIN, form);
    expect(primer.length).toBeLessThanOrEqual(1700);
    const { calls, refused } = parseTextToolCalls(primer.slice(primer.indexOf("Examples:")), BUILTIN);
    expect(refused).toEqual([]);
    expect(calls.map(({ name }) => name)).toEqual(["read", "edit"]);
    expect(primer).toContain(printEnvelope("TOOL", '{"argument": "value"}', form));
  });

  it.each(ENVELOPE_FORMS)("%s: carries arguments that hold its own markers", (form) => {
    const content = ENVELOPE_FORMS.map((other) => printEnvelope("bash", '{"command":"ls"}', other)).join("\n");
    const args = { path: "a.md", content };
    const text = `Before.\n${printEnvelope("write", JSON.stringify(args), form)}\nBehind.`;
    const { calls, refused } = parseTextToolCalls(text, BUILTIN);
    expect(refused).toEqual([]);
    expect(calls).toMatchObject([{ name: "write", arguments: args }]);
  });

  it.each(ENVELOPE_FORMS)("%s: a model that sent a broken one is shown it again", (form) => {
    const { refused } = parseTextToolCalls('<pi:call name="read">{"path": "li', BUILTIN, { form });
    expect(refused[0]?.message).toContain(printEnvelope("read", "{…}", form));
  });
});

describe("the examples", () => {
  it("are one when no tool takes a list of objects", () => {
    expect(renderPrimer([{ name: "ping", parameters: { type: "object", properties: {} } }])).toContain(
      'Example:\n<pi:call name="ping">{}</pi:call>\n',
    );
  });

  it("leave out a tool whose arguments cannot be made up", () => {
    const odd = { name: "odd", parameters: { type: "object", properties: { x: {} }, required: ["x"] } };
    expect(renderPrimer([odd])).not.toContain('name="odd"');
    expect(renderPrimer([odd])).not.toContain("Example");
  });

  it("are absent without tools, as is everything else", () => {
    expect(renderPrimer([])).toBe("");
  });
});
