// One verdict whatever wrote the schema and whichever keyword leads to the failing place. Also what a tool without a
// usable schema gets.

import { arr, bool, int, lit, nullable, num, obj, opt, recursive, str, union } from "@earendil-works/pi-schema";
import { Type as Sinclair } from "@sinclair/typebox";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { repairToolArguments } from "../src/utils/tool-repair/repairer.ts";

const plain = (schema: object): object => JSON.parse(JSON.stringify(schema)) as object;

const typebox = Type.Object({
  path: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  ratio: Type.Optional(Type.Number()),
  all: Type.Optional(Type.Boolean()),
  level: Type.Optional(Type.Union([Type.Literal("low"), Type.Literal("high")])),
  tags: Type.Optional(Type.Array(Type.String())),
  edits: Type.Optional(
    Type.Array(Type.Object({ oldText: Type.String(), newText: Type.String() }, { additionalProperties: false })),
  ),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const sinclair = Sinclair.Object({
  path: Sinclair.String(),
  limit: Sinclair.Optional(Sinclair.Integer({ minimum: 1 })),
  ratio: Sinclair.Optional(Sinclair.Number()),
  all: Sinclair.Optional(Sinclair.Boolean()),
  level: Sinclair.Optional(Sinclair.Union([Sinclair.Literal("low"), Sinclair.Literal("high")])),
  tags: Sinclair.Optional(Sinclair.Array(Sinclair.String())),
  edits: Sinclair.Optional(
    Sinclair.Array(
      Sinclair.Object({ oldText: Sinclair.String(), newText: Sinclair.String() }, { additionalProperties: false }),
    ),
  ),
  note: Sinclair.Optional(Sinclair.Union([Sinclair.String(), Sinclair.Null()])),
});

const builders = obj(
  {
    path: str(),
    limit: opt(int({ minimum: 1 })),
    ratio: opt(num()),
    all: opt(bool()),
    level: opt(union([lit("low"), lit("high")])),
    tags: opt(arr(str())),
    edits: opt(arr(obj({ oldText: str(), newText: str() }))),
    note: opt(nullable(str())),
  },
  { open: true },
);

const SCHEMAS: readonly (readonly [string, object])[] = [
  ["typebox", typebox],
  ["@sinclair/typebox", sinclair],
  ["pi-schema builders", builders],
  ["the JSON of typebox", plain(typebox)],
  ["the JSON of @sinclair/typebox", plain(sinclair)],
  ["the JSON of pi-schema builders", plain(builders)],
];

/** `undefined` bounces, the same reference is clean. */
const VALUES: readonly (readonly [string, unknown, unknown])[] = [
  ["a quoted integer", { path: "a", limit: "3" }, { path: "a", limit: 3 }],
  ["an integer out of range", { path: "a", limit: "0" }, undefined],
  ["a quoted number", { path: "a", ratio: "0.5" }, { path: "a", ratio: 0.5 }],
  ["a quoted boolean", { path: "a", all: "True" }, { path: "a", all: true }],
  ["a member in capitals", { path: "a", level: "LOW" }, { path: "a", level: "low" }],
  ["a quoted list", { path: "a", tags: '["x"]' }, { path: "a", tags: ["x"] }],
  ["a bare item", { path: "a", tags: "x" }, { path: "a", tags: ["x"] }],
  ["a hole in a list", { path: "a", tags: ["x", null] }, undefined],
  [
    "one object",
    { path: "a", edits: { oldText: "x", newText: "" } },
    { path: "a", edits: [{ oldText: "x", newText: "" }] },
  ],
  [
    "an empty undeclared key",
    { path: "a", edits: [{ oldText: "x", newText: "y", n: "" }] },
    { path: "a", edits: [{ oldText: "x", newText: "y" }] },
  ],
  ["an undeclared key with content", { path: "a", edits: [{ oldText: "x", newText: "y", n: "z" }] }, undefined],
  ["a null optional", { path: "a", limit: null }, { path: "a" }],
  ["a null that is a value", { path: "a", note: null }, { path: "a", note: null }],
  ["the word null where text is a value", { path: "a", note: "null" }, { path: "a", note: "null" }],
  ["a null required", { path: null }, undefined],
  ["a placeholder", { path: "a", edits: {} }, { path: "a" }],
  ["another spelling of a required key", { Path: "a" }, { path: "a" }],
];

function verdict(parameters: unknown, args: unknown, name = "probe"): unknown {
  const result = repairToolArguments({ name, parameters }, args);
  if (result.outcome === "clean") expect(result.args).toBe(args);
  return result.outcome === "bounced" ? undefined : result.args;
}

describe.each(SCHEMAS)("a schema from %s", (_, schema) => {
  test.each(VALUES)("%s", (_name, args, wanted) => {
    expect(verdict(schema, args)).toStrictEqual(wanted);
  });
});

const item = { type: "object", properties: { id: { type: "integer" }, on: { type: "boolean" } }, required: ["id"] };
const inField = (field: unknown, more: object = {}) => ({
  type: "object",
  properties: { field },
  required: ["field"],
  ...more,
});

/** One and the same field, reached in different ways: each takes `{id: integer, on?: boolean}`. */
const WAYS: readonly (readonly [string, object])[] = [
  ["itself", inField(item)],
  ["$ref into $defs", inField({ $ref: "#/$defs/item" }, { $defs: { item } })],
  ["$ref into definitions", inField({ $ref: "#/definitions/item" }, { definitions: { item } })],
  ["a $ref to a $ref", inField({ $ref: "#/$defs/a" }, { $defs: { a: { $ref: "#/$defs/b" }, b: item } })],
  ["a $ref with an escaped name", inField({ $ref: "#/$defs/a~1b%20c" }, { $defs: { "a/b c": item } })],
  ["a $ref to an $anchor", inField({ $ref: "#thing" }, { $defs: { item: { ...item, $anchor: "thing" } } })],
  ["a $ref to an $id", inField({ $ref: "thing" }, { $defs: { item: { ...item, $id: "thing" } } })],
  [
    "a $ref inside a root with an $id",
    inField({ $ref: "#/$defs/item" }, { $id: "https://tools.test/probe", $defs: { item } }),
  ],
  ["allOf", inField({ allOf: [{ type: "object", required: ["id"] }, { properties: item.properties }] })],
  ["anyOf with null", inField({ anyOf: [item, { type: "null" }] })],
  ["oneOf with null", inField({ oneOf: [{ type: "null" }, item] })],
  ["a nullable type", inField({ ...item, type: ["object", "null"] })],
  ["anyOf with a $ref", inField({ anyOf: [{ $ref: "#/$defs/item" }, { type: "null" }] }, { $defs: { item } })],
  ["a root $ref", { $ref: "#/$defs/root", $defs: { root: inField({ $ref: "#/$defs/item" }), item } }],
  ["a root allOf", { allOf: [inField(item), { type: "object" }] }],
  ["patternProperties", { type: "object", patternProperties: { "^fi": item }, required: ["field"] }],
  ["additionalProperties", { type: "object", additionalProperties: item, required: ["field"] }],
  [
    "dependentSchemas, declared nowhere else",
    { type: "object", dependentSchemas: { field: inField(item) }, required: ["field"], unevaluatedProperties: false },
  ],
  ["dependencies", { type: "object", dependencies: { field: inField(item) }, required: ["field"] }],
  [
    "patternProperties that the flag u refuses",
    { type: "object", patternProperties: { "^\\fi|^f\\i": item }, required: ["field"] },
  ],
  ["dependentSchemas beside properties", inField(item, { dependentSchemas: { field: { minProperties: 1 } } })],
];

describe.each(WAYS)("a field through %s", (_, schema) => {
  test.each([
    ["is clean", { field: { id: 1 } }, { field: { id: 1 } }],
    ["takes a quoted integer", { field: { id: "1" } }, { field: { id: 1 } }],
    ["takes a quoted object", { field: '{"id":1,"on":true}' }, { field: { id: 1, on: true } }],
    ["takes a quoted object with a quoted integer", { field: '{"id":"1"}' }, { field: { id: 1 } }],
    ["takes a list of one", { field: [{ id: 1 }] }, { field: { id: 1 } }],
    ["drops a null optional inside", { field: { id: 1, on: null } }, { field: { id: 1 } }],
    ["bounces a null required inside", { field: { id: null } }, undefined],
    ["bounces a word for a number", { field: { id: "one" } }, undefined],
    ["renames a key inside", { field: { ID: 1 } }, { field: { id: 1 } }],
  ])("%s", (_name, args, wanted) => {
    expect(verdict(schema, args)).toStrictEqual(wanted);
  });
});

describe("recursion", () => {
  const node = (self: object) => ({
    type: "object",
    properties: { name: { type: "string" }, size: { type: "integer" }, children: { type: "array", items: self } },
    required: ["name"],
    additionalProperties: false,
  });
  const trees: readonly (readonly [string, object])[] = [
    ["$defs", { ...node({ $ref: "#/$defs/node" }), $defs: { node: node({ $ref: "#/$defs/node" }) } }],
    ["the root itself", node({ $ref: "#" })],
    ["$id", { ...node({ $ref: "Node" }), $id: "Node" }],
    ["$anchor", { ...node({ $ref: "#node" }), $anchor: "node" }],
    [
      "pi-schema's recursive",
      recursive<unknown>("Tree", (self) => obj({ name: str(), size: opt(int()), children: opt(arr(self)) })),
    ],
    [
      "sinclair's Type.Recursive",
      Sinclair.Recursive((self) =>
        Sinclair.Object(
          {
            name: Sinclair.String(),
            size: Sinclair.Optional(Sinclair.Integer()),
            children: Sinclair.Optional(Sinclair.Array(self)),
          },
          { additionalProperties: false },
        ),
      ),
    ],
    [
      "typebox's Type.Cyclic",
      Type.Cyclic(
        {
          Node: Type.Object(
            {
              name: Type.String(),
              size: Type.Optional(Type.Integer()),
              children: Type.Optional(Type.Array(Type.Ref("Node"))),
            },
            { additionalProperties: false },
          ),
        },
        "Node",
      ),
    ],
  ];

  describe.each(trees)("through %s", (_, schema) => {
    test.each([
      [
        "is clean at depth",
        { name: "a", children: [{ name: "b", children: [{ name: "c", size: 1 }] }] },
        { name: "a", children: [{ name: "b", children: [{ name: "c", size: 1 }] }] },
      ],
      [
        "repairs at depth",
        { name: "a", children: [{ name: "b", children: [{ name: "c", size: "1" }] }] },
        { name: "a", children: [{ name: "b", children: [{ name: "c", size: 1 }] }] },
      ],
      [
        "reads a quoted list at depth",
        { name: "a", children: [{ name: "b", children: '[{"name":"c"}]' }] },
        { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] },
      ],
      [
        "wraps one object at depth",
        { name: "a", children: [{ name: "b", children: { name: "c" } }] },
        { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] },
      ],
      [
        "drops a null optional at depth",
        { name: "a", children: [{ name: "b", size: null }] },
        { name: "a", children: [{ name: "b" }] },
      ],
      ["bounces a null required at depth", { name: "a", children: [{ name: null }] }, undefined],
      ["bounces an undeclared key at depth", { name: "a", children: [{ name: "b", sum: 1 }] }, undefined],
    ])("%s", (_name, args, wanted) => {
      expect(verdict(schema, args)).toStrictEqual(wanted);
    });
  });
});

