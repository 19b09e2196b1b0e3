// Random tool schemas with values that pass them, for the property tests. Each value comes with its places, so that a
// test can damage one place in a known way. Pure data; nothing here knows the repair layer.

import fc from "fast-check";

export type Path = readonly (string | number)[];

/** One place of a valid value. */
export type Place =
  | { readonly kind: "scalar" | "member" | "list" | "tuple" | "object"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "absent"; readonly path: Path; readonly takesEmpty: boolean }
  | { readonly kind: "key"; readonly path: Path; readonly names: readonly string[] };

export interface Sample {
  readonly value: unknown;
  readonly places: readonly Place[];
}

/** A schema, the definitions it refers to, and its valid values. */
export interface Spec {
  readonly schema: object;
  readonly defs: Readonly<Record<string, object>>;
  readonly takesEmpty: boolean;
  readonly sample: fc.Arbitrary<Sample>;
}

const NASTY_TEXTS = [
  "",
  " ",
  "null",
  "None",
  "true",
  "42",
  "9007199254740993",
  '["a"]',
  '{"a":1}',
  "[x, y",
  "a, b",
  "a\nb",
  "  padded ",
  "`quoted`",
  '"quoted"',
  "^a$",
  "x</arg_key>",
  "<item>x</item>",
  "[a](http://a)",
  "1-5",
  "HIGH",
  "__proto__",
  "ünï",
];

export const text = fc.oneof(
  { arbitrary: fc.constantFrom(...NASTY_TEXTS), weight: 2 },
  { arbitrary: fc.string({ maxLength: 12 }), weight: 2 },
  { arbitrary: fc.stringMatching(/^[a-z]{1,8}$/), weight: 2 },
);

export const KEYS = [
  "alpha",
  "beta_gamma",
  "deltaEps",
  "file_path",
  "path",
  "name",
  "type",
  "value",
  "items",
  "command",
  "input",
  "edits",
  "tag",
  "tags",
] as const;

const scalar = (schema: object, value: fc.Arbitrary<unknown>): Spec => ({
  schema,
  defs: {},
  takesEmpty: false,
  sample: value.map((one) => ({ value: one, places: [{ kind: "scalar", path: [], value: one }] })),
});

const MEMBERS = ["low", "high", "Very High", "on-hold", "a_b", "a-b", "42", 7, true] as const;

const members: fc.Arbitrary<Spec> = fc
  .uniqueArray(fc.constantFrom(...MEMBERS), { minLength: 1, maxLength: 4 })
  .map((list) => ({
    schema: list.length === 1 ? { const: list[0] } : { enum: list },
    defs: {},
    takesEmpty: false,
    sample: fc.constantFrom(...list).map((one) => ({ value: one, places: [{ kind: "member", path: [], value: one }] })),
  }));

const leaf: fc.Arbitrary<Spec> = fc.oneof(
  fc.constant(scalar({ type: "string" }, text)),
  fc.constant(
    scalar(
      { type: "string", minLength: 1 },
      text.filter((one) => one !== ""),
    ),
  ),
  fc.constant(scalar({ type: "string", pattern: "^[a-z]+$" }, fc.stringMatching(/^[a-z]{1,6}$/))),
  fc.constant(scalar({ type: "integer" }, fc.integer())),
  fc.constant(scalar({ type: "integer", minimum: 1, maximum: 10 }, fc.integer({ min: 1, max: 10 }))),
  fc.constant(
    scalar(
      { type: "number" },
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
    ),
  ),
  fc.constant(scalar({ type: "boolean" }, fc.boolean())),
  members,
);

/** The sample's places as seen from one level above. */
const under = (key: string | number, sample: Sample): Place[] =>
  sample.places.map((place) => ({ ...place, path: [key, ...place.path] }));

function listOf(item: Spec, more: { minItems?: number; maxItems?: number }): Spec {
  const min = more.minItems ?? 0;
  return {
    schema: { type: "array", items: item.schema, ...more },
    defs: item.defs,
    // Items that take {} make `[{}]` a reading of it.
    takesEmpty: item.takesEmpty,
    sample: fc.array(item.sample, { minLength: min, maxLength: Math.min(more.maxItems ?? 3, 3) }).map((items) => {
      const value = items.map((one) => one.value);
      return { value, places: [{ kind: "list", path: [], value }, ...items.flatMap((one, i) => under(i, one))] };
    }),
  };
}

