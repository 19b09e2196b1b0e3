// Guarded streams under fuzz: one to three calls whose texts are whole, changed or cut, in deltas of any size, that may end
// early, never be announced as ended, or finish with a wrong reason.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { guardStream } from "../../src/utils/stream-guard/guard-stream.ts";
import { guardFinalMessage } from "../../src/utils/stream-guard/settle-message.ts";
import { checkCalls } from "../support/check-calls.ts";
import { mutateText, randomCall } from "../support/mutate.ts";
import { emptyStream, pushCall, reply, toolCall, unparsedCall } from "../support/scripted-stream.ts";
import { TOOLS } from "../support/stream-cases.ts";
import { testContext } from "../support/test-model.ts";
import { DrawnRandom, drawnNumbers } from "./drawn-random.ts";

export interface StreamCase {
  readonly change: "whole" | "cut" | "mutated";
  readonly ending: "done" | "length" | "none" | "early";
  readonly numbers: readonly number[];
  readonly count: number;
}

export const streamCase: fc.Arbitrary<StreamCase> = fc.record({
  change: fc.constantFrom("whole", "cut", "mutated"),
  ending: fc.constantFrom("done", "length", "none", "early"),
  numbers: drawnNumbers,
  count: fc.integer({ min: 1, max: 3 }),
});

const context = testContext(TOOLS);

/** Asserts all that holds for a stream; says what became of its calls. */
export async function checkStream(drawn: StreamCase): Promise<"whole" | "refused"> {
  const first = await settled(drawn);
  const counts = { whole: 0, repaired: 0, refused: 0 };
  checkCalls(first, TOOLS, counts);
  const second = await settled(drawn);
  assert.ok(isDeepStrictEqual(withoutTime(second), withoutTime(first)), "a second run differs");
  const again = guardFinalMessage(first, context);
  // Without the stream's texts a call without a name may still be found to continue another.
  const isNamed = first.content.every((block) => block.type !== "toolCall" || block.name.trim() !== "");
  if (isNamed) assert.ok(again === first, "a settled message is settled again");
  assert.ok(guardFinalMessage(again, context) === again, "a settled message is settled over and over");
  return counts.refused > 0 ? "refused" : "whole";
}

const withoutTime = (message: AssistantMessage) => ({ ...message, timestamp: 0 });

async function settled(drawn: StreamCase): Promise<AssistantMessage> {
  const random = new DrawnRandom(drawn.numbers);
  const source = emptyStream();
  const guarded = guardStream(source, context);
  const partial = reply();
  for (let i = 0; i < drawn.count; i++) {
    const { id, name, rawArguments } = randomCall(random);
    const text =
      drawn.change === "whole"
        ? rawArguments
        : drawn.change === "cut"
          ? rawArguments.slice(0, random.below(rawArguments.length))
          : mutateText(rawArguments, random);
    const isEnded = drawn.change !== "cut" && drawn.ending !== "early";
    pushCall(source, partial, callOf(id ?? "", name, text, isEnded), text, isEnded);
  }
  const stopReason = drawn.ending === "length" ? "length" : "toolUse";
  if (drawn.ending === "done" || drawn.ending === "length") {
    source.push({ type: "done", reason: stopReason, message: { ...partial, stopReason } });
  }
  source.end();
  const message = await guarded.result();
  if (drawn.change === "cut") {
    for (const block of message.content) {
      if (block.type === "toolCall") assert.ok(block.argumentsError !== undefined, "a cut call would run");
    }
  }
  return message;
}

/** The block as upstream leaves it: parsed, a preview, or with the error of its parser. */
function callOf(id: string, name: string, text: string, isEnded: boolean): ToolCall {
  if (!isEnded) return toolCall(id, name, { path: "preview" });
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return toolCall(id, name, value);
  } catch {
    // As upstream: the text goes into the error.
  }
  return unparsedCall(id, name, text);
}
