// The search for regular expressions that are made at run time: constant ones come out as they are made, no other is missed.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of modules

import { parseAst } from "vite";
import { expect, test } from "vitest";

const SCRIPT = new URL("../../../../scripts/regexes/built-expressions.mjs", import.meta.url);
const { builtExpressions } = await import(SCRIPT.href);
const found = (text: string) => builtExpressions(parseAst(text, { lang: "ts" }), text);

test.each<[string, string, string]>([
  ["a text", 'const A = new RegExp("a+b", "g");', "/a+b/g"],
  ["a text without flags", 'RegExp("(a+)+");', "/(a+)+/"],
  ["a raw template", "const A = new RegExp(String.raw`\\d+`);", "/\\d+/"],
  ["constants inside", 'const W = "a|b"; const X = `(${W})`; export const A = new RegExp(`^${X}*$`);', "/^(a|b)*$/"],
  ["a sum", 'const W = "a"; new RegExp(W + "+", "u");', "/a+/u"],
  ["the source of another", "const W = /x+/; new RegExp(W.source);", "/x+/"],
  ["inside a function", 'function f() { return new globalThis.RegExp("x*"); }', "/x*/"],
  ["a text to match", '"x".match("(x+)+y");', "/(x+)+y/"],
])("works out %s", (_, text, wanted) => {
  const [one, ...more] = found(text);
  expect(more).toEqual([]);
  expect(`/${one.pattern}/${one.flags}`).toBe(wanted);
});

test.each([
  "function f(text) { return new RegExp(text); }",
  "function f(text) { return new RegExp(`^${text}$`); }",
  'const f = (flags) => new RegExp("a", flags);',
  "let word = 'a'; new RegExp(word);",
  "const f = (text) => 'x'.search(`${text}+`);",
])("names what is made of a text that comes at run time: %s", (text) => {
  expect(found(text)).toEqual([{ source: expect.stringMatching(/RegExp\(|search\(/) }]);
});

test("other calls make none", () => {
  expect(found('/x/.test("a"); "x".match(/a/); "x".match(A); "x".replace("a", "b"); new Map([]);')).toEqual([]);
});
