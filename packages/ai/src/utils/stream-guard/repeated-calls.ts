// Finds output items that a server sent twice: same ids of call and item, same name, equal arguments. Runs on the final message.
// Never takes two calls for one that differ in any of these, or whose server gives calls one id only: many give all the same.
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { equalJson } from "../tool-repair/equal-json.ts";

/** Upstream's form for the two ids of OpenAI responses, `call|item`. */
const CALL_AND_ITEM = /^[^|]+\|[^|]+$/;
const NONE: ReadonlySet<ToolCall> = new Set();

/**
 * The calls of `content` that repeat an earlier one of it.
 *
 * @param sentId the id as the server sent it for the call at a content index
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
    if (!CALL_AND_ITEM.test(id)) continue;
    const first = firsts.get(id);
    if (first === undefined) {
      firsts.set(id, block);
    } else if (first.name === block.name && equalJson(first.arguments, block.arguments)) {
      repeats ??= new Set();
      repeats.add(block);
    }
  }
  return repeats ?? NONE;
}
