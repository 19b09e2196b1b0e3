// What one session remembers from call to call: ids in use, lessons given, open failures. Lives as long as the session and
// is read from its transcript when that is opened again. Never written anywhere.
import { pairingPart } from "@pi-mend/ai/tool-repair";
import { lessonOf } from "./execution-lessons.ts";
import { FailureStreaks } from "./failure-streaks.ts";
import type { FinishedCall } from "./finished-call.ts";
import { isExecuted } from "./prepare-message.ts";
import type { BounceRecord, RepairRecord } from "./prepare-tool-call.ts";
import { NOTE_OPENING, TeachNotes } from "./teach-note.ts";

/** A stored message as far as the session reads it. */
interface StoredMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly details?: unknown;
  readonly stopReason?: string;
  /** On the result of a call whose refusal waited for the host's own validation. */
  readonly bounce?: BounceRecord;
}

interface StoredCall {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
  readonly argumentsError?: string;
  readonly repair?: RepairRecord;
  readonly bounce?: BounceRecord;
}

export class RepairSession {
  /** What pairs every call of the conversation with its result. */
  readonly seenIds = new Set<string>();
  readonly notes = new TeachNotes();
  readonly streaks = new FailureStreaks();
  /** Modes that the system prompt has a standing rule for. */
  readonly rules = new Set<string>();
  /** The next request goes to the stronger model, where the host configured one. */
  strongerTurnDue = false;
  /** Arguments of each tool's last call, where that failed. */
  readonly #failed = new Map<string, string>();

  /** The state that a transcript leads to. */
  static ofMessages(messages: Iterable<StoredMessage>): RepairSession {
    const session = new RepairSession();
    session.recall(messages);
    return session;
  }

  /**
   * Counts what a stored transcript already taught: its ids are in use, its repairs and failures were noted, and failures
   * that repeated themselves go on counting.
   */
  recall(messages: Iterable<StoredMessage>): void {
    const calls = new Map<string, StoredCall>();
    const stored = [...messages];
    const refused = new Set(stored.flatMap(({ bounce, toolCallId }) => (hasPlaces(bounce) ? [toolCallId] : [])));
    for (const message of stored) {
      if (message.role === "toolResult") this.#recallResult(message, calls);
      if (message.role !== "assistant" || !Array.isArray(message.content)) continue;
      for (const block of message.content as readonly StoredCall[]) {
        if (block?.type !== "toolCall" || typeof block.id !== "string") continue;
        this.seenIds.add(pairingPart(block.id));
        calls.set(block.id, block);
        if (Array.isArray(block.repair?.names)) this.notes.recall(block.name, block.repair.names);
        if (isExecuted(message) && !refused.has(block.id)) this.#recallStreak(block);
      }
    }
  }

  /** Takes note of how a call ended, and says whether the tool's last call failed with equal arguments. */
  remember({ tool, args, isError }: FinishedCall): boolean {
    if (!isError) {
      if (this.#failed.size > 0) this.#failed.delete(tool);
      return false;
    }
    const print = printOf(args);
    const repeated = print !== undefined && this.#failed.get(tool) === print;
    if (print === undefined) this.#failed.delete(tool);
    else this.#failed.set(tool, print);
    return repeated;
  }

  /** Bounces count on, and a call that passed ends its tool's streak, as when they came. */
  #recallStreak({ name, argumentsError, bounce }: StoredCall): void {
    if (hasPlaces(bounce)) this.streaks.fail(name, bounce.places);
    else if (argumentsError === undefined) this.streaks.clear(name);
  }

  #recallResult(result: StoredMessage, calls: ReadonlyMap<string, StoredCall>): void {
    const call = calls.get(result.toolCallId ?? "");
    if (call === undefined || call.argumentsError !== undefined || !Array.isArray(result.content)) return;
    const { name: tool, id, arguments: args } = call;
    if (hasPlaces(result.bounce)) {
      this.streaks.fail(tool, result.bounce.places);
      return;
    }
    // What was taught on it is no part of what the tool said.
    const content = (result.content as FinishedCall["content"]).filter(
      (block) => typeof block?.text !== "string" || !block.text.startsWith(NOTE_OPENING),
    );
    const finished = { id, tool, args, content, isError: result.isError === true, details: result.details };
    const lesson = lessonOf(finished, this.remember(finished));
    if (lesson !== undefined) this.notes.recall(tool, [lesson.name]);
  }
}

function hasPlaces(bounce: BounceRecord | undefined): bounce is BounceRecord {
  return Array.isArray(bounce?.places);
}

/**
 * Tells arguments apart without keeping long ones: their JSON, or its length and a hash. `undefined` for what a tool made of
 * them that is no JSON.
 */
function printOf(args: unknown): string | undefined {
  const text = jsonOf(args);
  if (text === undefined || text.length <= 1_000) return text;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${text.length}:${hash >>> 0}`;
}

function jsonOf(args: unknown): string | undefined {
  try {
    return JSON.stringify(args);
  } catch {
    return undefined;
  }
}
