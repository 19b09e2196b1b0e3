// What others than the model wrote in a conversation: a call that stands there is a quotation and never runs. Collected only
// when a message leaked a call. Bounded: what lies before a compaction counts while there is room.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type Conversation, contentTexts, textsOfMessage } from "@pi-mend/agent/door";
import { CONTINUATION } from "./continuation-entry.ts";

/** Characters of texts from before the last compaction that still count, those after it included. */
const ROOM = 4 * 1024 * 1024;

/**
 * @param branch the session's entries, oldest first
 * @param also further texts that the model was shown, as its system prompt
 */
export function conversationOf(branch: readonly SessionEntry[], also: readonly string[]): Conversation {
  const texts: string[] = [];
  const callIds = new Set<string>();
  let length = 0;
  let firstKept: string | undefined;
  let isBefore = false;
  for (const entry of branch.toReversed()) {
    for (const id of callIdsOf(entry)) callIds.add(id);
    if (isBefore && length > ROOM) continue;
    for (const text of textsOf(entry)) {
      texts.push(text);
      length += text.length;
    }
    if (entry.type === "compaction") firstKept ??= entry.firstKeptEntryId;
    isBefore ||= entry.id === firstKept;
  }
  return { texts: [...also, ...texts.reverse()], callIds };
}

function textsOf(entry: SessionEntry): readonly string[] {
  switch (entry.type) {
    case "message":
      return textsOfMessage(entry.message);
    case "custom_message":
      return entry.customType === CONTINUATION ? [] : contentTexts(entry.content);
    case "context_edit":
      return contentTexts(entry.replacement?.content);
    case "compaction":
    case "branch_summary":
      return contentTexts(entry.summary);
    default:
      return [];
  }
}

function callIdsOf(entry: SessionEntry): readonly string[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  return entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}
