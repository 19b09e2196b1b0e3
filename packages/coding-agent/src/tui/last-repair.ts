// `/mend last`: what the last repair of the session did, as text. Asked by a person; why a repair was made is found by making it
// again, since the session keeps names and arguments only.
import { prepareToolCall, type ToolLookup } from "@pi-mend/agent/door";
import {
  type AppliedRepair,
  isStepRepair,
  readRawArguments,
  repairToolArguments,
  stepNote,
} from "@pi-mend/ai/tool-repair";
import { type MendedCall, mendedIn } from "./mended-calls.ts";
import { showable } from "./plain-lines.ts";
import { sentAndRan } from "./sent-and-ran.ts";

interface StoredMessage {
  readonly role: string;
  readonly model?: unknown;
  readonly toolCallId?: unknown;
  readonly isError?: unknown;
}

export interface LastRepair {
  readonly call: MendedCall;
  readonly model: string | undefined;
  /** `undefined` while it runs, or where its result was not kept. */
  readonly ran: "ok" | "error" | undefined;
}

/** The newest repaired call, `undefined` where none was repaired. */
export function lastRepair(messages: readonly StoredMessage[]): LastRepair | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    const call = mendedIn(message).at(-1);
    if (call === undefined) continue;
    const result = messages.slice(at).find((one) => one.role === "toolResult" && one.toolCallId === call.id);
    const model = typeof message.model === "string" ? message.model : undefined;
    return { call, model, ran: result === undefined ? undefined : result.isError === true ? "error" : "ok" };
  }
  return undefined;
}

/** @param tools the tools as they are now; without the one that ran, the names of the repairs are all there is */
export function lastRepairText({ call, model, ran }: LastRepair, tools: ToolLookup): string {
  const title = [call.tool, model === undefined ? undefined : `called by ${model}`].filter(Boolean).join(", ");
  const changes = sentAndRan(call).flatMap(({ sent, ran: done }) => [`  sent  ${sent}`, `  ran   ${done}`]);
  const notes = new Map(repairsOf(call, tools, model).map(({ name, path, note }) => [name, { path, note }]));
  const why = call.names.map((name) => {
    const made = notes.get(name) ?? (isStepRepair(name) ? { note: stepNote(name), path: "" } : undefined);
    return `  ${name}${made === undefined ? "" : `: ${made.note}${made.path === "" ? "" : ` (at ${made.path})`}`}`;
  });
  const end = ran === undefined ? "no result yet" : ran === "ok" ? "the call ran" : "the call ran, and failed";
  return [showable(title), ...changes, "why", ...why.map(showable), end].join("\n");
}

function repairsOf(call: MendedCall, tools: ToolLookup, model: string | undefined): readonly AppliedRepair[] {
  const tool = tools.get(call.tool);
  if (tool === undefined) return [];
  try {
    if (typeof call.sent === "string") {
      const read = readRawArguments(call.sent, { toolName: call.tool });
      const result = read.ok ? repairToolArguments(tool, read.value, { model }) : undefined;
      return result?.outcome === "repaired" ? result.repairs : [];
    }
    const block = {
      type: "toolCall",
      id: call.id,
      name: call.sentTool ?? call.tool,
      arguments: call.sent,
    } as Parameters<typeof prepareToolCall>[0];
    const prepared = prepareToolCall(block, tools, { model });
    return prepared.outcome === "repaired" ? prepared.repairs : [];
  } catch {
    return [];
  }
}
