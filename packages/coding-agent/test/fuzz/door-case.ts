// Both doors under fuzz: one message with one to three generated calls, taken through the step that the agent door asks
// (`prepareToolCall`) and through pi's (`mendAssistant`, what `message_end` calls), and held against stock pi's
// `validateToolArguments`. Pure: no pi runs, no file is read.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  type AssistantMessage,
  validateToolArguments as stockValidate,
  type Tool,
  type ToolCall,
} from "@earendil-works/pi-ai";
import { type PreparedToolCall, prepareMessage, prepareToolCall, type ToolLookup } from "@pi-mend/agent/door";
import fc from "fast-check";
import { type CallCase, callCase } from "../../../ai/test/fuzz/call-case.ts";
import { deepFreeze } from "../../../ai/test/fuzz/prototypes.ts";
import type { FuzzKind } from "../../../ai/test/fuzz/run-fuzz.ts";
import { reply, toolCall, unparsedCall } from "../../../ai/test/support/scripted-stream.ts";
import { mendAssistant } from "../../src/core/message-end.ts";
import { SessionRepairs } from "../../src/core/session-repairs.ts";

/** How a call names its tool; the last two name none. */
const SPELLINGS = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `functions.${name}`,
  () => "no_such_tool",
  () => "\u001b[2J",
] as const;

/** Control characters but line breaks, separators and bidi controls. */
const UNSAFE = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

interface DoorCall {
  readonly call: CallCase;
  readonly spelling: number;
  /** Sent as a text that pi's parser refused, with its error; else the value stands on the block. */
  readonly isText: boolean;
  readonly id: string;
  /** The tool of another extension, which may take shapes that its schema does not show. */
  readonly isForeign: boolean;
}

export interface DoorCase {
  readonly calls: readonly DoorCall[];
  readonly passthrough: boolean;
}

const spelling = fc.oneof(
  { arbitrary: fc.constant(0), weight: 6 },
  { arbitrary: fc.nat(SPELLINGS.length - 1), weight: 1 },
);

