// Appends what the journal has to say to the result of an executed call. Runs as `afterToolCall`, behind the caller's own
// hook, on what that hook made of the result. Never changes what the tool or the caller's hook returned.
import type { AfterToolCallContext, AfterToolCallResult } from "@earendil-works/pi-agent-core";
import type { CallJournal } from "./call-journal.ts";

export type AfterHook = (
  context: AfterToolCallContext,
  signal?: AbortSignal,
) => Promise<AfterToolCallResult | undefined>;

type SyncHook = (context: AfterToolCallContext) => AfterToolCallResult | undefined;

/** The caller's hook, if any, with the lines of the journal behind its result. */
export function teachingHook(journal: CallJournal, own: AfterHook | undefined): AfterHook {
  // The loop awaits what it gets: without a promise in between when there is nothing to wait for.
  if (own === undefined)
    return ((context) => taughtResult(journal, context, undefined)) as SyncHook as unknown as AfterHook;
  return async (context, signal) => {
    let result: AfterToolCallResult | undefined;
    try {
      result = await own(context, signal);
    } catch (error) {
      // The loop makes an error result of this, with the hook's own words.
      closeFailed(journal, context);
      throw error;
    }
    return taughtResult(journal, context, result);
  };
}

function taughtResult(
  journal: CallJournal,
  { toolCall, args, result, isError }: AfterToolCallContext,
  replaced: AfterToolCallResult | undefined,
): AfterToolCallResult | undefined {
  const content = replaced?.content ?? result.content ?? [];
  const text = journal.finish({
    id: toolCall.id,
    tool: toolCall.name,
    args,
    content,
    isError: replaced?.isError ?? isError,
    details: replaced?.details ?? result.details,
  });
  if (text === undefined) return replaced;
  // Content that is replaced without it makes the loop drop the machine-readable result.
  const structured = replaced?.structuredContent ?? (replaced?.content ? undefined : result.structuredContent);
  return {
    ...replaced,
    content: [...content, { type: "text", text }],
    ...(structured === undefined ? {} : { structuredContent: structured }),
  };
}

function closeFailed(journal: CallJournal, { toolCall, args }: AfterToolCallContext): void {
  journal.finish({ id: toolCall.id, tool: toolCall.name, args, content: [], isError: true });
}