function tupleOf(items: readonly Spec[]): Spec {
  const schemas = items.map((one) => one.schema);
  return {
    schema: { type: "array", prefixItems: schemas, items: false, minItems: items.length },
    defs: Object.assign({}, ...items.map((one) => one.defs)) as Record<string, object>,
    takesEmpty: false,
    sample: fc.tuple(...items.map((one) => one.sample)).map((samples) => {
      const value = samples.map((one) => one.value);
      return { value, places: [{ kind: "tuple", path: [], value }, ...samples.flatMap((one, i) => under(i, one))] };
    }),
  };
}

export interface Field {
  readonly key: string;
  readonly spec: Spec;
  readonly isRequired: boolean;
}

function objectOf(fields: readonly Field[], shape: "open" | "closed" | "split"): Spec {
  const required = fields.filter((field) => field.isRequired).map((field) => field.key);
  const properties = Object.fromEntries(fields.map((field) => [field.key, field.spec.schema]));
  const base = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  const schema =
    shape === "closed"
      ? { ...base, additionalProperties: false }
      : shape === "split"
        ? { type: "object", allOf: [{ properties }, { required }] }
        : base;
  const names = fields.map((field) => field.key);
  return {
    schema,
    defs: Object.assign({}, ...fields.map((field) => field.spec.defs)) as Record<string, object>,
    takesEmpty: required.length === 0,
    sample: fc
      .tuple(
        ...fields.map(({ spec, isRequired }) => fc.tuple(spec.sample, isRequired ? fc.constant(true) : fc.boolean())),
      )
      .map((drawn) => {
        const value: Record<string, unknown> = {};
        const places: Place[] = [{ kind: "object", path: [], value }];
        for (const [i, [sample, isThere]] of drawn.entries()) {
          const { key, spec, isRequired } = fields[i]!;
          if (!isThere) {
            places.push({ kind: "absent", path: [key], takesEmpty: spec.takesEmpty || itemsTakeEmpty(spec.schema) });
            continue;
          }
          value[key] = sample.value;
          places.push(...under(key, sample));
          if (isRequired) places.push({ kind: "key", path: [key], names });
        }
        return { value, places };
      }),
  };
}

/** Whether `[{}]` is a value here, so that `{}` may mean a list of one. */
function itemsTakeEmpty(schema: object): boolean {
  const text = JSON.stringify(schema);
  return ['"items":{"type":"object"', '"$ref"', '"anyOf"', '"oneOf"'].some((part) => text.includes(part));
}

const nullSample: Sample = { value: null, places: [] };

function nullable(spec: Spec, shape: "anyOf" | "oneOf" | "type"): Spec {
  const type = (spec.schema as { type?: unknown }).type;
  const schema =
    shape === "type" && typeof type === "string"
      ? { ...spec.schema, type: [type, "null"] }
      : { [shape === "oneOf" ? "oneOf" : "anyOf"]: [spec.schema, { type: "null" }] };
  return {
    ...spec,
    schema,
    sample: fc.oneof({ arbitrary: spec.sample, weight: 4 }, { arbitrary: fc.constant(nullSample), weight: 1 }),
  };
}

function unionOf(a: Spec, b: Spec): Spec {
  return {
    schema: { anyOf: [a.schema, b.schema] },
    defs: { ...a.defs, ...b.defs },
    takesEmpty: a.takesEmpty || b.takesEmpty,
    sample: fc.oneof(a.sample, b.sample),
  };
}

/** Two closed objects that a constant tells apart. */
function taggedUnion(a: Spec, b: Spec, word: "anyOf" | "oneOf"): Spec {
  const branch = (tag: string, one: Spec) =>
    objectOf(
      [
        { key: "kind", spec: constant(tag), isRequired: true },
        { key: `${tag}_data`, spec: one, isRequired: true },
      ],
      "closed",
    );
  const first = branch("file", a);
  const second = branch("link", b);
  return { ...unionOf(first, second), schema: { [word]: [first.schema, second.schema] } };
}

const constant = (value: string): Spec => ({
  schema: { const: value },
  defs: {},
  takesEmpty: false,
  sample: fc.constant({ value, places: [{ kind: "member", path: [], value }] }),
});

function hashOf(schema: object): number {
  const text = JSON.stringify(schema);
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return hash;
}

const REFERENCES = ["pointer", "definitions", "anchor", "dynamic", "id"] as const;