export const doorCase: fc.Arbitrary<DoorCase> = fc.record({
  calls: fc.array(
    fc.record({
      call: callCase,
      spelling,
      isText: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, { arbitrary: fc.constant(true), weight: 1 }),
      id: fc.constantFrom("call_1", "call_2", "", "call|1"),
      isForeign: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  passthrough: fc.oneof({ arbitrary: fc.constant(false), weight: 6 }, { arbitrary: fc.constant(true), weight: 1 }),
});

/** The doors as a kind of case for the runner. */
export const DOOR: FuzzKind<DoorCase> = {
  name: "door",
  share: 0.1,
  arbitrary: doorCase,
  check: (drawn) => checkDoor(drawn),
};

const isObject = (value: unknown): value is ToolCall["arguments"] =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Asserts all that holds for a message at either door; says whether stock pi would have run a call of it unchanged. */
export function checkDoor({ calls, passthrough }: DoorCase): "unchanged" | "mended" | "refused" {
  const lookup: ToolLookup = new Map(
    calls.map(({ call: { parameters, hints } }, i) => {
      const name = `probe_tool_${i}`;
      return [name, { name, parameters, ...(hints === undefined ? {} : { hints }) }];
    }),
  );
  const blocks = calls.map(blockOf);
  for (const [i, block] of blocks.entries()) checkAgentDoor(block, calls[i]!, lookup);
  const message: AssistantMessage = deepFreeze(reply(blocks, "toolUse"));
  const step = (block: ToolCall) => prepareToolCall(block, lookup, {});
  const prepared = prepareMessage(message, new Set(), new Set(lookup.keys()), step).calls;
  const first = throughPi(message, calls, lookup, passthrough);
  assert.ok(
    isDeepStrictEqual(throughPi(message, calls, lookup, passthrough).mended, first.mended),
    "a second run differs",
  );
  const after = first.mended.content as ToolCall[];
  assert.equal(after.length, blocks.length, "calls were lost or added");
  const ids = new Set(after.map(({ id }) => id));
  assert.ok(ids.size === after.length && !ids.has(""), "two calls share an id, or one has none");
  for (const [i, block] of after.entries()) {
    checkPiDoor(block, prepared[i]!, blocks[i]!, { drawn: calls[i]!, lookup, passthrough, session: first.session });
  }
  if (prepared.some(({ outcome }) => outcome === "bounced")) return "refused";
  return prepared.some(({ outcome }) => outcome === "repaired") ? "mended" : "unchanged";
}

/** The block as pi has it at a message's end: the arguments, or the text in the parser's error. */
function blockOf({ call: { args }, spelling: at, isText, id }: DoorCall, index: number): ToolCall {
  const name = SPELLINGS[at]!(`probe_tool_${index}`);
  const block = !isText ? toolCall(id, name, args) : unparsedCall(id, name, JSON.stringify(args));
  return deepFreeze(block);
}

function checkAgentDoor(block: ToolCall, drawn: DoorCall, lookup: ToolLookup): void {
  const before = JSON.stringify(block);
  const call = prepareToolCall(block, lookup, {});
  assert.equal(JSON.stringify(block), before, "the block was changed");
  assert.ok(isDeepStrictEqual(prepareToolCall(block, lookup, {}), call), "a second run differs");
  const tool = lookup.get(block.name);
  if (tool !== undefined && drawn.call.hints === undefined && stockRuns(tool, block) === "unchanged") {
    assert.ok(call.outcome === "clean" && call.block === block, "stock pi runs this call as it is");
  }
  if (call.outcome === "clean") assert.ok(call.block === block, "a clean call is another block");
  else if (call.outcome === "repaired") checkRuns(call.block, lookup);
  else {
    assert.ok(call.block.argumentsError !== undefined, "a bounced call would run");
    assert.ok(
      call.message !== "" && (block.argumentsError !== undefined || !UNSAFE.test(call.message)),
      "an unsafe bounce",
    );
    assert.ok(isDeepStrictEqual(call.block.arguments, replayable(block)), "a bounced call has other arguments");
  }
}

/** Stock pi runs exactly these arguments: its coercion, which comes behind the doors, changes nothing. */
function checkRuns(block: ToolCall, lookup: ToolLookup): void {
  const tool = lookup.get(block.name);
  assert.ok(tool !== undefined, "a mended call names no tool");
  assert.equal(stockRuns(tool, block), "unchanged", "stock pi would change or refuse a mended call");
}

function stockRuns(tool: { name: string; parameters?: unknown }, block: ToolCall): "unchanged" | "changed" | "refused" {
  if (block.argumentsError !== undefined) return "refused";
  try {
    const ran = stockValidate({ description: "", ...tool } as Tool, structuredClone(block));
    return isDeepStrictEqual(ran, block.arguments) ? "unchanged" : "changed";
  } catch {
    return "refused";
  }
}

function throughPi(message: AssistantMessage, calls: readonly DoorCall[], lookup: ToolLookup, passthrough: boolean) {
  const session = new SessionRepairs();
  const foreign = new Set(calls.flatMap(({ isForeign }, i) => (isForeign ? [`probe_tool_${i}`] : [])));
  const mended = mendAssistant(message, session, () => ({ lookup, foreign }), passthrough) ?? message;
  return { mended, session };
}

/** What a refused call is replayed with: providers take objects only. */
const replayable = (block: ToolCall) => (isObject(block.arguments) ? block.arguments : {});

interface Around {
  readonly drawn: DoorCall;
  readonly lookup: ToolLookup;
  readonly passthrough: boolean;
  readonly session: SessionRepairs;
}

function checkPiDoor(block: ToolCall, prepared: PreparedToolCall, sent: ToolCall, around: Around): void {
  const tool = around.lookup.get(block.name);
  if (prepared.outcome !== "bounced") {
    assert.ok(isDeepStrictEqual(block.arguments, prepared.block.arguments), "the doors mend differently");
    assert.ok(block.argumentsError === undefined, "pi refuses what the agent door runs");
    const isValue = isObject(sent.arguments) && sent.argumentsError === undefined;
    if (prepared.outcome === "clean" && isValue) assert.ok(block.arguments === sent.arguments, "another reference");
    return;
  }
  // The guard in front of pi's door reads a call's text, and what it reads stays on the block.
  const wasRead = sent.argumentsError !== undefined || !isObject(sent.arguments);
  const isAsSent = wasRead ? isObject(block.arguments) : isDeepStrictEqual(block.arguments, sent.arguments);
  assert.ok(isAsSent, "a bounced call has other arguments");
  // What is left to pi, as it was sent: pi refuses it, and the refusal is kept; or the setting says that it is pi's.
  if (block.argumentsError === sent.argumentsError && sent.argumentsError === undefined && !around.passthrough) {
    assert.ok(tool !== undefined && around.drawn.isForeign, "a bounced call would run");
    assert.equal(stockRuns(tool, block), "refused", "a bounced call would run, changed");
    const text = around.session.refusals.get(block.id)?.deliver().text ?? "";
    assert.ok(text.length > 20 && !UNSAFE.test(text), "no safe refusal is kept");
  }
}
