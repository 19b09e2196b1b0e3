// Raw argument texts under fuzz: strict JSON, one styling that models use, a cut, or several random changes. The reader
// must give the value that was written, or refuse; a cut text never becomes a value.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { FORGIVEN, readLenientJson, readRawArguments } from "../../src/utils/tool-repair/read-raw-arguments.ts";
import { text } from "../repairs/schema-arbitrary.ts";
import { mutateText } from "../support/mutate.ts";
import { DrawnRandom, drawnNumbers } from "./drawn-random.ts";

type Style = (value: object) => string | undefined;

const json = JSON.stringify;
const pythonic = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonic).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${pythonic(key)}: ${pythonic(one)}`)
      .join(", ")}}`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return json(value);
};

/** Ways to write one value, each with one reading. */
const STYLES: Readonly<Record<string, Style>> = {
  strict: json,
  indented: (value) => json(value, null, 2),
  fenced: (value) => `\`\`\`json\n${json(value)}\n\`\`\``,
  "encoded twice": (value) => json(json(value)),
  "with a trailing comma": (value) => (Object.keys(value).length === 0 ? undefined : json(value).replace(/\}$/, ",}")),
  "with Python words": pythonic,
  "twice in a row": (value) => json(value) + json(value),
  "behind a byte order mark": (value) => `\ufeff${json(value)}`,
  "with bare keys": (value) => {
    const keys = Object.keys(value);
    if (keys.length === 0 || !keys.every((key) => /^[a-z]{2,}$/.test(key) && !/^(true|false|null|none)$/.test(key)))
      return undefined;
    return `{${Object.entries(value)
      .map(([key, one]) => `${key}: ${json(one)}`)
      .join(", ")}}`;
  },
};

const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "path", "toString", ""));
const object = fc.dictionary(key, fc.oneof(fc.jsonValue({ maxDepth: 2 }), text), { maxKeys: 4 });

export type TextCase =
  | { readonly kind: "styled"; readonly value: object; readonly style: string }
  | { readonly kind: "cut"; readonly value: object; readonly style: "strict" | "indented"; readonly at: number }
  | { readonly kind: "mutated"; readonly value: object; readonly style: string; readonly numbers: readonly number[] }
  | { readonly kind: "any"; readonly text: string };

const style = fc.constantFrom(...Object.keys(STYLES));

export const textCase: fc.Arbitrary<TextCase> = fc.oneof(
  fc.record({ kind: fc.constant("styled" as const), value: object, style }),
  fc.record({
    kind: fc.constant("cut" as const),
    value: object,
    style: fc.constantFrom("strict" as const, "indented" as const),
    at: fc.nat(4095),
  }),
  fc.record({ kind: fc.constant("mutated" as const), value: object, style, numbers: drawnNumbers }),
  fc.record({ kind: fc.constant("any" as const), text: fc.string({ unit: "binary", maxLength: 40 }) }),
);

/** Asserts all that holds for a text; says whether it was read. */
export function checkText(drawn: TextCase): "read" | "refused" {
  if (drawn.kind === "any") return checkAny(drawn.text);
  // Own keys only: what JSON.parse gives for `__proto__`.
  const value = JSON.parse(json(drawn.value)) as object;
  const written = STYLES[drawn.style]!(value) ?? json(value);
  if (drawn.kind === "mutated") return checkAny(mutateText(written, new DrawnRandom(drawn.numbers)));
  if (drawn.kind === "cut") {
    const end = 1 + Math.floor((drawn.at / 4096) * (written.length - 1));
    const cut = written.slice(0, end);
    const outcome = checkAny(cut);
    assert.ok(!readRawArguments(cut).ok, `a cut text was read: ${json(cut)}`);
    return outcome;
  }
  const outcome = checkAny(written);
  const read = readRawArguments(written);
  if (read.ok) assert.equal(json(read.value), json(value), `another value was read from ${json(written)}`);
  if (drawn.style === "strict" || drawn.style === "indented") {
    assert.ok(read.ok && read.forgiven.length === 0, `strict JSON was not read as such: ${json(written)}`);
  }
  return outcome;
}

function checkAny(written: string): "read" | "refused" {
  const read = readRawArguments(written);
  assert.ok(isDeepStrictEqual(readRawArguments(written), read), "a second reading differs");
  const lenient = readLenientJson(written);
  if (!read.ok) {
    assert.ok(read.at >= 0 && read.at <= written.length, "a position outside the text");
    return "refused";
  }
  for (const name of read.forgiven) assert.ok((FORGIVEN as readonly string[]).includes(name), `unknown: ${name}`);
  assert.equal(Object.getPrototypeOf(read.value), Object.prototype, "a value with another prototype");
  const again = readRawArguments(json(read.value));
  assert.ok(
    again.ok && again.forgiven.length === 0 && json(again.value) === json(read.value),
    "a value that reads otherwise",
  );
  const isPlaceholder = read.forgiven.includes("emptyText") || read.forgiven.includes("nullText");
  if (!isPlaceholder) assert.ok(lenient.ok && json(lenient.value) === json(read.value), "the two readers disagree");
  return "read";
}
