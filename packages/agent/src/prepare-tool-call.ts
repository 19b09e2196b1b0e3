// The one step that every tool call of a finished assistant message goes through before it runs, whichever door it
// comes in by: name, then argument text, then arguments against the tool's schema. Never runs a tool, changes the
// block it was given or throws for anything a model sent.
import type { JsonObject, ToolCall } from "@earendil-works/pi-ai";
import {
  type AppliedRepair,
  type BounceFailure,
  formatBounce,
  type NonEmpty,
  type ReadResult,
  type RepairTool,
  rawArgumentsText,
  readLenientJson,
  readRawArguments,
  repairToolArguments,
  resolveToolName,
  type StepRepairName,
  stepNote,
  unreadableClause,
  unreadableReason,
} from "@pi-mend/ai/tool-repair";

export { type PreparedMessage, prepareCalls, prepareMessage } from "./prepare-message.ts";

/** The active tools by name. */
export type ToolLookup = ReadonlyMap<string, RepairTool>;

export interface PrepareToolCallContext {
  /** Id of the model that made the call; opens the gates that a tool's hints declare for it. */
  readonly model?: string | undefined;
}

/** Kept on a repaired block, and with it in the session file: what was repaired and what had been sent. */
export interface RepairRecord {
  readonly names: readonly string[];
  /** The arguments as sent: the value, or the text when it was no JSON object. */
  readonly original: unknown;
  /** The tool name as sent, when another one ran. */
  readonly originalName?: string;
}

export type RepairedToolCall = ToolCall & { readonly repair: RepairRecord };

/** Kept on a bounced block: where it failed, as paths and keywords, by which repeated failures are told. */
export interface BounceRecord {
  readonly places: readonly string[];
}

export type BouncedToolCall = ToolCall & { readonly bounce: BounceRecord };

/**
 * What became of a call. `clean` carries the same block; `repaired` a new one that passes the schema; `bounced` a new one
 * whose `argumentsError` is `message`, with the arguments as sent where they are an object, else none. `failures` is there when the schema refused the call.
 */
export type PreparedToolCall =
  | { readonly outcome: "clean"; readonly block: ToolCall }
  | {
      readonly outcome: "repaired";
      readonly block: RepairedToolCall;
      readonly repairs: NonEmpty<AppliedRepair>;
    }
  | {
      readonly outcome: "bounced";
      readonly block: ToolCall;
      readonly message: string;
      readonly failures?: NonEmpty<BounceFailure>;
      /** Why no arguments could be read, where this step or the guard before it read them. */
      readonly unreadable?: UnreadableReason;
      /** The name fits no active tool, so the host has no tool to run and reports that in its own words. */
      readonly unknownTool?: true;
    };

/** Why a text holds no arguments. */
export type UnreadableReason = Extract<ReadResult<unknown>, { readonly ok: false }>["reason"];

const READ = "rawArgumentsRead" satisfies StepRepairName;
const LEAKED = "leakedCallRecovered" satisfies StepRepairName;

/** Names that providers take in a replayed call. */
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Prepares one tool call block for execution.
 *
 * @param block a call of a finished message; never changed
 * @param tools the tools that may be called, under the names they are called by
 */
export function prepareToolCall(block: ToolCall, tools: ToolLookup, context: PrepareToolCallContext): PreparedToolCall {
  // Most calls end here: a name that is there, and arguments that its schema takes.
  const exact = block.argumentsError === undefined ? tools.get(block.name) : undefined;
  const direct = exact && repairToolArguments(exact, block.arguments, context);
  if (direct?.outcome === "clean" && isObject(direct.args)) return { outcome: "clean", block };

  const resolved = resolveToolName(block.name, tools);
  if (resolved.outcome === "bounced") return bounceUnknown(block, resolved.message);
  const tool = tools.get(resolved.name) as RepairTool;
  const named = resolved.outcome === "clean" ? [] : [nameRepair(tool.name)];

  // An error that carries no text was written for the model by an earlier step.
  const { argumentsError } = block;
  if (argumentsError && rawArgumentsText(argumentsError) === undefined) {
    const reason = unreadableReason(argumentsError);
    const bounced = { outcome: "bounced", block: renamed(block, tool), message: argumentsError } as const;
    return reason === undefined ? bounced : { ...bounced, unreadable: reason };
  }
  const sent = readSent(block, tool);
  if (sent.outcome === "refused") {
    return { ...bounce(block, tool, [unreadable(unreadableClause(sent.reason))]), unreadable: sent.reason };
  }

  const result = direct ?? repairToolArguments(tool, sent.value, context);
  if (result.outcome === "bounced") return bounce(block, tool, result.failures);
  if (!isObject(result.args)) return bounce(block, tool, [notAnObject(result.args)]);

  const made = result.outcome === "repaired" ? result.repairs : [];
  const [first, ...more] = [...named, ...sent.repairs, ...made];
  if (first === undefined) {
    // Text that needed no forgiving yet was refused by the host's parser still has to shed its error.
    if (!argumentsError) return { outcome: "clean", block };
    return repaired(block, tool, result.args, sent.original, [readRepair([])]);
  }
  return repaired(block, tool, result.args, sent.original, [first, ...more]);
}