describe("references that are followed only part of the way", () => {
  test("a draft-07 $id fragment", () => {
    const schema = inField({ $ref: "#thing" }, { definitions: { item: { ...item, $id: "#thing" } } });
    expect(verdict(schema, { field: { id: 1 } })).toStrictEqual({ field: { id: 1 } });
    expect(verdict(schema, { field: { id: "1" } })).toStrictEqual({ field: { id: 1 } });
    expect(verdict(schema, { field: '{"id":1}' })).toStrictEqual({ field: { id: 1 } });
    expect(verdict(schema, { field: { id: "one" } })).toBeUndefined();
  });

  test("a $dynamicRef: valid is clean, the rest bounces and is never run wrongly", () => {
    const tree = {
      $dynamicAnchor: "node",
      type: "object",
      properties: { size: { type: "integer" }, children: { type: "array", items: { $dynamicRef: "#node" } } },
      additionalProperties: false,
    };
    expect(verdict(tree, { children: [{ size: 1 }] })).toStrictEqual({ children: [{ size: 1 }] });
    expect(verdict(tree, { size: "1" })).toStrictEqual({ size: 1 });
    expect(verdict(tree, { children: [{ size: "many" }] })).toBeUndefined();
    expect([undefined, { children: [{ size: 1 }] }]).toContainEqual(verdict(tree, { children: [{ size: "1" }] }));
  });

  test("a $dynamicRef whose meaning depends on the way there: valid is clean, the rest bounces", () => {
    const list = {
      $id: "https://tools.test/list",
      type: "array",
      items: { $dynamicRef: "#item" },
      $defs: { any: { $dynamicAnchor: "item" } },
    };
    const schema = inField(
      { $ref: "https://tools.test/list" },
      { $defs: { list, own: { $dynamicAnchor: "item", type: "integer" } } },
    );
    expect(verdict(schema, { field: [1] })).toStrictEqual({ field: [1] });
    expect(verdict(schema, { field: ["many"] })).toBeUndefined();
    expect([undefined, { field: [1] }]).toContainEqual(verdict(schema, { field: ["1"] }));
  });
});

