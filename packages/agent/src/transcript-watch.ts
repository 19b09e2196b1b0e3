// What a run needs to know about its conversation with every request: ids in use, and whether a block must be replayed as it
// was signed. Looks at each message once, so that a long conversation costs no more per request than a short one. Never
// changes a message.
import { isPlainId } from "@pi-mend/ai/outgoing-ids";
import { pairingPart } from "@pi-mend/ai/tool-repair";
import { isSignedRepair } from "./signed-history.ts";

interface Message {
  readonly role: string;
  readonly toolCallId?: unknown;
  readonly content?: unknown;
}

interface Block {
  readonly type?: string;
  readonly id?: unknown;
}

/** The guard has seen to it that the ids of a reply are its own. */
const claimed = () => true;

export class TranscriptWatch {
  /** Pairing parts of every tool call id, failed replies included. Ids stay taken when a compaction removes their calls. */
  readonly takenIds = new Set<string>();
  /** Whether a repaired call carries a signature. */
  holdsSigned = false;
  /** Whether every call has a plain id of its own: most backends then get all of them as they are. */
  hasPlainIds = true;
  #count = 0;
  #last: Message | undefined;
  #settled: Message | undefined;
  /** @param seenIds ids of the conversation that its messages may no longer show */
  constructor(seenIds: Iterable<string>) {
    for (const id of seenIds) this.takenIds.add(pairingPart(id));
  }

  /** Takes note of the messages of a request. What went before is skipped as long as its last message is where it was. */
  look(messages: readonly Message[]): void {
    const goesOn = this.#count > 0 && messages[this.#count - 1] === this.#last;
    let isNew = (id: string) => !this.takenIds.has(pairingPart(id));
    if (!goesOn) {
      this.holdsSigned = false;
      this.hasPlainIds = true;
      // The ids that are taken from the start are those of these messages.
      const seen = new Set<string>();
      isNew = (id) => !seen.has(id) && seen.add(id) === seen;
    }
    let settled = false;
    for (let index = goesOn ? this.#count : 0; index < messages.length; index++) {
      const message = messages[index] as Message;
      if (goesOn && message === this.#settled) settled = true;
      else if (message.role === "assistant") settled = false;
      // A reply that the guard settled has claimed its ids already, and the results behind it bear the same.
      if (settled && (message === this.#settled || message.role === "toolResult")) continue;
      this.#see(message, isNew);
    }
    this.#count = messages.length;
    this.#last = messages.at(-1);
  }

  /** Takes note of a reply whose ids were claimed as it streamed. @param repaired whether a call of it was repaired */
  settle(message: Message, repaired: boolean): void {
    this.#settled = message;
    if (repaired) this.#see(message, claimed);
    else if (this.hasPlainIds && Array.isArray(message.content)) {
      for (const { type, id } of message.content as readonly Block[]) {
        if (type === "toolCall" && !isPlainId(id)) this.hasPlainIds = false;
      }
    }
  }

  /** @param isNew whether no other call has the id; asked before it counts as taken */
  #see({ role, toolCallId, content }: Message, isNew: (id: string) => boolean): void {
    if (role === "toolResult" && typeof toolCallId === "string") this.takenIds.add(pairingPart(toolCallId));
    if (role !== "assistant" || !Array.isArray(content)) return;
    for (const block of content as readonly Block[]) {
      if (block?.type !== "toolCall") continue;
      const { id } = block;
      if (!isPlainId(id) || !isNew(id)) this.hasPlainIds = false;
      if (typeof id === "string") this.takenIds.add(pairingPart(id));
      if (!this.holdsSigned && isSignedRepair(block)) this.holdsSigned = true;
    }
  }
}
