// Calls that a finished assistant message holds as text: taken out, made into real calls, or left. Runs once per message,
// before the repair step. Pure: it changes no message it was given, and nothing here runs a tool.
import type { AssistantMessage, JsonObject } from "@earendil-works/pi-ai";
import {
  isBlankText,
  isJsonObject,
  type LeakedCall,
  type RefusedCall,
  type StepRepairName,
  synthesizeIds,
} from "@pi-mend/ai/tool-repair";
import { continuationLine } from "./continuation-line.ts";
import { type Conversation, isQuotedFrom } from "./conversation.ts";
import { type LeakedPart, leakedParts } from "./leaked-parts.ts";
import type { RepairedToolCall, ToolLookup } from "./prepare-tool-call.ts";

export interface LeakSettings {
  /** What is done about calls to active tools. */
  readonly grammar: "off" | "observe" | "strip" | "recover";
  /** What is done about the same markup where it names no active tool. */
  readonly unknownGrammar: "preserve" | "strip";
  /** Tools that a recovered call may run; `*` for all. */
  readonly recoverTools: readonly string[];
  /** The model makes its calls in text (default: it has native ones). */
  readonly inText?: boolean;
  /** The repair step comes next: it gets the arguments as they were printed, and counts and teaches what it mends. */
  readonly repair?: boolean;
}

export interface LeakOutcome {
  /** The message given where nothing was changed, otherwise a new one. */
  readonly message: AssistantMessage;
  /** `kept`: the calls are quotations of the conversation. `none`: there is no leaked call to an active tool. */
  readonly action: "none" | "observed" | "kept" | "stripped" | "recovered";
  /** The grammars of the calls found, each once. */
  readonly families: readonly string[];
  /** Why calls among them could not have run whatever the mode, each reason once. */
  readonly refused: readonly RefusedCall["reason"][];
  /** What to tell the model when the run would otherwise end on a call that did not run. */
  readonly continuation?: string;
}

/** How many calls one message may hold as text before it is no message but a listing. */
const MOST_CALLS = 16;
const RECOVERED = "leakedCallRecovered" satisfies StepRepairName;
const UNFINISHED: ReadonlySet<string> = new Set(["error", "aborted"]);

/**
 * Applies the mode to one message. A message that failed or was aborted stays as it is. Text becomes calls only when every
 * gate holds; otherwise all of it is taken out, and the model hears of it unless a native call carries the run on.
 *
 * @param tools the active tools by name
 * @param conversation asked at most once
 */
export function withLeakedCalls(
  message: AssistantMessage,
  tools: ToolLookup,
  conversation: () => Conversation,
  settings: LeakSettings,
): LeakOutcome {
  if (settings.grammar === "off" || UNFINISHED.has(message.stopReason)) return untouched(message);
  const parts = leakedParts(message, tools, settings.unknownGrammar === "strip");
  if (parts.length === 0) return untouched(message);
  const families = [...new Set(parts.flatMap(({ leaks }) => leaks.map(({ family }) => family)))];
  const refused = [...new Set(parts.flatMap((part) => part.refused.map(({ reason }) => reason)))];
  const found = { families, refused };
  if (settings.grammar === "observe") return { message, action: "observed", ...found };
  const said = conversation();
  const texts = parts.flatMap(({ leaks, source }) => leaks.map(({ range }) => source.slice(range.start, range.end)));
  if (isQuotedFrom(texts, said.texts)) return { message, action: "kept", ...found };
  const calls = settings.grammar === "recover" ? recoverable(message, parts, settings.recoverTools) : undefined;
  if (calls !== undefined)
    return { message: recovered(message, parts, calls, said, settings.repair), action: "recovered", ...found };
  const stripped = { ...message, content: withoutLeaks(message, parts) };
  const isStuck = !message.content.some(({ type }) => type === "toolCall") && parts.some(({ isCall }) => isCall);
  const outcome = { message: stripped, action: "stripped", ...found } as const;
  return isStuck ? { ...outcome, continuation: continuationLine(parts, settings.inText ?? false) } : outcome;
}

function untouched(message: AssistantMessage): LeakOutcome {
  return { message, action: "none", families: [], refused: [] };
}

/** The calls to run, or `undefined` where a gate is closed. One closed gate closes them all: calls build on each other. */
function recoverable(
  message: AssistantMessage,
  parts: readonly LeakedPart[],
  allowed: readonly string[],
): readonly LeakedCall[] | undefined {
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0 || message.stopReason !== "stop") return undefined;
  if (message.content.some(({ type }) => type === "toolCall")) return undefined;
  const isLast = message.content.every((block, index) => index <= part.index || isBlank(block));
  const { calls } = part;
  if (!isLast || calls.length === 0 || calls.length > MOST_CALLS || part.leaks.length > calls.length) return undefined;
  return calls.every(({ name }) => allowed.includes("*") || allowed.includes(name)) ? calls : undefined;
}

function isBlank(block: AssistantMessage["content"][number]): boolean {
  return block.type === "text" && isBlankText(block.text);
}

function recovered(
  message: AssistantMessage,
  parts: readonly LeakedPart[],
  calls: readonly LeakedCall[],
  said: Conversation,
  isRepaired = false,
): AssistantMessage {
  const source = parts[0]?.source ?? "";
  const blocks = calls.map(
    (call): RepairedToolCall => ({
      type: "toolCall",
      id: "",
      name: call.name,
      arguments: (isRepaired && isJsonObject(call.printed) ? call.printed : call.arguments) as JsonObject,
      repair: { names: [RECOVERED], original: source.slice(call.range.start, call.range.end) },
    }),
  );
  const content = synthesizeIds([...withoutLeaks(message, parts), ...blocks], said.callIds);
  return { ...message, content: [...content], stopReason: "toolUse" };
}

/** The content without what leaked. A block that holds nothing else goes. */
function withoutLeaks(message: AssistantMessage, parts: readonly LeakedPart[]): AssistantMessage["content"] {
  const changed = new Map(parts.map((part) => [part.index, part]));
  return message.content.flatMap((block, index): AssistantMessage["content"] => {
    const part = changed.get(index);
    if (part === undefined) return [block];
    if (block.type === "thinking") return part.thinking === "" ? [] : [{ ...block, thinking: part.thinking }];
    // A signature covers the text as it was.
    const text = isBlankText(part.text) ? [] : [{ type: "text" as const, text: part.text }];
    return part.thinking === "" ? text : [{ type: "thinking", thinking: part.thinking }, ...text];
  });
}
