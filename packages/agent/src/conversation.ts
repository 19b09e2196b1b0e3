// What others than the model wrote in a conversation: a call that stands there is a quotation and never runs. Asked only
// when a message printed a call. Never looks at what the model said itself.
import { isQuotation } from "@pi-mend/ai/tool-repair";

/** What the conversation tells about a printed call. */
export interface Conversation {
  /** What others than the model wrote, oldest first. */
  readonly texts: readonly string[];
  /** Ids of the calls so far. */
  readonly callIds: ReadonlySet<string>;
}

/** The fields of a message of any role that hold what was said. */
interface Spoken {
  readonly role: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly summary?: unknown;
}

/** Characters compared in all for one message. */
const COMPARED = 64 * 1024 * 1024;
const COMPARED_ONCE = 8 * 1024 * 1024;

/** True where one of `calls` stands in the conversation, and where there is too much of it to tell. */
export function isQuotedFrom(calls: readonly string[], texts: readonly string[]): boolean {
  const distinct = [...new Set(calls)];
  const maxLength = Math.min(COMPARED_ONCE, Math.ceil(COMPARED / Math.max(1, distinct.length)));
  return distinct.some((call) => isQuotation(call, texts, { maxLength }));
}

/** The texts of a message; none of the model's own. */
export function textsOfMessage({ role, content, output, summary }: Spoken): readonly string[] {
  return role === "assistant" ? [] : [...contentTexts(content), ...plain(output), ...plain(summary)];
}

/** The texts of a message's content, whatever form that has. */
export function contentTexts(content: unknown): readonly string[] {
  if (!Array.isArray(content)) return plain(content);
  return content.flatMap((block: { readonly text?: unknown } | null) => plain(block?.text));
}

function plain(text: unknown): readonly string[] {
  return typeof text === "string" && text !== "" ? [text] : [];
}
