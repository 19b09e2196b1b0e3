import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasRepeatedKey } from "../src/utils/tool-repair/duplicate-keys.ts";
import {
  FORGIVEN,
  type ReadResult,
  readLenientJson,
  readRawArguments,
} from "../src/utils/tool-repair/read-raw-arguments.ts";
import {
  READABLE_OBJECTS,
  READABLE_VALUES,
  type ReadableRow,
  UNREADABLE_OBJECTS,
  UNREADABLE_VALUES,
  type UnreadableRow,
} from "./read-raw-arguments.rows.ts";

function expectReadable(result: ReadResult<unknown>, [, value, ...forgiven]: ReadableRow): void {
  expect(result).toStrictEqual({ ok: true, value, forgiven: expect.any(Array) });
  if (result.ok) expect([...result.forgiven].sort()).toEqual([...forgiven].sort());
}

function expectUnreadable(result: ReadResult<unknown>, [text, reason, at]: UnreadableRow): void {
  expect(result).toEqual({ ok: false, reason, at: at ?? expect.any(Number) });
  if (!result.ok) {
    expect(result.at).toBeGreaterThanOrEqual(0);
    expect(result.at).toBeLessThanOrEqual(text.length);
    if (reason === "truncated") expect(result.at).toBe(text.length);
  }
}

