// What one session must remember between a call and its result: ids in use, notes given, calls awaiting a result.
// Made when a session starts or is opened again. Never outlives the session, and nothing here is written to disk.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { RepairRecord } from "@pi-mend/agent/prepare-tool-call";
import { TeachNotes } from "@pi-mend/agent/teach-note";
import type { AppliedRepair } from "@pi-mend/ai/tool-repair";

/** A repaired call that was handed to pi and has no result yet. */
export interface AwaitedRepair {
  readonly tool: string;
  readonly args: unknown;
  readonly repairs: readonly AppliedRepair[];
}

export class SessionRepairs {
  /** Every tool call id of the conversation. */
  readonly seenIds = new Set<string>();
  readonly notes = new TeachNotes();
  /** Repaired calls by call id, until their result arrives. */
  readonly awaited = new Map<string, AwaitedRepair>();
  /** By call id, what the model is to read if pi refuses the call in words of its own. */
  readonly refusals = new Map<string, string>();

  /** Forgets a call whose result is there. */
  settle(callId: string): void {
    this.awaited.delete(callId);
    this.refusals.delete(callId);
  }

  /** The state that a stored branch leads to: its ids are in use, its repairs were noted. */
  static ofBranch(entries: readonly SessionEntry[]): SessionRepairs {
    const session = new SessionRepairs();
    for (const entry of entries) {
      if (entry.type !== "message" || entry.message.role !== "assistant") continue;
      for (const block of entry.message.content) {
        if (block.type !== "toolCall") continue;
        session.seenIds.add(block.id);
        const record = (block as { repair?: RepairRecord }).repair;
        if (Array.isArray(record?.names)) session.notes.recall(block.name, record.names);
      }
    }
    return session;
  }
}
