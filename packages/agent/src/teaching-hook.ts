// Appends what the journal has to say to the result of an executed call. Runs as `afterToolCall`, behind the caller's own
// hook, on what that hook made of the result. Never changes what the tool or the caller's hook returned.
import type { AfterToolCallContext, AfterToolCallResult } from "@earendil-works/pi-agent-core";
import type { CallJournal } from "./call-journal.ts";

export type AfterHook = (
  context: AfterToolCallContext,
  signal?: AbortSignal,
) => Promise<AfterToolCallResult | undefined>;

type SyncHook = (context: AfterToolCallContext) => AfterToolCallResult | undefined;

const NOTHING: AfterToolCallContext["result"]["content"] = [];

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
      const { toolCall, args, result: ran } = context;
      journal.close({
        id: toolCall.id,
        tool: toolCall.name,
        args,
        content: NOTHING,
        isError: true,
        details: ran.details,
      });
      throw error;
    }
    return taughtResult(journal, context, result);
  };
}

function taughtResult(
  journal: CallJournal,
  context: AfterToolCallContext,
  replaced: AfterToolCallResult | undefined,
): AfterToolCallResult | undefined {
  const { toolCall, args, result, isError } = context;
  const content = replaced?.content ?? result.content ?? NOTHING;
  const call = {
    id: toolCall.id,
    tool: toolCall.name,
    args,
    content,
    isError: replaced?.isError ?? isError,
    details: replaced?.details ?? result.details,
  };
  if (!Array.isArray(content)) {
    // Tools without types return what they like: it stays as it is.
    journal.close(call);
    return replaced;
  }
  const text = journal.finish(call);
  if (text === undefined) return replaced;
  // Content that is replaced without it makes the loop drop the machine-readable result.
  const structured = replaced?.structuredContent ?? (replaced?.content ? undefined : result.structuredContent);
  return {
    ...replaced,
    content: [...content, { type: "text", text }],
    ...(structured === undefined ? {} : { structuredContent: structured }),
  };
}
