// Follows every call from the step that prepared it to its result: escalates a bounce that repeats itself, says what the
// result is to teach, and reports the outcome once. Both doors keep one per session. Never changes arguments, and never
// lets a sink's error out.
import type { ToolCall } from "@earendil-works/pi-ai";
import type { AppliedRepair, RepairTool } from "@pi-mend/ai/tool-repair";
import { lessonOf } from "./execution-lessons.ts";
import { failedPlaces, withPlaces } from "./failure-streaks.ts";
import type { FinishedCall } from "./finished-call.ts";
import {
  type CallOrigin,
  type CallVerdict,
  callOutcome,
  type Executed,
  escalationOutcome,
  isRefused,
  modesOf,
  type OutcomeEvent,
  type OutcomeSink,
  type Taught,
} from "./outcome.ts";
import { earlierRepairs, type PreparedToolCall, type RepairedToolCall } from "./prepare-tool-call.ts";
import type { RepairSession } from "./repair-session.ts";
import { STUBBORN_AFTER, stubbornBounce } from "./stubborn-bounce.ts";
import { tell } from "./tell.ts";

/** The identical failure, counted from one, at which a call escalates; every further multiple does again. */
const ESCALATE_AT = 3;

const NO_LINES: readonly string[] = [];

export interface JournalOptions {
  /** `false` appends nothing to results. */
  readonly teach?: boolean | undefined;
  readonly sinks?: readonly OutcomeSink[] | undefined;
  /** A stronger model takes a turn when a call escalates. */
  readonly hasStrongerModel?: boolean | undefined;
}

/** A call that was handed to its host and has no result yet. */
type AwaitedCall = CallVerdict & { readonly repairs: readonly AppliedRepair[] };

export class CallJournal {
  readonly session: RepairSession;
  readonly #teach: boolean;
  readonly #sinks: readonly OutcomeSink[];
  readonly #hasStrongerModel: boolean;
  readonly #options: JournalOptions;
  readonly #awaited = new Map<string, AwaitedCall>();

  constructor(session: RepairSession, options: JournalOptions = {}) {
    this.session = session;
    this.#options = options;
    this.#teach = options.teach ?? true;
    this.#sinks = options.sinks ?? [];
    this.#hasStrongerModel = options.hasStrongerModel ?? false;
  }

