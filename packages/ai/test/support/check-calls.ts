// What holds for the calls of every settled message: ids of their own, and arguments that are whole, repaired or refused.
// Asserts without a test runner, so that the fuzz script can use it too.

import assert from "node:assert/strict";
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import type { GuardedToolCall } from "../../src/utils/stream-guard/call-block.ts";
import { type HintedTool, validateToolCall } from "../../src/utils/validation.ts";

const LEGAL_ID = /^[a-zA-Z0-9_-]{1,40}$/;
const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** How many calls came out how. */
export interface CallCounts {
  whole: number;
  repaired: number;
  refused: number;
}

/** Asserts it; `at` names the run in a failure's text. Adds to `counts`. */
export function checkCalls(message: AssistantMessage, tools: readonly HintedTool[], counts: CallCounts, at = ""): void {
  const calls = message.content.filter((block): block is GuardedToolCall => block.type === "toolCall");
  assert.equal(new Set(calls.map((call) => call.id)).size, calls.length, `${at}: ids repeat`);
  for (const call of calls) {
    assert.ok(typeof call.id === "string" && call.id !== "" && typeof call.name === "string", `${at}: no id or name`);
    if (/^m\w{8}$/.test(call.id)) assert.match(call.id, LEGAL_ID, at);
    if (call.argumentsError !== undefined) {
      counts.refused++;
      assert.deepEqual(call.arguments, {}, at);
      assert.equal(call.repair, undefined, at);
      continue;
    }
    counts[call.repair === undefined ? "whole" : "repaired"]++;
    assert.ok(call.arguments !== null, at);
    checkValidation(call, tools, at);
  }
  assert.deepEqual(Object.keys(Object.prototype), [], at);
}

function checkValidation(call: ToolCall, tools: readonly HintedTool[], at: string): void {
  try {
    validateToolCall([...tools], call);
  } catch (error) {
    // Refusals are errors with a text for the model; a built-in kind of error is a fault of the code.
    assert.ok(!FAULTS.some((kind) => error instanceof kind), `${at}: ${error}`);
    assert.notEqual((error as Error).message, "", at);
  }
}
