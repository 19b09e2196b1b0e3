// Finds calls that a server sent twice: same id, same name, equal arguments. Runs on the final message. Never takes two calls
// for one that differ in any of the three, have no id, or whose arguments could not be read.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { equalJson } from "../tool-repair/equal-json.ts";

const NONE: ReadonlySet<ToolCall> = new Set();

/**
 * The calls of `content` that repeat an earlier one of it.
 *
 * @param sentId the id as the server sent it for the call at a content index; empty for none
 */
export function repeatedCalls(
  content: AssistantMessage["content"],
  sentId: (index: number) => string,
): ReadonlySet<ToolCall> {
  const firsts = new Map<string, ToolCall>();
  let repeats: Set<ToolCall> | undefined;
  for (const [at, block] of content.entries()) {
    if (block.type !== "toolCall" || block.argumentsError !== undefined) continue;
    const id = sentId(at);
    const first = id === "" ? undefined : firsts.get(id);
    if (first === undefined) {
      firsts.set(id, block);
    } else if (first.name === block.name && equalJson(first.arguments, block.arguments)) {
      repeats ??= new Set();
      repeats.add(block);
    }
  }
  return repeats ?? NONE;
}
