// A tool call block with another arguments text. Used wherever a text is settled; never changes the block it gets.
import type { GuardedToolCall } from "./call-block.ts";
import { isObject, settleArguments } from "./settle-arguments.ts";

/** A copy of the block with the arguments its text amounts to. */
export function withText(block: GuardedToolCall, text: string): GuardedToolCall {
  const { argumentsError: _, ...rest } = block;
  const settled = settleArguments(text, block.name);
  switch (settled.outcome) {
    case "whole":
    case "root":
      return { ...rest, arguments: settled.arguments };
    case "repaired":
      return { ...rest, arguments: settled.arguments, repair: settled.repair };
    case "refused":
      return { ...rest, arguments: {}, argumentsError: settled.argumentsError };
    default:
      return settled satisfies never;
  }
}

/**
 * The block with an object for arguments where a provider passed on another JSON value: JSON that was encoded once too
 * often, or `null`.
 *
 * @returns the same block when its arguments are an object, or a root value that holds none
 */
export function withObject(block: GuardedToolCall): GuardedToolCall {
  if (block.argumentsError !== undefined || isObject(block.arguments)) return block;
  const text = JSON.stringify(block.arguments ?? null);
  return settleArguments(text, block.name).outcome === "root" ? block : withText(block, text);
}