/** The schema somewhere else, and one of the ways to refer to it. */
function referred(spec: Spec, way: (typeof REFERENCES)[number]): Spec {
  const name = `${way[0]}${hashOf(spec.schema)}`;
  const at = (schema: object, more: object, key = name): Spec => ({
    ...spec,
    schema,
    defs: { ...spec.defs, [key]: { ...spec.schema, ...more } },
  });
  if (way === "definitions") return at({ $ref: `#/definitions/${name}` }, {}, `${OLD_DEFINITIONS}${name}`);
  if (way === "anchor") return at({ $ref: `#${name}` }, { $anchor: name });
  if (way === "dynamic") return at({ $dynamicRef: `#${name}` }, { $dynamicAnchor: name });
  const isSelfContained = !/"\$(?:ref|dynamicRef|id)"/.test(JSON.stringify(spec.schema));
  if (way === "id" && isSelfContained)
    return at({ $ref: `https://example.invalid/${name}` }, { $id: `https://example.invalid/${name}` });
  return at({ $ref: `#/$defs/${name}` }, {});
}

/** Definitions that stand under draft 7's keyword. */
const OLD_DEFINITIONS = "definitions/";

/** A list in a document of its own, whose items are what the document that refers to it says they are. */
function generic(spec: Spec): Spec {
  const hash = hashOf(spec.schema);
  const [name, id] = [`g${hash}`, `https://example.invalid/list${hash}`];
  const inner = {
    $id: id,
    type: "array",
    items: { $dynamicRef: `#${name}` },
    maxItems: 3,
    $defs: { any: { $dynamicAnchor: name } },
  };
  const list = listOf(spec, { maxItems: 3 });
  const defs = { ...list.defs, [name]: { ...spec.schema, $dynamicAnchor: name }, [`list${hash}`]: inner };
  return { ...list, schema: { $ref: id }, defs };
}

/** What says nothing about validity. */
function described(spec: Spec): Spec {
  const words = {
    title: "A field",
    deprecated: true,
    description: "One of two (default: 5)",
    default: null,
    examples: [1],
    $comment: "-",
  };
  return { ...spec, schema: { ...words, ...spec.schema } };
}

/** An object whose keys are the model's: only their values have a schema. */
function recordOf(spec: Spec, keys: "any" | "pattern"): Spec {
  const schema =
    keys === "any"
      ? { type: "object", additionalProperties: spec.schema }
      : { type: "object", patternProperties: { "^x_[a-z]+$": spec.schema }, additionalProperties: false };
  const names = keys === "any" ? ["one", "two words", "x.y", "0"] : ["x_a", "x_bc", "x_d"];
  return {
    schema,
    defs: spec.defs,
    takesEmpty: true,
    sample: fc.tuple(...names.map(() => fc.option(spec.sample))).map((drawn) => {
      const value: Record<string, unknown> = {};
      const places: Place[] = [{ kind: "object", path: [], value }];
      for (const [i, one] of drawn.entries()) {
        if (one === null) continue;
        value[names[i]!] = one.value;
        places.push(...under(names[i]!, one));
      }
      return { value, places };
    }),
  };
}

/** A node that holds nodes of its own schema, in a list and in a field. */
function treeOf(spec: Spec): Spec {
  const name = `t${hashOf(spec.schema)}`;
  const self = { $ref: `#/$defs/${name}` };
  const schema = {
    type: "object",
    properties: { label: spec.schema, children: { type: "array", items: self }, next: self },
    required: ["label"],
    additionalProperties: false,
  };
  const node = (depth: number): fc.Arbitrary<Sample> => {
    const inner: Spec = {
      schema: self,
      defs: {},
      takesEmpty: false,
      sample: depth === 0 ? fc.constant(nullSample) : node(depth - 1),
    };
    const label = { key: "label", spec, isRequired: true };
    if (depth === 0) return objectOf([label], "closed").sample;
    const children = { key: "children", spec: listOf(inner, { maxItems: 2 }), isRequired: false };
    return objectOf([label, children, { key: "next", spec: inner, isRequired: false }], "closed").sample;
  };
  return { schema: self, defs: { ...spec.defs, [name]: schema }, takesEmpty: false, sample: node(2) };
}

/** A field that one value of another field demands. */
function conditional(spec: Spec): Spec {
  const properties = { mode: { enum: ["with", "without"] }, extra: spec.schema };
  const isWith = { properties: { mode: { const: "with" } }, required: ["mode"] };
  const branch = (tag: string, isRequired: boolean) =>
    objectOf(
      [
        { key: "mode", spec: constant(tag), isRequired: true },
        { key: "extra", spec, isRequired },
      ],
      "open",
    ).sample;
  return {
    // biome-ignore lint/suspicious/noThenProperty: the keyword
    schema: { type: "object", properties, required: ["mode"], if: isWith, then: { required: ["extra"] }, else: {} },
    defs: spec.defs,
    takesEmpty: false,
    sample: fc.oneof(branch("with", true), branch("without", false)),
  };
}