describe("unions", () => {
  const numberOrList = inField({ anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }] });
  const listOrNumber = inField({ anyOf: [{ type: "array", items: { type: "number" } }, { type: "number" }] });
  const tagged = (word: "anyOf" | "oneOf") =>
    inField({
      [word]: [
        {
          type: "object",
          properties: { kind: { const: "file" }, size: { type: "integer" } },
          required: ["kind", "size"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "link" }, to: { type: "string" } },
          required: ["kind", "to"],
          additionalProperties: false,
        },
      ],
    });
  const nullableTypes = inField({ type: ["integer", "null"] });
  const textOrList = inField({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] });
  const members = inField({ anyOf: [{ const: "a-b" }, { const: "a_b" }, { const: "c" }] });
  const twoObjects = inField({
    anyOf: [
      { ...item, additionalProperties: false },
      { type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: false },
    ],
  });

  test.each<[string, object, unknown, unknown]>([
    ["a quoted number is the number, not a list of it", numberOrList, "42", 42],
    ["in either order", listOrNumber, "42", 42],
    ["a quoted list is the list", numberOrList, "[1,2]", [1, 2]],
    ["quoted numbers in the list", numberOrList, ["1", "2"], [1, 2]],
    ["neither", numberOrList, "many", undefined],
    ["a null for either", numberOrList, null, undefined],
    ["tagged: the branch of the tag", tagged("anyOf"), { kind: "file", size: "3" }, { kind: "file", size: 3 }],
    ["tagged by oneOf", tagged("oneOf"), { kind: "file", size: "3" }, { kind: "file", size: 3 }],
    ["tagged: quoted", tagged("anyOf"), '{"kind":"link","to":"a"}', { kind: "link", to: "a" }],
    ["tagged: the other branch's key stays", tagged("anyOf"), { kind: "link", size: 3 }, undefined],
    ["tagged: an unknown tag", tagged("anyOf"), { kind: "folder", size: 3 }, undefined],
    ["a nullable type: the word null", nullableTypes, "null", null],
    ["a nullable type: a quoted integer", nullableTypes, "3", 3],
    ["a nullable type: null", nullableTypes, null, null],
    ["text or a list: text that looks like JSON is text", textOrList, '["a"]', '["a"]'],
    ["text or a list: a number", textOrList, 5, "5"],
    ["constants that fold to one word", members, "AB", undefined],
    ["a constant in capitals", members, "C", "c"],
    ["untagged objects: the branch that takes it", twoObjects, { id: "1" }, { id: 1 }],
    ["untagged objects: neither", twoObjects, { id: "x" }, undefined],
  ])("%s", (_, schema, field, wanted) => {
    expect(verdict(schema, { field })).toStrictEqual(wanted === undefined ? undefined : { field: wanted });
  });
});