describe("readRawArguments", () => {
  for (const row of READABLE_OBJECTS) {
    it(`reads ${JSON.stringify(row[0])} as ${JSON.stringify(row[1])}`, () =>
      expectReadable(readRawArguments(row[0]), row));
  }

  for (const row of UNREADABLE_OBJECTS) {
    it(`refuses ${JSON.stringify(row[0])} as ${row[1]}`, () => expectUnreadable(readRawArguments(row[0]), row));
  }

  it("has a sample for every name it can forgive", () => {
    const seen = new Set(READABLE_OBJECTS.flatMap(([, , ...forgiven]) => forgiven));
    expect([...FORGIVEN].filter((name) => !seen.has(name))).toEqual([]);
  });

  it("believes a call id only if it names the called tool", () => {
    const read = (text: string) => readRawArguments(text, { toolName: "read" });
    for (const text of ['functions.read:0{"a":1}', 'read:2{"a":1}', 'read {"a":1}']) {
      expect(read(text)).toEqual({ ok: true, value: { a: 1 }, forgiven: ["callIdPrefix"] });
    }
    for (const text of ['functions.write:0{"a":1}', 'write:2{"a":1}', 'readx{"a":1}'])
      expect(read(text).ok).toBe(false);
    expect(readRawArguments('read:2{"a":1}').ok).toBe(false);
  });

  it("keeps __proto__ as data in every spelling", () => {
    for (const text of ['{"__proto__":{"x":1}}', "{'__proto__':{'x':1}}", "{__proto__:{x:1}}"]) {
      const result = readRawArguments(text);
      if (!result.ok) throw new Error(text);
      expect(Object.keys(result.value)).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype);
      expect("x" in result.value).toBe(false);
    }
    expect("x" in {}).toBe(false);
  });

  it("refuses text over maxBytes unread, and lenient nesting over maxDepth", () => {
    expect(readRawArguments('{"a":1}', { maxBytes: 6 })).toEqual({ ok: false, reason: "too-large", at: 6 });
    expect(readRawArguments('{"a":1}', { maxBytes: 7 }).ok).toBe(true);
    const nested = (depth: number, tail = "") => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}${tail}}`;
    expect(readRawArguments(nested(512, ",")).ok).toBe(true);
    expect(readRawArguments(nested(513, ","))).toMatchObject({ ok: false, reason: "too-large" });
    expect(readRawArguments(nested(4, ","), { maxDepth: 3 })).toMatchObject({ ok: false, reason: "too-large" });
    expect(readRawArguments(nested(100_000)).ok).toBe(true);
  });
});

describe("readLenientJson", () => {
  for (const row of READABLE_VALUES) {
    it(`reads ${JSON.stringify(row[0])} as ${JSON.stringify(row[1])}`, () =>
      expectReadable(readLenientJson(row[0]), row));
  }

  for (const row of UNREADABLE_VALUES) {
    it(`refuses ${JSON.stringify(row[0])} as ${row[1]}`, () => expectUnreadable(readLenientJson(row[0]), row));
  }
});

describe("hasRepeatedKey", () => {
  it.each([
    ['{"a":1,"b":2}', false],
    ['{"a":1,"a":1}', true],
    ['{"a" : 1 , "\\u0061" : 1}', true],
    ['[{"a":{"b":1,"b":1}}]', true],
    ['{"a":": \\":\\\\","b":":"}', false],
    ['{"a":":","a":":"}', true],
    ['{"k\\\\":1,"k\\\\":1}', true],
    ['{"a":"{\\"x\\":1,\\"x\\":1}"}', false],
    ['{"__proto__":1}', false],
    ["[[],{}]", false],
  ])("%s: %s", (text, expected) => {
    expect(hasRepeatedKey(text, JSON.parse(text))).toBe(expected);
  });
});

describe("for any input", () => {
  const codeLike = fc.string({
    unit: fc.constantFrom(..."ab 1\"'{}[](),:=\\\n/$<>|`-"),
    maxLength: 24,
  });
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), codeLike);
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(text, fc.constant("__proto__")), tie("value"), { maxKeys: 4 }),
    ),
  }));
  const objectText = fc
    .tuple(fc.dictionary(text, json, { minKeys: 1, maxKeys: 4 }), fc.constantFrom(0, 2, "\t"))
    .map(([value, indent]) => JSON.stringify(value, null, indent));

  it("valid objects come back as JSON.parse reads them, with nothing forgiven", () => {
    fc.assert(
      fc.property(objectText, (valid) => {
        expect(readRawArguments(valid)).toStrictEqual({ ok: true, value: JSON.parse(valid), forgiven: [] });
      }),
    );
  });

  it("the lenient parser reads valid objects as JSON.parse does", () => {
    fc.assert(
      fc.property(objectText, (valid) => {
        expect(readRawArguments(`\ufeff${valid}`)).toStrictEqual({
          ok: true,
          value: JSON.parse(valid),
          forgiven: ["invisibleCharacter"],
        });
      }),
    );
  });

  it("no proper prefix of a valid object is a value", () => {
    fc.assert(
      fc.property(objectText, (valid) => {
        for (let end = 1; end < valid.length; end++) {
          expect(readRawArguments(valid.slice(0, end)), valid.slice(0, end)).toMatchObject({ reason: "truncated" });
        }
      }),
    );
  });

  it("no proper prefix of a leniently read object is a value", () => {
    const sloppy = objectText.map((valid) => `{\n  extra: None,${valid.slice(1).replaceAll("\\n", "\n")}`);
    fc.assert(
      fc.property(sloppy, (text) => {
        fc.pre(readRawArguments(text).ok);
        for (let end = 1; end < text.length; end++) {
          expect(readRawArguments(text.slice(0, end)), text.slice(0, end)).toMatchObject({ ok: false });
        }
      }),
    );
  });

  it("a string whose inner quotes lost their backslash is never cut", () => {
    const keys = fc.constantFrom("path", "text", "cmd");
    fc.assert(
      fc.property(fc.dictionary(keys, codeLike, { minKeys: 1 }), (value) => {
        const valid = JSON.stringify(value);
        const unescaped = valid.replaceAll('\\"', '"');
        fc.pre(unescaped !== valid);
        const result = readRawArguments(unescaped);
        // strict JSON that happens to mean something else cannot be told apart
        if (result.ok && result.forgiven.length > 0) expect([unescaped, result.forgiven], unescaped).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("mutated and random text never throws, and what is refused points into the text", () => {
    const mutated = fc
      .tuple(objectText, fc.array(fc.tuple(fc.nat(), fc.nat(3), codeLike), { minLength: 1, maxLength: 3 }))
      .map(([valid, edits]) =>
        edits.reduce((now, [at, remove, insert]) => {
          const from = at % (now.length + 1);
          return now.slice(0, from) + insert + now.slice(from + remove);
        }, valid),
      );
    fc.assert(
      fc.property(fc.oneof(mutated, text), (any) => {
        for (const result of [readRawArguments(any), readLenientJson(any)]) {
          if (result.ok) expect(new Set(result.forgiven).size).toBe(result.forgiven.length);
          else expect(result.at).toBeLessThanOrEqual(any.length);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("cost", () => {
  const units = ['{"a":', "\\", '"', "[", "\n", "```", "</a>", "{}", "<a>", "//", "/*", "'", "\u201c", "`{", "a:\n"];
  const more = ["<|x|>", '{"a":"\\"', '{"a":"\\d', "functions.", "word ", "\\n", '{"a":1,"a":1}', '":', '"\\":'];
  const heads = ["", '{"a":1}', '{"a":"', '{"a":["x",', "Text: ", '"', '{\\"a\\":'];

  it.each([...units, ...more])("grows no faster than the text: runs of %j", (unit) => {
    const time = (text: string): number => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 3; run++) {
        const start = performance.now();
        readRawArguments(text);
        readLenientJson(text);
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    for (const head of heads) {
      const small = time(head + unit.repeat(32_768 / unit.length));
      const large = time(head + unit.repeat(524_288 / unit.length));
      // sixteen times the text; a quadratic reader takes 256 times as long
      expect(large / Math.max(small, 0.2), head).toBeLessThan(96);
    }
  });
});
