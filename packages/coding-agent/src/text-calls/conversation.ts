// What others than the model wrote in a conversation: a call that stands there is a quotation and never runs. Collected only
// when a message leaked a call. Bounded: what lies before a compaction counts while there is room.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { isQuotation } from "@pi-mend/ai/tool-repair";
import { CONTINUATION } from "./continuation-line.ts";
import type { Conversation } from "./leaked-message.ts";

/** Characters of texts from before the last compaction that still count, those after it included. */
const ROOM = 4 * 1024 * 1024;
/** Characters compared in all for one message. */
const COMPARED = 64 * 1024 * 1024;
const COMPARED_ONCE = 8 * 1024 * 1024;

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

/** True where one of `calls` stands in the conversation, and where there is too much of it to tell. */
export function isQuotedFrom(calls: readonly string[], texts: readonly string[]): boolean {
  const distinct = [...new Set(calls)];
  const maxLength = Math.min(COMPARED_ONCE, Math.ceil(COMPARED / Math.max(1, distinct.length)));
  return distinct.some((call) => isQuotation(call, texts, { maxLength }));
}

/** The fields of a message of any role that hold what was said. */
interface Spoken {
  readonly content?: unknown;
  readonly output?: unknown;
  readonly summary?: unknown;
}

function textsOf(entry: SessionEntry): readonly string[] {
  switch (entry.type) {
    case "message": {
      if (entry.message.role === "assistant") return [];
      const { content, output, summary }: Spoken = entry.message;
      return [...contentTexts(content), ...plain(output), ...plain(summary)];
    }
    case "custom_message":
      return entry.customType === CONTINUATION ? [] : contentTexts(entry.content);
    case "context_edit":
      return contentTexts(entry.replacement?.content);
    case "compaction":
    case "branch_summary":
      return plain(entry.summary);
    default:
      return [];
  }
}

function contentTexts(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return plain(content);
  return content.flatMap((block: { readonly text?: unknown } | null) => plain(block?.text));
}

function plain(text: unknown): readonly string[] {
  return typeof text === "string" && text !== "" ? [text] : [];
}

function callIdsOf(entry: SessionEntry): readonly string[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  return entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}