type SentArguments =
  | {
      readonly outcome: "read";
      readonly value: unknown;
      readonly original: unknown;
      readonly repairs: readonly AppliedRepair[];
    }
  | { readonly outcome: "refused"; readonly reason: UnreadableReason };

/** The arguments value of a block: its own, or the one its unparsed text holds. */
function readSent(block: ToolCall, tool: RepairTool): SentArguments {
  if (!block.argumentsError) {
    return { outcome: "read", value: block.arguments, original: block.arguments, repairs: [] };
  }
  const text = rawArgumentsText(block.argumentsError) ?? "";
  const options = { toolName: tool.name };
  const object = readRawArguments(text, options);
  // A list or a string may still be what the tool's schema makes an object of.
  const read = object.ok || object.reason !== "not-an-object" ? object : readLenientJson(text, options);
  if (!read.ok) return { outcome: "refused", reason: read.reason };
  const repairs = read.forgiven.length > 0 ? [readRepair(read.forgiven)] : [];
  return { outcome: "read", value: read.value, original: text, repairs };
}

/**
 * The repairs that an earlier step recorded on the block: the stream guard reads argument text, and a call that stood in the
 * text is found, before this step sees the call. Empty where the block carries no such record.
 */
export function earlierRepairs(block: ToolCall): readonly AppliedRepair[] {
  const record = (block as Partial<RepairedToolCall>).repair;
  if (!Array.isArray(record?.names) || typeof record.original !== "string") return [];
  if (record.names.includes(LEAKED)) return [{ name: LEAKED, path: "", note: stepNote(LEAKED) }];
  if (!record.names.includes(READ)) return [];
  const read = readRawArguments(record.original, { toolName: block.name });
  return read.ok ? [readRepair(read.forgiven)] : [];
}

function repaired(
  block: ToolCall,
  tool: RepairTool,
  args: JsonObject,
  original: unknown,
  repairs: NonEmpty<AppliedRepair>,
): PreparedToolCall {
  // What an earlier step on the same call recorded stays in front: its original is what the model sent.
  const earlier = (block as Partial<RepairedToolCall>).repair;
  const names = [...new Set([...(earlier?.names ?? []), ...repairs.map((repair) => repair.name)])];
  const originalName = tool.name === block.name ? {} : { originalName: block.name };
  const { argumentsError: _dropped, ...rest } = block;
  const repair = { names, original: earlier ? earlier.original : original, ...originalName };
  return { outcome: "repaired", block: { ...rest, name: tool.name, arguments: args, repair }, repairs };
}

function bounce(
  block: ToolCall,
  tool: RepairTool,
  failures: NonEmpty<BounceFailure>,
): Extract<PreparedToolCall, { readonly outcome: "bounced" }> {
  const message = formatBounce({ outcome: "bounced", failures }, tool);
  return { outcome: "bounced", block: refusedBlock(block, tool.name, message), message, failures };
}

/** The block that its host will not run. Replayed with every later request, so its arguments are an object whatever came. */
function refusedBlock(block: ToolCall, name: string, message: string): ToolCall {
  const args = isObject(block.arguments) ? block.arguments : {};
  return { ...block, name, arguments: args, argumentsError: message };
}

/** The block under the tool's name; under the name as sent a host would not find the tool, and the message be lost. */
function renamed(block: ToolCall, tool: RepairTool): ToolCall {
  return block.name === tool.name ? block : { ...block, name: tool.name };
}

function bounceUnknown(block: ToolCall, message: string): PreparedToolCall {
  // The block is replayed with every later request, and one illegal name there makes strict servers refuse them all.
  const name = LEGAL_NAME.test(block.name) ? block.name : legalName(block.name);
  return { outcome: "bounced", block: refusedBlock(block, name, message), message, unknownTool: true };
}

function legalName(name: unknown): string {
  const legal = typeof name === "string" ? name.slice(0, 64).replace(/[^a-zA-Z0-9_-]+/g, "_") : "";
  return legal === "" ? "unknown_tool" : legal;
}

function nameRepair(name: string): AppliedRepair {
  return { name: "toolNameResolved", path: "", note: `the tool name was not exact → \`${name}\`` };
}

function readRepair(forgiven: NonNullable<AppliedRepair["forgiven"]>): AppliedRepair {
  const what = forgiven.length > 0 ? ` (${forgiven.join(", ")})` : "";
  return {
    name: READ,
    path: "",
    note: `the arguments were not strict JSON${what} → one JSON object`,
    forgiven,
  };
}

function unreadable(reason: string): BounceFailure {
  return { path: "", keyword: "json", expected: "", got: "string", required: true, reason };
}

function notAnObject(value: unknown): BounceFailure {
  const got = Array.isArray(value) ? "array" : value === null ? "null" : (typeof value as BounceFailure["got"]);
  return { path: "", keyword: "type", expected: '{"type":"object"}', got, required: true };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
