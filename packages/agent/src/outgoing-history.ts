// The messages of a request as both doors hand them on: signed blocks as they were signed, and ids that the backend takes
// and tells apart. Runs on every request, before an adapter sees them. Never changes a message of the conversation.
import type { Api, Model } from "@earendil-works/pi-ai";
import { sendsPlainIds, withOutgoingIds } from "@pi-mend/ai/outgoing-ids";
import { withSignedOriginals } from "./signed-history.ts";

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

const UNKNOWN = { holdsSigned: true, hasPlainIds: false };

/**
 * @param model the model that the request goes to; where it is not known ids stay as they are
 * @param known what the caller knows already: whether a repaired call carries a signature, and whether every call has a plain id
 *   of its own; by default the messages are looked at
 * @returns the messages to send in place of these; `undefined` when they can go as they are
 */
export function outgoingHistory<M extends Message>(
  messages: readonly M[],
  model: Model<Api> | undefined,
  known: { readonly holdsSigned: boolean; readonly hasPlainIds: boolean } = UNKNOWN,
): M[] | undefined {
  const replayed = known.holdsSigned ? (withSignedOriginals(messages) ?? messages) : messages;
  const keepsIds = model === undefined || (known.hasPlainIds && sendsPlainIds(model));
  const sent = keepsIds ? replayed : withOutgoingIds(replayed, model);
  return sent === messages ? undefined : (sent as M[]);
}