  /** A journal for calls that a running tool makes: the same session and listeners, while ids may be those of the tool's own call. */
  nested(): CallJournal {
    return new CallJournal(this.session, this.#options);
  }

  /**
   * Takes note of a prepared call.
   *
   * @param sent the block before the step
   * @param tool the tool that it resolved to, `undefined` when there is none
   * @returns the call to hand on: the same, or a bounce with other advice
   */
  record(
    sent: ToolCall,
    prepared: PreparedToolCall,
    tool: RepairTool | undefined,
    origin: CallOrigin,
  ): PreparedToolCall {
    if (prepared.outcome === "bounced") return this.#bounce(sent, prepared, tool, origin);
    if (tool !== undefined) this.session.streaks.clear(tool.name);
    const call = "repair" in sent ? withEarlier(sent, prepared) : prepared;
    if (call.outcome === "clean" && this.#sinks.length === 0) return prepared;
    const repairs = call.outcome === "repaired" ? call.repairs : [];
    this.#awaited.set(call.block.id, { origin, tool, sent: originalOf(call.block), prepared: call, repairs });
    return prepared;
  }

  /** A call whose message was not executed, for a reason that concerns the whole message. */
  refuse(sent: ToolCall, tool: RepairTool | undefined, origin: CallOrigin, message: string): void {
    const prepared = { outcome: "bounced", block: sent, message, unreadable: "truncated" } as const;
    const verdict: CallVerdict = { origin, tool, sent: undefined, prepared };
    this.#emit(() => callOutcome(verdict, "none", "not-run"), verdict);
  }

  /**
   * The result of a call is there. Closes the call.
   *
   * @returns the lines to append to the result, or `undefined` when there is nothing to teach
   */
  finish(finished: FinishedCall): string | undefined {
    const call = this.#taken(finished.id);
    const lines = this.#teach ? this.#lessons(finished, call) : NO_LINES;
    if (call !== undefined) this.#report(call, lines.length > 0, finished.isError ? "error" : "ok");
    return lines.length > 0 ? lines.join("\n") : undefined;
  }

  /** A call ran, and its result takes no line: what there is to teach waits for the next one. */
  close(finished: FinishedCall): void {
    const call = this.#taken(finished.id);
    this.session.remember(finished);
    if (call !== undefined) this.#report(call, false, finished.isError ? "error" : "ok");
  }

  /** A call ended without having run: blocked, aborted, or refused by its host. Nothing is taught. */
  dismiss(callId: string): void {
    const call = this.#taken(callId);
    if (call !== undefined) this.#report(call, false, "not-run");
  }

  /** All calls that still wait for a result will get none. */
  dismissAll(): void {
    if (this.#awaited.size > 0) for (const callId of [...this.#awaited.keys()]) this.dismiss(callId);
  }

  #taken(callId: string): AwaitedCall | undefined {
    const call = this.#awaited.get(callId);
    if (call !== undefined) this.#awaited.delete(callId);
    return call;
  }

  #bounce(
    sent: ToolCall,
    bounced: Extract<PreparedToolCall, { readonly outcome: "bounced" }>,
    tool: RepairTool | undefined,
    origin: CallOrigin,
  ): PreparedToolCall {
    const value = isRefused(bounced) ? undefined : sent.arguments;
    const verdict: CallVerdict = { origin, tool, sent: value, prepared: bounced };
    this.#emit(() => callOutcome(verdict, "none", "not-run"), verdict);
    if (tool === undefined || bounced.unknownTool) return bounced;
    const places = failedPlaces(bounced);
    const count = this.session.streaks.fail(tool.name, places);
    if (count % ESCALATE_AT === 0) {
      this.session.strongerTurnDue = this.#hasStrongerModel;
      this.#emit(() => escalationOutcome(verdict, count, this.#hasStrongerModel));
    }
    return withPlaces(count < STUBBORN_AFTER ? bounced : stubbornBounce(bounced, tool, count), places);
  }

  #lessons(finished: FinishedCall, call: AwaitedCall | undefined): readonly string[] {
    const { notes } = this.session;
    const isRepaired = call !== undefined && call.repairs.length > 0;
    const note = isRepaired ? notes.noteFor(finished.tool, call.repairs, call.prepared.block.arguments) : undefined;
    const lesson = lessonOf(finished, this.session.remember(finished));
    const line = lesson && notes.lineFor(finished.tool, lesson.name, lesson.guidance);
    if (note === undefined && line === undefined) return NO_LINES;
    return [note, line].filter((text) => text !== undefined);
  }

  #report(call: AwaitedCall, noted: boolean, executed: Executed): void {
    this.#emit(() => {
      const ruled = modesOf(call.prepared).some((mode) => this.session.rules.has(mode));
      const taught: Taught = noted ? "note" : ruled ? "rule" : "none";
      return callOutcome(call, taught, executed);
    }, call);
  }

  #emit(build: () => OutcomeEvent, verdict?: CallVerdict): void {
    if (this.#sinks.length === 0) return;
    let event: OutcomeEvent;
    try {
      event = build();
    } catch {
      return; // A call that cannot be described is not counted, and runs.
    }
    tell(this.#sinks, event, verdict);
  }
}

/** The call with the repairs of earlier steps in front: what they read counts and teaches like what this step made. */
function withEarlier(
  sent: ToolCall,
  prepared: Exclude<PreparedToolCall, { readonly outcome: "bounced" }>,
): typeof prepared {
  const [first, ...more] = [...earlierRepairs(sent), ...(prepared.outcome === "repaired" ? prepared.repairs : [])];
  if (first === undefined) return prepared;
  return { outcome: "repaired", block: prepared.block as RepairedToolCall, repairs: [first, ...more] };
}

/** The arguments as sent; `undefined` where they were text. */
function originalOf(block: ToolCall): unknown {
  const { repair } = block as Partial<RepairedToolCall>;
  if (repair === undefined) return block.arguments;
  return typeof repair.original === "string" ? undefined : repair.original;
}
