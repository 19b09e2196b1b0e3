// One round trip of a trial: the task goes out, a call comes back, its result goes out, an answer comes back. In native form or
// as text, by the same steps that a session takes. Runs no tool and keeps nothing: the result is the trial's own.
import type { AssistantMessage, Context, Message, SystemMessage, Tool, ToolCall } from "@earendil-works/pi-ai";
import { prepareMessage, prepareToolCall } from "@pi-mend/agent/prepare-tool-call";
import { type EnvelopeForm, renderPrimer } from "@pi-mend/ai/tool-repair";
import { asTextMode } from "../text-calls/text-mode-context.ts";
import { withTextCalls } from "../text-calls/text-mode-message.ts";
import type { Trial } from "./trial.ts";

/** Sends one request. Never rejects; an answer that did not come says why. */
export type Ask = (context: Context) => Promise<Answered>;

export type Answered = { readonly message: AssistantMessage } | Fault;

/** No answer, which says nothing about the model. */
export interface Fault {
  readonly fault: "timeout" | "error";
  readonly reason: string;
}

export type Passed = "passed" | "failed";

const PROMPT = "You are an assistant with tools. Use them where a task needs them.";
/** How servers say that they take no declared tools, which is an answer to the question and no failure to answer it. */
const NO_NATIVE_TOOLS =
  /support\w{0,8}\s{1,8}(?:the\s{1,8})?(?:use of\s{1,8})?(?:tools?\b|function[ _-]?call)|tools?\b[^.\n]{0,40}\b(?:un|not |n't )support|(?:tools?|tool.choice)\b[^.\n]{0,40}\brequires? --/i;

/** @param form `undefined` for native calls */
export async function roundTrip(trial: Trial, form: EnvelopeForm | undefined, ask: Ask): Promise<Passed | Fault> {
  const history: Message[] = [
    { role: "system", content: PROMPT, toolsAdded: [trial.tool as Tool], timestamp: 0 } satisfies SystemMessage,
    { role: "user", content: trial.task, timestamp: 0 },
  ];
  const first = await ask(contextOf(history, trial, form));
  if ("fault" in first) return form === undefined && NO_NATIVE_TOOLS.test(first.reason) ? "failed" : first;
  const called = withCalls(first.message, trial, form);
  const call = called.content.find((block): block is ToolCall => block.type === "toolCall");
  if (call?.name !== trial.tool.name || call.argumentsError !== undefined || !trial.isAsked(call.arguments)) {
    return first.message.stopReason === "length" ? CUT : "failed";
  }
  const { id: toolCallId, name: toolName } = call;
  const content = [{ type: "text" as const, text: trial.result }];
  // Of several calls only one has a result; the others were not asked for.
  const answered = {
    ...called,
    content: called.content.filter((block) => block.type !== "toolCall" || block === call),
  };
  history.push(answered, { role: "toolResult", toolCallId, toolName, content, isError: false, timestamp: 0 });
  const last = await ask(contextOf(history, trial, form));
  if ("fault" in last) return last;
  const said = last.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  // Digits are grouped by some.
  if (said.replace(/(?<=\d)[,.' \u00a0\u202f](?=\d{3})/g, "").includes(trial.proof)) return "passed";
  return last.message.stopReason === "length" ? CUT : "failed";
}

const CUT: Fault = { fault: "error", reason: "an answer was cut off at its length limit" };

function contextOf(history: readonly Message[], { tool }: Trial, form: EnvelopeForm | undefined): Context {
  if (form === undefined) return { messages: [...history] };
  return { messages: asTextMode([...history], renderPrimer([tool], form), PROMPT, form) as Message[] };
}

/** The answer with its calls as a session would run them. */
function withCalls(message: AssistantMessage, { tool }: Trial, form: EnvelopeForm | undefined): AssistantMessage {
  const tools = new Map([[tool.name, tool]]);
  const conversation = () => ({ texts: [], callIds: new Set<string>() });
  const read = form === undefined ? message : withTextCalls(message, tools, conversation, form).message;
  const prepare = (block: ToolCall) => prepareToolCall(block, tools, { model: message.model });
  return prepareMessage(read, new Set(), new Set(tools.keys()), prepare).message;
}
