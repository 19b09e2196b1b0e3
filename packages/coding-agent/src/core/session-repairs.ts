// What one pi session must remember between a call and its result, on top of what every door remembers: refusals that wait
// for pi's own. Made when a session starts or is opened again. Never outlives the session, and nothing here is written to
// disk.
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type BounceRecord, CallJournal, type JournalOptions, RepairSession } from "@pi-mend/agent/door";

/** A refusal that is only the model's if pi refuses the call in words of its own. */
export interface KeptRefusal {
  /** The text for the model, and where the call failed. Asked once, when pi refused the call. */
  deliver(): { readonly text: string; readonly bounce?: BounceRecord | undefined };
  /** The call passed validation after all. */
  passed(): void;
}

export class SessionRepairs extends RepairSession {
  readonly journal: CallJournal;
  /** By call id. */
  readonly refusals = new Map<string, KeptRefusal>();

  constructor(options: JournalOptions = {}) {
    super();
    this.journal = new CallJournal(this, options);
  }

  /** Forgets a call that has a result. */
  settle(callId: string): void {
    this.journal.dismiss(callId);
    this.refusals.delete(callId);
  }

  /** The state that a stored branch leads to: its ids are in use, its repairs and failures were noted. */
  static ofBranch(entries: readonly SessionEntry[], options: JournalOptions = {}): SessionRepairs {
    const session = new SessionRepairs(options);
    session.recall(entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : [])));
    return session;
  }
}
