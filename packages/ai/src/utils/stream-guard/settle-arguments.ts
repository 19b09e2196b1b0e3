// Decides what the arguments text of one call amounts to: whole, read leniently, or refused with a reason. Runs once per
// call whose text upstream did not accept or never saw end. Never looks at the finish reason: the text decides.
import type { ToolCall } from "@earendil-works/pi-ai";
import { readRawArguments } from "../tool-repair/read-raw-arguments.ts";
import { unreadableSentences } from "../tool-repair/unreadable-arguments.ts";
import type { CallRepair } from "./call-block.ts";

/** What the call becomes. `root` is JSON that is no object: a text, list or scalar that envelope repair decides about. */
export type SettledArguments =
  | { readonly outcome: "root"; readonly arguments: ToolCall["arguments"] }
  | { readonly outcome: "whole"; readonly arguments: ToolCall["arguments"] }
  | { readonly outcome: "repaired"; readonly arguments: ToolCall["arguments"]; readonly repair: CallRepair }
  | { readonly outcome: "refused"; readonly argumentsError: string };

/** The record's name for a text that was read leniently. */
const RAW_ARGUMENTS_READ = "rawArgumentsRead";

/**
 * Reads an arguments text that upstream refused or left open.
 *
 * @param toolName the call's tool; a call id that leaked in front of the object has to name it
 * @returns `whole` only for strict JSON of an object. An empty text is `refused` as cut off: this is asked only where no
 *   regular end of the call was seen, or where two texts are joined.
 */
export function settleArguments(text: string, toolName: string): SettledArguments {
  if (text.trim() === "") return refused("truncated", text, text.length);
  const strict = parseStrict(text);
  if (isObject(strict)) return { outcome: "whole", arguments: strict };
  const reading = readRawArguments(text, { toolName });
  if (reading.ok) return repaired(reading.value, text);
  if (reading.reason === "not-an-object" && strict !== undefined)
    return { outcome: "root", arguments: strict as never };
  return refused(reading.reason, text, reading.at);
}

/** Whether the text still waits for its end: nothing yet, or JSON that stops inside a value. */
export function isOpenText(text: string): boolean {
  if (text.trim() === "") return true;
  if (parseStrict(text) !== undefined) return false;
  const reading = readRawArguments(text);
  return !reading.ok && reading.reason === "truncated";
}

function repaired(value: unknown, text: string): SettledArguments {
  const repair: CallRepair = { names: [RAW_ARGUMENTS_READ], original: text };
  return { outcome: "repaired", arguments: value as ToolCall["arguments"], repair };
}

function refused(reason: Parameters<typeof unreadableSentences>[0], text: string, at: number): SettledArguments {
  return { outcome: "refused", argumentsError: unreadableSentences(reason, text, at) };
}

/** `undefined` when the text is no JSON; JSON has no `undefined` of its own. */
function parseStrict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the value is what pi takes for arguments: an object, no list. */
export function isObject(value: unknown): value is ToolCall["arguments"] {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
