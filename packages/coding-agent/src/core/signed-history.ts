// Replays what a provider signed as the provider signed it. Runs before every request, on pi's own copy of the messages.
// Never touches a call without a signature: those are replayed repaired, so that the model sees the right form.
import type { ContextEvent } from "@earendil-works/pi-coding-agent";
import type { RepairRecord } from "@pi-mend/agent/prepare-tool-call";

type Messages = ContextEvent["messages"];
type SignedCall = { readonly thoughtSignature?: string; readonly repair?: RepairRecord };

/**
 * The messages with the arguments as sent on every repaired call that carries a signature, or `undefined` when there is
 * none. Arguments that were no JSON object have no other form to go back to and stay repaired.
 */
export function withSignedOriginals(messages: Messages): Messages | undefined {
  let changed: Messages | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const content = message.content.map((block) => {
      if (block.type !== "toolCall") return block;
      const { thoughtSignature, repair } = block as SignedCall;
      return thoughtSignature && isObject(repair?.original) ? { ...block, arguments: repair.original } : block;
    });
    if (content.every((block, at) => block === message.content[at])) continue;
    changed ??= [...messages];
    changed[index] = { ...message, content } as Messages[number];
  }
  return changed;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
