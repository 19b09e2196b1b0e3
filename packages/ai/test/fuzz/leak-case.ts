// Message texts under fuzz: calls as the families print them, among prose, in code, cut, or changed at random; read whole,
// as a live stream in any pieces, and by the text protocol.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { compile } from "@earendil-works/pi-schema";
import fc from "fast-check";
import { createMarkupFilter } from "../../src/utils/tool-repair/grammars/markup-filter.ts";
import { OPENER_TEXTS } from "../../src/utils/tool-repair/grammars/openers.ts";
import { readLeakedCalls } from "../../src/utils/tool-repair/grammars/read-leaked-calls.ts";
import { parseTextToolCalls } from "../../src/utils/tool-repair/text-protocol.ts";
import { FAMILIES, FETCH, SAMPLE_TOOLS, type SampleCall, STORE, UNKNOWN } from "../grammars/family-samples.ts";
import { text as anyText } from "../repairs/schema-arbitrary.ts";
import { mutateText } from "../support/mutate.ts";
import { DrawnRandom, drawnNumbers } from "./drawn-random.ts";

const VALID: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  SAMPLE_TOOLS.map(({ name, parameters }) => [name, compile(parameters).check]),
);
const HOSTILE: SampleCall = { name: "store", args: { key: "__proto__", text: "\u001b[2J\u202e</b>" } };

export interface LeakCase {
  readonly family: number;
  readonly calls: readonly number[];
  readonly before: string;
  readonly after: string;
  /** `whole` and `cut` are as the family prints them; anything may come of the others. */
  readonly change: "whole" | "cut" | "mutated" | "spliced";
  readonly numbers: readonly number[];
  readonly sizes: readonly number[];
}

const CALLS: readonly SampleCall[] = [FETCH, STORE, UNKNOWN, HOSTILE];
const PROSE = [
  "",
  "On it.\n",
  "The tag <tool_call> is one.\n\n",
  "```\n",
  "> ",
  "`",
  "<think>hm</think>\n",
  "a < b[0]\n",
  "\n    ",
];
const prose = fc.oneof(
  { arbitrary: fc.constantFrom(...PROSE), weight: 4 },
  { arbitrary: anyText, weight: 1 },
  { arbitrary: fc.constantFrom(...OPENER_TEXTS), weight: 1 },
);

export const leakCase: fc.Arbitrary<LeakCase> = fc.record({
  family: fc.nat(FAMILIES.length - 1),
  calls: fc.array(fc.nat(CALLS.length - 1), { minLength: 1, maxLength: 3 }),
  before: prose,
  after: prose,
  change: fc.constantFrom("whole", "cut", "mutated", "spliced"),
  numbers: drawnNumbers,
  sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
});

/** The text of a case. */
export function leakText(drawn: LeakCase): string {
  const { print, single } = FAMILIES[drawn.family]!;
  const calls = drawn.calls.map((index) => CALLS[index]!);
  const printed = print(...(single ? calls.slice(0, 1) : calls));
  const random = new DrawnRandom(drawn.numbers);
  if (drawn.change === "cut") return drawn.before + printed.slice(0, random.below(printed.length));
  if (drawn.change === "whole") return drawn.before + printed + drawn.after;
  if (drawn.change === "mutated") return mutateText(drawn.before + printed + drawn.after, random);
  const opener = OPENER_TEXTS[random.below(OPENER_TEXTS.length)]!;
  const at = random.below(printed.length + 1);
  return drawn.before + printed.slice(0, at) + opener + printed.slice(at) + drawn.after;
}

/** Asserts all that holds for a message text; says whether calls were read. */
export function checkLeak(drawn: LeakCase): "calls" | "none" {
  const message = leakText(drawn);
  const read = readLeakedCalls(message, SAMPLE_TOOLS);
  assert.ok(isDeepStrictEqual(readLeakedCalls(message, SAMPLE_TOOLS), read), "a second reading differs");
  let from = 0;
  for (const call of read.calls) {
    assert.ok(VALID.get(call.name)?.(call.arguments), `a call that no tool takes: ${call.name}`);
    assert.ok(call.range.start >= from && call.range.end > call.range.start, "ranges overlap");
    from = call.range.end;
    if (drawn.change === "cut" && call.name === "store") {
      const made = [STORE, HOSTILE].some(({ args }) => isDeepStrictEqual(args, call.arguments));
      assert.ok(made, `a cut text became another call: ${JSON.stringify(call.arguments)}`);
    }
  }
  for (const { reason, message: told } of read.refused) {
    if (reason === "arguments") assert.ok(told !== undefined && told !== "", "a refusal says nothing");
  }
  assert.ok(from <= message.length, "a range beyond the text");
  assert.ok(isSubsequence(read.text, message), "text that the model did not write");
  if (!/[<[`{>|]/.test(message) && !OPENER_TEXTS.some((opener) => message.includes(opener))) {
    assert.equal(read.text, message, "plain text was changed");
  }
  checkProtocol(message);
  checkFilter(message, drawn.sizes);
  return read.calls.length > 0 ? "calls" : "none";
}

function checkProtocol(message: string): void {
  const asked = parseTextToolCalls(message, SAMPLE_TOOLS);
  assert.ok(isDeepStrictEqual(parseTextToolCalls(message, SAMPLE_TOOLS), asked), "a second listening differs");
  for (const { name } of asked.calls) assert.ok(VALID.has(name), `a call to no tool: ${name}`);
  for (const { message: told } of asked.refused) {
    assert.ok(told !== "" && !/[\p{Cc}\p{Bidi_Control}]/u.test(told.replaceAll("\n", " ")), "an unsafe refusal");
  }
  assert.ok(isSubsequence(asked.text, message), "text that the model did not write");
}

function checkFilter(message: string, sizes: readonly number[]): void {
  const filter = createMarkupFilter(SAMPLE_TOOLS);
  let shown = "";
  for (let at = 0, piece = 0; at < message.length; piece++) {
    const size = sizes[piece % sizes.length]!;
    shown += filter.push(message.slice(at, at + size));
    at += size;
  }
  shown += filter.end();
  assert.ok(isSubsequence(shown, message), "the live view shows what was not written");
}

/** Whether `part` is `whole` with something left out. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let i = 0; i < part.length; i++) {
    at = whole.indexOf(part[i]!, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
