// The messages of a request as both doors hand them on: signed blocks as they were signed, and ids that the backend takes
// and tells apart. Runs on every request, before an adapter sees them. Never changes a message of the conversation.
import type { Api, Model } from "@earendil-works/pi-ai";
import { withOutgoingIds } from "@pi-mend/ai/outgoing-ids";
import { withSignedOriginals } from "./signed-history.ts";

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

/**
 * @param model the model that the request goes to; where it is not known ids stay as they are
 * @param holdsSigned `false` where the caller knows that no repaired call carries a signature
 * @returns the messages to send in place of these; `undefined` when they can go as they are
 */
export function outgoingHistory<M extends Message>(
  messages: readonly M[],
  model: Model<Api> | undefined,
  holdsSigned = true,
): M[] | undefined {
  const replayed = holdsSigned ? (withSignedOriginals(messages) ?? messages) : messages;
  const sent = model === undefined ? replayed : withOutgoingIds(replayed, model);
  return sent === messages ? undefined : (sent as M[]);
}
