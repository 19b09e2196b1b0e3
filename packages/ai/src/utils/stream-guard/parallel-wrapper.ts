// OpenAI's hidden wrapper for several calls in one: models name it although no one declared it. Runs on the final message,
// for calls of that name only. All or none: one recipient that is no tool leaves the call as it came.
import type { ToolCall } from "@earendil-works/pi-ai";
import type { GuardedToolCall } from "./call-block.ts";
import type { GuardTurn } from "./guard-context.ts";
import { isObject } from "./settle-arguments.ts";

/** `multi_tool_use.parallel`, also with its dot made legal. */
const WRAPPER = /^multi_tool_use[._]parallel$/;

/**
 * The calls inside a wrapper call, in order: the first has the wrapper's id, the others new ones.
 *
 * @returns the block alone when it is no wrapper, when a tool of that name exists, or when an entry is not a call of an
 *   active tool with an object for arguments
 */
export function unwrapParallel(block: GuardedToolCall, turn: GuardTurn): readonly GuardedToolCall[] {
  if (!WRAPPER.test(block.name) || turn.isTool(block.name) || block.argumentsError !== undefined) return [block];
  const uses = (block.arguments as { tool_uses?: unknown } | undefined)?.tool_uses;
  if (!Array.isArray(uses) || uses.length === 0) return [block];
  const calls: { name: string; arguments: ToolCall["arguments"] }[] = [];
  for (const use of uses as readonly ({ recipient_name?: unknown; parameters?: unknown } | null)[]) {
    const name = typeof use?.recipient_name === "string" ? turn.toolName(use.recipient_name) : "";
    if (!turn.isTool(name) || !isObject(use?.parameters)) return [block];
    calls.push({ name, arguments: use.parameters });
  }
  return calls.map(({ name, arguments: args }, index) => ({
    type: "toolCall",
    id: index === 0 ? block.id : turn.claimId(undefined, name),
    name,
    arguments: args,
  }));
}
