// OVERRIDE of @earendil-works/pi-ai/src/utils/validation.ts
// Replaces: validateToolArguments, validateToolCall.
// Why: upstream coerces before it checks, which runs `'["a","b"]'` as one list item and a required null as "null".
// Forwarded: argumentsError of unreadable arguments; tools without a schema that compiles go to upstream as they are.
// Drop when: upstream validates first and repairs by schema.

import type { Tool, ToolCall } from "@earendil-works/pi-ai";
import { validateToolArguments as upstreamValidateToolArguments } from "@earendil-works/pi-ai";
import { formatBounce } from "./tool-repair/bounce.ts";
import { repairToolArguments } from "./tool-repair/repairer.ts";
import { hasToolSchema } from "./tool-repair/tool-schema.ts";
import type { BounceFailure, NonEmpty, RepairTool, ToolHints } from "./tool-repair/types.ts";

/** A tool call whose arguments neither pass nor can be repaired. `message` is what the model should read. */
export class ToolArgumentsError extends Error {
  override readonly name = "ToolArgumentsError";
  /** The failing places: path, keyword, expected fragment, received type. */
  readonly failures: NonEmpty<BounceFailure>;

  constructor(toolName: string, text: string, failures: NonEmpty<BounceFailure>) {
    super(`Invalid arguments for tool "${toolName}": ${text}`);
    this.failures = failures;
  }
}

/** Upstream's `Tool`, optionally with its owner's hints. */
export type HintedTool = Tool & { readonly hints?: ToolHints };

/**
 * The arguments a tool call may run with: the same reference when they pass the tool's schema, a new repaired value when
 * they can be repaired. The call itself is never modified.
 *
 * @throws ToolArgumentsError when they cannot be repaired, Error when the call carries `argumentsError`, and whatever
 *   upstream throws for a tool whose schema does not compile.
 */
// biome-ignore lint/suspicious/noExplicitAny: upstream's signature
export function validateToolArguments(tool: HintedTool, toolCall: ToolCall): any {
  if (toolCall.argumentsError || !hasToolSchema(tool as RepairTool))
    return upstreamValidateToolArguments(tool, toolCall);
  const result = repairToolArguments(tool as RepairTool, toolCall.arguments);
  if (result.outcome !== "bounced") return result.args;
  throw new ToolArgumentsError(toolCall.name, formatBounce(result, tool as RepairTool), result.failures);
}

/**
 * Finds the called tool by name and validates the call as `validateToolArguments` does.
 *
 * @throws Error when no tool has that name; otherwise as `validateToolArguments`.
 */
// biome-ignore lint/suspicious/noExplicitAny: upstream's signature
export function validateToolCall(tools: HintedTool[], toolCall: ToolCall): any {
  const tool = tools.find((candidate) => candidate.name === toolCall.name);
  if (tool === undefined) throw new Error(`Tool "${toolCall.name}" not found`);
  return validateToolArguments(tool, toolCall);
}