describe("lists with places", () => {
  const draft07 = { $schema: "http://json-schema.org/draft-07/schema#" };
  const pair = [{ type: "string" }, { type: "integer" }];
  test.each<[string, object, unknown, unknown]>([
    ["prefixItems: each place has its type", inField({ type: "array", prefixItems: pair }), ["a", "1"], ["a", 1]],
    [
      "prefixItems: the rest follows items",
      inField({ type: "array", prefixItems: pair, items: { type: "boolean" } }),
      ["a", 1, "true"],
      ["a", 1, true],
    ],
    ["prefixItems: a quoted list", inField({ type: "array", prefixItems: pair }), '["a",1]', ["a", 1]],
    ["prefixItems: one text never becomes a tuple", inField({ type: "array", prefixItems: pair }), "a", undefined],
    [
      "prefixItems: no further item",
      inField({ type: "array", prefixItems: pair, items: false }),
      ["a", 1, "b"],
      undefined,
    ],
    ["draft-07 items: each place has its type", inField({ type: "array", items: pair }, draft07), ["a", "1"], ["a", 1]],
    [
      "draft-07 items: the rest follows additionalItems",
      inField({ type: "array", items: pair, additionalItems: { type: "boolean" } }, draft07),
      ["a", 1, "true"],
      ["a", 1, true],
    ],
    [
      "draft-07 items: no further item",
      inField({ type: "array", items: pair, additionalItems: false }, draft07),
      ["a", 1, "b"],
      undefined,
    ],
    [
      "draft-07 items: one text never becomes a tuple",
      inField({ type: "array", items: pair }, draft07),
      "a",
      undefined,
    ],
    [
      "draft-07 items: nested below a list",
      inField({ type: "array", items: { type: "array", items: pair, additionalItems: false } }, draft07),
      '[["a",1]]',
      [["a", 1]],
    ],
    [
      "draft-07 items: nested, a further item",
      inField({ type: "array", items: { type: "array", items: pair, additionalItems: false } }, draft07),
      '[["a",1,2]]',
      undefined,
    ],
    [
      "a list of lists",
      inField({ type: "array", items: { type: "array", items: { type: "integer" } } }),
      [["1"], [2]],
      [[1], [2]],
    ],
    ["unique items", inField({ type: "array", items: { type: "integer" }, uniqueItems: true }), ["1", 1], undefined],
  ])("%s", (_, schema, field, wanted) => {
    expect(verdict(schema, { field })).toStrictEqual(wanted === undefined ? undefined : { field: wanted });
  });
});