const DEPENDENCIES = ["dependentSchemas", "dependencies", "dependentRequired"] as const;

/** A field that the presence of another one demands, or that is declared only where the other one is there. */
function dependent(spec: Spec, word: (typeof DEPENDENCIES)[number], isHidden: boolean): Spec {
  const mode = scalar({ type: "string" }, fc.constantFrom("a", "b"));
  const fieldList = (withMode: boolean, isRequired: boolean): Field[] => [
    ...(withMode ? [{ key: "mode", spec: mode, isRequired: true }] : []),
    { key: "extra", spec, isRequired },
  ];
  const shown = isHidden ? {} : { extra: spec.schema };
  const demand =
    word === "dependentSchemas" || (isHidden && word === "dependencies")
      ? { properties: { extra: spec.schema }, required: ["extra"] }
      : ["extra"];
  const schema = {
    type: "object",
    properties: { mode: { type: "string" }, ...shown },
    [word]: { mode: demand },
    ...(isHidden ? { unevaluatedProperties: false } : {}),
  };
  const whole = objectOf(fieldList(true, true), "closed").sample;
  if (isHidden && word !== "dependentRequired") return { schema, defs: spec.defs, takesEmpty: true, sample: whole };
  const open = { ...schema, properties: { mode: { type: "string" }, extra: spec.schema } };
  return {
    schema: open,
    defs: spec.defs,
    takesEmpty: true,
    sample: fc.oneof(whole, objectOf(fieldList(false, false), "open").sample),
  };
}

/** Keywords that narrow a value beyond its type. */
const narrowed: fc.Arbitrary<Spec> = fc.constantFrom(
  scalar({ type: "integer", multipleOf: 5, exclusiveMinimum: 0 }, fc.constantFrom(5, 10, 500)),
  scalar({ allOf: [{ type: "integer" }, { minimum: 0 }], not: { const: 3 } }, fc.constantFrom(0, 1, 2, 40)),
  scalar({ type: "string", format: "date" }, fc.constantFrom("2026-11-30", "2024-02-29")),
  scalar({ type: "string", maxLength: 3 }, fc.constantFrom("", "a", "abc")),
  scalar({ type: ["string", "number"] }, fc.constantFrom<unknown>("a", "5", 5, 1.5)),
  scalar({}, fc.jsonValue({ maxDepth: 1 })),
  scalar({ type: "array", uniqueItems: true, contains: { const: 1 } }, fc.constantFrom([1], [1, "1"], [2, 1])),
  scalar(
    { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } },
    fc.constantFrom(["a"], ["a", 1, 2]),
  ),
  scalar(
    { type: "object", minProperties: 1, propertyNames: { pattern: "^[a-z]+$" } },
    fc.constantFrom({ a: 1 }, { b: "x" }),
  ),
  scalar({ type: "number", exclusiveMaximum: 1, minimum: -1 }, fc.constantFrom(-1, 0, 0.5)),
  scalar(
    { type: "array", contains: { type: "integer" }, minContains: 1, maxContains: 2 },
    fc.constantFrom([1], ["1", 2, 3], [{}, 4]),
  ),
  scalar(
    { type: "array", prefixItems: [{ type: "string" }], unevaluatedItems: { type: "boolean" } },
    fc.constantFrom(["a"], ["a", true]),
  ),
  scalar({ type: "object", maxProperties: 2 }, fc.constantFrom({}, { a: 1 }, { a: "x", b: null })),
  // Not one for regular expressions with the flag `u`.
  scalar(
    { type: "object", patternProperties: { "^n\\-": { type: "integer" } }, additionalProperties: false },
    fc.constantFrom({}, { "n-a": 1 }, { "n-a": 1, "n-b": 2 }),
  ),
  scalar({ type: "object", dependentRequired: { a: ["b"] } }, fc.constantFrom({}, { b: 1 }, { a: 1, b: 2 })),
  scalar(
    { type: "object", properties: { a: { type: "integer" } }, unevaluatedProperties: false },
    fc.constantFrom({}, { a: 1 }),
  ),
);

/**
 * Schemas of bounded depth. `isAmbiguous` adds unions whose branches overlap (a list beside a scalar, list beside list),
 * where a damaged value can mean either branch.
 */
