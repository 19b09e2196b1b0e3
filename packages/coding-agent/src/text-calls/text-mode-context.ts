// One request of a model that makes its calls in text: no tools are declared, the primer stands in the system prompt, earlier
// calls are the envelopes they would have been, and results are the user's text. Runs before every request of such a model.
// Nothing of it is stored: the session keeps native calls, so that another model can take over at any time.
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type EnvelopeForm, printEnvelope } from "@pi-mend/ai/tool-repair";

type Messages = ReturnType<ExtensionContext["sessionManager"]["buildSessionProjection"]>["messages"];
type Message = Messages[number];
type Assistant = Extract<Message, { role: "assistant" }>;
type Result = Extract<Message, { role: "toolResult" }>;
type System = Extract<Message, { role: "system" }>;
type User = Extract<Message, { role: "user" }>;
type UserBlocks = Exclude<User["content"], string>;

/** The section of the leading system message that holds the primer. */
export const PRIMER_SECTION = "pi-mend-tools";

/**
 * @param primer what teaches the protocol; "" where there are no tools
 * @param prompt the system prompt that the host is going to send. Where that is not what the messages say, an extension
 *   forced it and the host drops every section: the primer then opens the first user message.
 * @param form how earlier calls are printed; the form that the primer teaches
 * @returns a new list; messages that change are copied, the others are the same
 */
export function asTextMode(messages: Messages, primer: string, prompt: string, form?: EnvelopeForm): Messages {
  const isForced = prompt !== currentPrompt(messages);
  const projected = withoutCalls(messages, isForced ? "" : primer, form);
  const first = isForced && primer !== "" ? projected.findIndex(({ role }) => role === "user") : -1;
  const opening = projected[first];
  if (opening?.role === "user") projected[first] = { ...opening, content: behind(primer, opening.content) };
  return projected;
}

/** The prompt that the system messages add up to. */
function currentPrompt(messages: Messages): string {
  const system = messages.filter((message): message is System => message.role === "system");
  const content = system[0]?.content ?? "";
  const sections: Record<string, string | null> = {};
  for (const message of system) Object.assign(sections, message.sections);
  const base = typeof content === "string" ? content : content.map(({ text }) => text).join("\n");
  return [base, ...Object.values(sections)].filter((part) => part).join("\n\n");
}

function behind(primer: string, content: User["content"]): UserBlocks {
  const rest: UserBlocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return [{ type: "text", text: `${primer}\n` }, ...rest];
}

function withoutCalls(messages: Messages, primer: string, form: EnvelopeForm | undefined): Messages {
  const projected: Messages = [];
  let results: Result[] = [];
  const flush = () => {
    if (results.length > 0) projected.push(resultsMessage(results));
    results = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      results.push(message);
      continue;
    }
    flush();
    if (message.role === "system") projected.push(...withoutTools(message, index === 0 ? primer : ""));
    else projected.push(message.role === "assistant" ? withEnvelopes(message, form) : message);
  }
  flush();
  return projected;
}

function withoutTools(message: System, primer: string): System[] {
  const { toolsAdded, toolsRemoved, ...rest } = message;
  const isEmpty = rest.content.length === 0 && Object.keys(rest.sections ?? {}).length === 0;
  // A later message that only declared tools has nothing left to say.
  if (primer === "") return isEmpty && (toolsAdded ?? toolsRemoved) !== undefined ? [] : [rest];
  return [{ ...rest, sections: { ...rest.sections, [PRIMER_SECTION]: primer } }];
}

/** The calls as text behind what the message says; ids, signatures and errors of calls are of no use there. */
function withEnvelopes(message: Assistant, form: EnvelopeForm | undefined): Assistant {
  // A message that failed is not replayed, and its calls never ran.
  const isUnfinished = message.stopReason === "error" || message.stopReason === "aborted";
  if (isUnfinished || !message.content.some(({ type }) => type === "toolCall")) return message;
  const content: Assistant["content"] = [];
  let text = "";
  for (const block of message.content) {
    if (block.type === "thinking") content.push(block);
    else {
      const piece = block.type === "text" ? block.text : printEnvelope(block.name, jsonOf(block.arguments), form);
      text += text === "" || text.endsWith("\n") ? piece : `\n${piece}`;
    }
  }
  return { ...message, content: [...content, { type: "text", text }], stopReason: "stop" };
}

function jsonOf(args: unknown): string {
  return JSON.stringify(args) ?? "{}";
}

/** The results of one message's calls, as one message: some chat templates take no two user messages in a row. */
function resultsMessage(results: readonly Result[]): User {
  const content = results.flatMap((result, index): UserBlocks => {
    const place = results.length > 1 ? ` (${index + 1} of ${results.length})` : "";
    const head = `Result of ${result.toolName}${place}, ${result.isError ? "failed" : "ok"}:\n`;
    const [first, ...more] = result.content;
    if (first?.type === "text") return [{ type: "text", text: head + first.text }, ...more];
    return [{ type: "text", text: head }, ...result.content];
  });
  return { role: "user", content, timestamp: (results[0] as Result).timestamp };
}