describe("keys", () => {
  test.each<[string, object, unknown, unknown]>([
    [
      "patternProperties",
      { type: "object", patternProperties: { "^n_": { type: "integer" } } },
      { n_a: "1", other: "1" },
      { n_a: 1, other: "1" },
    ],
    [
      "additionalProperties",
      { type: "object", properties: { name: { type: "string" } }, additionalProperties: { type: "integer" } },
      { name: "1", a: "1" },
      { name: "1", a: 1 },
    ],
    [
      "a record of lists",
      { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
      { a: '["x"]', b: "y" },
      { a: ["x"], b: ["y"] },
    ],
    [
      "patternProperties beside a closed object",
      { type: "object", patternProperties: { "^n_": { type: "integer" } }, additionalProperties: false },
      { n_a: "1", other: "" },
      { n_a: 1 },
    ],
    [
      "unevaluatedProperties",
      { allOf: [{ properties: { a: { type: "integer" } } }], unevaluatedProperties: false, type: "object" },
      { a: "1" },
      { a: 1 },
    ],
    [
      "dependentRequired",
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, dependentRequired: { a: ["b"] } },
      { a: "x" },
      undefined,
    ],
    ["propertyNames", { type: "object", propertyNames: { pattern: "^[a-z]+$" } }, { A: 1 }, undefined],
    [
      "then: the condition holds",
      {
        type: "object",
        properties: { kind: { type: "string" }, size: true },
        if: { properties: { kind: { const: "file" } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: { properties: { size: { type: "integer" } }, required: ["size"] },
      },
      { kind: "file", size: "3" },
      { kind: "file", size: 3 },
    ],
    [
      "then: the condition does not hold",
      {
        type: "object",
        properties: { kind: { type: "string" } },
        if: { properties: { kind: { const: "file" } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: { properties: { size: { type: "integer" } } },
      },
      { kind: "link", size: "3" },
      { kind: "link", size: "3" },
    ],
    [
      "else",
      {
        type: "object",
        properties: { kind: { type: "string" } },
        if: { properties: { kind: { const: "file" } }, required: ["kind"] },
        else: { properties: { to: { type: "string" } }, required: ["to"] },
      },
      { kind: "link", to: 3 },
      { kind: "link", to: "3" },
    ],
    ["not", { type: "object", properties: { a: { not: { type: "string" } } } }, { a: "x" }, undefined],
  ])("%s", (_, schema, args, wanted) => {
    expect(verdict(schema, args)).toStrictEqual(wanted);
  });
});

describe("tools without a usable schema", () => {
  const values = [{}, { a: "1" }, null, "text", 5, [1], undefined];

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["true", true],
    ["false", false],
    ["a text", "object"],
    ["an empty schema", {}],
    ["a type that is none", { type: "thing" }],
    ["a pattern that does not compile", { type: "object", properties: { a: { type: "string", pattern: "(" } } }],
    ["properties that are no object", { type: "object", properties: [] }],
    ["a property that is no schema", { type: "object", properties: { a: 5 } }],
    ["required that is no list", { type: "object", required: "a" }],
  ])("%s never throws", (_, parameters) => {
    for (const args of values) {
      expect(() => repairToolArguments({ name: "probe", parameters }, args)).not.toThrow();
    }
  });

  test("no schema and a schema that does not compile take the call as it is", () => {
    const args = { a: "1" };
    const broken = { type: "object", properties: { a: { type: "string", pattern: "(" } } };
    for (const parameters of [undefined, null, true, {}, broken]) {
      expect(repairToolArguments({ name: "probe", parameters }, args)).toEqual({ outcome: "clean", args });
    }
  });

  test("a $ref to nothing rejects the value at its place and repairs the others", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/none" }, b: { type: "integer" } },
    };
    expect(verdict(schema, { b: "1" })).toStrictEqual({ b: 1 });
    expect(verdict(schema, { a: "x" })).toBeUndefined();
    expect(verdict(schema, { a: "x", b: "1" })).toBeUndefined();
    expect(verdict({ $ref: "https://other.test/schema" }, { a: 1 })).toBeUndefined();
  });

  test("a $ref cycle without a type never hangs", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/x" } },
      $defs: { x: { anyOf: [{ $ref: "#/$defs/x" }, { type: "integer" }] } },
    };
    expect(() => repairToolArguments({ name: "probe", parameters: schema }, { a: "1" })).not.toThrow();
  });
});