function specs(isAmbiguous: boolean): fc.Arbitrary<Spec> {
  const scalars = fc.tuple(fc.constantFrom("integer", "number"), fc.boolean(), fc.boolean());
  const scalarUnion = scalars.map(([type, isFirst, isWord]) => {
    const number = scalar({ type }, fc.integer());
    const flag = isWord ? constant("auto") : scalar({ type: "boolean" }, fc.boolean());
    return isFirst ? unionOf(number, flag) : unionOf(flag, number);
  });
  const { spec } = fc.letrec<{ spec: Spec; node: Spec; object: Spec }>((tie) => ({
    spec: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, tie("node")),
    object: fields(tie("spec")).chain((list) =>
      fc.constantFrom("open", "closed", "split").map((shape) => objectOf(list, shape as "open")),
    ),
    node: fc.oneof(
      tie("object"),
      fc
        .tuple(
          fc.oneof(tie("spec"), tie("object")),
          fc.constantFrom({}, {}, {}, { minItems: 1 }, { maxItems: 2 }, { minItems: 2 }),
        )
        .map(([item, more]) => listOf(item, more)),
      fc.array(tie("spec"), { minLength: 1, maxLength: 2 }).map(tupleOf),
      fc
        .tuple(tie("spec"), fc.constantFrom("anyOf", "oneOf", "type"))
        .map(([one, shape]) => nullable(one, shape as "anyOf")),
      isAmbiguous ? fc.tuple(tie("spec"), tie("spec")).map(([a, b]) => unionOf(a, b)) : scalarUnion,
      fc
        .tuple(tie("spec"), tie("spec"), fc.constantFrom("anyOf", "oneOf"))
        .map(([a, b, word]) => taggedUnion(a, b, word as "anyOf")),
      fc.tuple(tie("spec"), fc.constantFrom(...REFERENCES)).map(([one, way]) => referred(one, way)),
      tie("spec").map(described),
      tie("spec").map(treeOf),
      fc.tuple(tie("spec"), fc.constantFrom("any", "pattern")).map(([one, keys]) => recordOf(one, keys as "any")),
      isAmbiguous ? tie("spec").map(conditional) : scalarUnion,
      isAmbiguous ? tie("spec").map(generic) : scalarUnion,
      isAmbiguous
        ? fc
            .tuple(tie("spec"), fc.constantFrom(...DEPENDENCIES), fc.boolean())
            .map(([one, word, isHidden]) => dependent(one, word, isHidden))
        : scalarUnion,
      isAmbiguous ? narrowed : scalarUnion,
    ),
  }));
  return spec;
}

function fields(of: fc.Arbitrary<Spec>): fc.Arbitrary<Field[]> {
  return fc.uniqueArray(fc.record({ key: fc.constantFrom<string>(...KEYS), spec: of, isRequired: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
    selector: (field) => field.key,
  });
}

export interface ToolSample {
  readonly parameters: object;
  readonly sample: fc.Arbitrary<Sample>;
}

/** A tool schema: an object with fields, and the definitions they refer to. */
function tools(spec: fc.Arbitrary<Spec>): fc.Arbitrary<ToolSample> {
  return fields(spec).chain((list) =>
    fc.constantFrom("open", "closed").map((shape) => {
      const root = objectOf(list, shape as "open");
      const draft = shape === "open" ? { $schema: "https://json-schema.org/draft/2020-12/schema" } : {};
      return { parameters: { ...draft, ...root.schema, ...definitions(root.defs) }, sample: root.sample };
    }),
  );
}

function definitions(defs: Readonly<Record<string, object>>) {
  const [old, rest]: [[string, object][], [string, object][]] = [[], []];
  for (const [name, schema] of Object.entries(defs)) {
    if (name.startsWith(OLD_DEFINITIONS)) old.push([name.slice(OLD_DEFINITIONS.length), schema]);
    else rest.push([name, schema]);
  }
  return { $defs: Object.fromEntries(rest), ...(old.length > 0 ? { definitions: Object.fromEntries(old) } : {}) };
}

/** Tools of every keyword. */
export const anyTool = tools(specs(true));

/** Tools without overlapping unions: a damaged place has one way back. */
export const plainTool = tools(specs(false));

/** `value` with `change` made at `path`; `undefined` deletes. Everything is copied. */
export function changedAt(value: unknown, path: Path, change: (at: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? changedAt(item, rest, change) : item));
  const out = { ...(value as Record<string, unknown>) };
  const key = String(step);
  const next = changedAt(Object.hasOwn(out, key) ? out[key] : undefined, rest, change);
  if (next === undefined) delete out[key];
  else out[key] = next;
  return out;
}
