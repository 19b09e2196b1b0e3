// What the guard knows about the request: the conversation so far and the tools that may be called. Built once per
// request; looks are lazy, so a reply without tool calls costs nothing. Never changes a message.
import type { AssistantMessage, SystemMessage, TranscriptMessages } from "@earendil-works/pi-ai";
import { type ActiveToolNames, resolveToolName } from "../tool-repair/resolve-tool-name.ts";
import { claimSentId, type IdSeed, IdSynthesizer, pairingPart } from "../tool-repair/synthesize-ids.ts";

/** The request as the guard reads it. pi's `Context`, `TranscriptContext` and a bare message list all fit. */
export interface GuardContext {
  readonly messages: TranscriptMessages;
  /** The callable tools; when absent they are read from the system messages of the transcript. */
  readonly tools?: readonly { readonly name: string }[] | undefined;
  /** The names of the callable tools, where the caller has them at hand; in place of `tools`. */
  readonly toolNames?: ActiveToolNames | undefined;
  /**
   * The pairing parts of all ids of the conversation, where the caller keeps them from request to request; those of the
   * reply are added. When absent they are read from `messages`.
   */
  readonly takenIds?: Set<string> | undefined;
  /** Names as sent to the backend → the tool's own name, where they differ. */
  readonly sentNames?: ReadonlyMap<string, string> | undefined;
  /** Gets a finished reply after it was settled, and `messages`; what it returns is the reply that the consumer gets. */
  readonly prepare?: ((message: AssistantMessage, messages: TranscriptMessages) => AssistantMessage) | undefined;
  /** Names stay as sent: a later step resolves them, and records what it did. */
  readonly keepNames?: boolean | undefined;
  /** Arguments in a block's start are what was sent, also where the block is never closed; otherwise they may be a preview. */
  readonly startHoldsInput?: boolean | undefined;
  /** Tells whether text was lost that belongs to some call of the reply. */
  readonly blocks?: { readonly lostText: boolean } | undefined;
  /** Tells ids the upstream adapter made up from ids the provider sent. */
  readonly isMadeUpId?: ((id: string, name: string) => boolean) | undefined;
}

/** One request's answers: the id and the tool name of a call. */
export class GuardTurn implements IdSeed {
  readonly context: GuardContext;
  /** Messages at request time: hosts may append the reply to the same list while it streams. */
  readonly #messageCount: number;
  /** Calls of the reply that asked for an id. */
  #asked = 0;
  #taken: Set<string> | undefined;
  #ids: IdSynthesizer | undefined;
  #names: ActiveToolNames | undefined;

  constructor(context: GuardContext) {
    this.context = context;
    this.#messageCount = context.messages.length;
  }

  /** The id of the next call of the reply: its own, see {@link claimSentId}, or a new one. */
  claimId(id: unknown, name: string): string {
    this.#asked++;
    const { isMadeUpId, takenIds } = this.context;
    const taken = takenIds ?? this.#conversationIds();
    const isMadeUp = isMadeUpId !== undefined && typeof id === "string" && isMadeUpId(id, name);
    const sent = isMadeUp ? undefined : claimSentId(id, taken);
    if (sent !== undefined) return sent;
    this.#ids ??= new IdSynthesizer(taken, this);
    return this.#ids.make(this.#asked);
  }

  /** The name of a call of the finished reply; see {@link toolName}. */
  finalName(sent: string): string {
    return this.context.keepNames === true ? sent : this.toolName(sent);
  }

  /** The tool a sent name means; the name as it is when no single tool fits, which the agent loop then reports. */
  toolName(sent: string): string {
    if (this.isTool(sent)) return sent;
    const original = this.context.sentNames?.get(sent);
    if (original !== undefined) return original;
    return this.#meantAsSent(sent) ?? meant(sent, this.#activeNames()) ?? sent;
  }

  /** The tool whose sent name is meant: that is what the model was shown. */
  #meantAsSent(sent: string): string | undefined {
    const { sentNames } = this.context;
    if (sentNames === undefined || sentNames.size === 0) return undefined;
    const shown = new Map([...this.#activeNames().keys()].map((name) => [name, name]));
    for (const [name, own] of sentNames) if (shown.delete(own)) shown.set(name, own);
    const name = meant(sent, shown);
    return name === undefined ? undefined : shown.get(name);
  }

  /** Whether a tool of exactly this name may be called. */
  isTool(name: string): boolean {
    return this.#activeNames().has(name);
  }

  #activeNames(): ActiveToolNames {
    if (this.context.toolNames !== undefined) return this.context.toolNames;
    this.#names ??= this.#createNames();
    return this.#names;
  }

  #createNames(): ActiveToolNames {
    const { tools, messages } = this.context;
    if (tools === undefined) return declaredToolNames(messages);
    return new Set(tools.map((tool) => tool.name).filter((name) => typeof name === "string"));
  }

  #conversationIds(): Set<string> {
    this.#taken ??= conversationIds(this.context.messages.slice(0, this.#messageCount));
    return this.#taken;
  }

  /**
   * Tells this turn from others after a compaction took earlier ids out of the list. Text only, no time stamps: the same
   * conversation gives the same seed.
   */
  seed(): string {
    const last = this.context.messages[this.#messageCount - 1] as LooseMessage | undefined;
    const content = last?.content;
    const first = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : content;
    return `${this.#messageCount}:${typeof first === "string" ? first.slice(0, 256) : ""}`;
  }
}

function meant(sent: string, names: ActiveToolNames): string | undefined {
  const resolution = resolveToolName(sent, names);
  return resolution.outcome === "repaired" ? resolution.name : undefined;
}

/**
 * The tools that a transcript's system messages leave callable, as upstream's `getCurrentTools` counts them. Read here, so
 * that a host can run the guard without loading pi-ai.
 */
export function declaredToolNames(messages: TranscriptMessages): Set<string> {
  const names = new Set<string>();
  for (const message of messages) {
    if (!isSystem(message)) continue;
    for (const tool of message.toolsRemoved ?? []) names.delete(tool.name);
    for (const tool of message.toolsAdded ?? []) names.add(tool.name);
  }
  return names;
}

function isSystem(message: { readonly role: string }): message is SystemMessage {
  return message.role === "system";
}

/** The pairing parts of every tool call id, failed replies included: their results are matched by id as well. */
function conversationIds(messages: TranscriptMessages): Set<string> {
  const ids = new Set<string>();
  for (const message of messages as readonly LooseMessage[]) {
    if (message.role === "toolResult" && typeof message.toolCallId === "string")
      ids.add(pairingPart(message.toolCallId));
    if (message.role !== "assistant" || !Array.isArray(message.content)) continue;
    for (const block of message.content) {
      if (block?.type === "toolCall" && typeof block.id === "string") ids.add(pairingPart(block.id));
    }
  }
  return ids;
}

interface LooseMessage {
  readonly role: string;
  readonly toolCallId?: unknown;
  readonly content?: unknown;
}
