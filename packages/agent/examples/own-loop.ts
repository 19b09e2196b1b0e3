// One turn of a host with a loop of its own: the calls of a finished message are prepared, run, taught and counted.
import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import { CallJournal, prepareMessage, prepareToolCall, type RepairSession, type ToolLookup } from "@pi-mend/agent/door";

type Run = (name: string, args: unknown) => Promise<string>;

/** Returns what to store and replay: the message with its calls as they ran, and a result for each. */
export async function runCalls(
  reply: AssistantMessage,
  tools: ToolLookup,
  session: RepairSession,
  run: Run,
): Promise<[AssistantMessage, ...ToolResultMessage[]]> {
  const { model, provider, api } = reply;
  const journal = new CallJournal(session, { sinks: [(event) => console.log(JSON.stringify(event))] });
  const names = new Set(tools.keys());
  const { message, calls } = prepareMessage(reply, session.seenIds, names, (block) => {
    const prepared = prepareToolCall(block, tools, { model });
    return journal.record(block, prepared, tools.get(prepared.block.name), { model, provider, api });
  });
  const results: ToolResultMessage[] = [];
  for (const call of calls) {
    const { id, name: tool, arguments: args } = call.block;
    const isError = call.outcome === "bounced";
    const text = isError ? call.message : await run(tool, args);
    const content = [{ type: "text" as const, text }];
    const line = isError ? undefined : journal.finish({ id, tool, args, content, isError });
    if (line !== undefined) content.push({ type: "text", text: line });
    results.push({ role: "toolResult", toolCallId: id, toolName: tool, content, isError, timestamp: Date.now() });
  }
  return [message, ...results];
}
