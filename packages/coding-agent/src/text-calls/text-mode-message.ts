// The reply of a model that makes its calls in text: its envelopes become calls. Runs on `message_end`, before anything else
// looks at the message. Pure. An envelope that stands in what others wrote is a quotation: it stays text and never runs.
import type { AssistantMessage, JsonObject, ToolCall } from "@earendil-works/pi-ai";
import { type Conversation, isQuotedFrom, type ToolLookup } from "@pi-mend/agent/door";
import {
  type EnvelopeForm,
  parseTextToolCalls,
  type RefusedEnvelope,
  synthesizeIds,
  type TextToolCall,
  type TextToolCalls,
} from "@pi-mend/ai/tool-repair";
import { heldCalls } from "./held-calls.ts";

export interface TextModeOutcome {
  /** The message given where it holds no envelope. */
  readonly message: AssistantMessage;
  /** How many calls it makes. */
  readonly calls: number;
  /** The envelopes stand in what others wrote and were left. */
  readonly isQuoted?: true;
  /** What to tell the model about envelopes that hold no call. */
  readonly refusal?: string;
}

type Block = AssistantMessage["content"][number];

const CUT =
  "Your message was cut off at its length limit, so no call in it was run. Send the calls again, one at a time.";

/**
 * @param conversation asked at most once, and only for a message with envelopes
 * @param form the form that the model was shown, for what it is told
 */
export function withTextCalls(
  message: AssistantMessage,
  tools: ToolLookup,
  conversation: () => Conversation,
  form?: EnvelopeForm,
): TextModeOutcome {
  if (message.stopReason === "error" || message.stopReason === "aborted") return { message, calls: 0 };
  const active = [...tools.values()];
  const read = message.content.map((block) =>
    block.type === "text" ? parseTextToolCalls(block.text, active, { form, mentions: "refuse" }) : undefined,
  );
  if (!read.some((part) => part !== undefined && part.calls.length + part.refused.length > 0)) {
    return { message, calls: 0 };
  }
  const said = conversation();
  if (isQuotedFrom(envelopesOf(message.content, read), said.texts)) {
    return { message, calls: 0, isQuoted: true };
  }
  // What a native call already does is not done twice, and of a message that was cut nothing is run.
  const isNative = message.content.some(({ type }) => type === "toolCall");
  const isCut = message.stopReason === "length";
  const runs = !isNative && !isCut;
  const held = heldCalls(
    message.content.flatMap((block, index) => {
      const part = read[index];
      return block.type === "text" && part !== undefined ? [{ text: block.text, part }] : [];
    }),
  );
  const isRun = (call: TextToolCall) => runs && !held.calls.has(call);
  const content = message.content.flatMap((block, index) => spelledOut(block, read[index], isRun));
  const calls = runs ? content.filter(({ type }) => type === "toolCall").length : 0;
  const refused = read.flatMap((part) => part?.refused ?? []);
  const refusal = isCut ? CUT : refusalOf(refused, held.message);
  const made = {
    ...message,
    content: [...synthesizeIds(content, said.callIds)],
    ...(calls > 0 ? { stopReason: "toolUse" as const } : {}),
  };
  return { message: made, calls, ...(refusal === undefined || isNative ? {} : { refusal }) };
}

function envelopesOf(content: readonly Block[], read: readonly (TextToolCalls | undefined)[]): readonly string[] {
  return content.flatMap((block, index) => {
    const part = read[index];
    if (block.type !== "text" || part === undefined) return [];
    const shown = part.refused.filter(({ reason }) => reason === "mentioned");
    return [...part.calls, ...shown].map(({ range }) => block.text.slice(range.start, range.end));
  });
}

/** A block as its remaining text and its calls; the block itself where it holds no envelope. */
function spelledOut(block: Block, part: TextToolCalls | undefined, isRun: (call: TextToolCall) => boolean): Block[] {
  if (part === undefined || part.calls.length + part.refused.length === 0) return [block];
  const text: Block[] = part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  const calls = part.calls
    .filter(isRun)
    .map((call): ToolCall => ({ type: "toolCall", id: "", name: call.name, arguments: call.arguments as JsonObject }));
  return [...text, ...calls];
}

function refusalOf(refused: readonly RefusedEnvelope[], held: string): string | undefined {
  const messages = new Set([...refused.map(({ message }) => message), ...(held === "" ? [] : [held])]);
  return messages.size === 0 ? undefined : [...messages].join("\n");
}
