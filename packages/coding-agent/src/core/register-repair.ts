// Wires the repair step to pi's hooks and owns the state of the session that runs. Runs once per session runtime.
// Never lets an error out of a handler: what goes wrong here leaves pi's own behaviour in place.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { withSignedOriginals } from "@pi-mend/agent/door";
import { liveTools } from "./live-tools.ts";
import { deliverRefusal, dropRefusal, mendAssistant } from "./message-end.ts";
import { registeredHints } from "./registered-hints.ts";
import { SessionRepairs } from "./session-repairs.ts";
import { shared } from "./shared-state.ts";
import { mendBuiltin } from "./tool-hints-repair.ts";
import { appendTeachNote } from "./tool-result.ts";

export function registerRepair(pi: ExtensionAPI): void {
  const hints = registeredHints(pi);
  shared.mend = mendBuiltin;
  let session = new SessionRepairs();

  pi.on("session_start", (_event, ctx) =>
    attempt(() => {
      session = SessionRepairs.ofBranch(ctx.sessionManager.getBranch());
    }),
  );

  pi.on("message_end", ({ message }) =>
    attempt(() => {
      if (message.role === "toolResult") return replaced(deliverRefusal(message, session));
      if (message.role !== "assistant") return undefined;
      return replaced(mendAssistant(message, session, () => liveTools(pi, hints)));
    }),
  );

  pi.on("context", ({ messages }) =>
    attempt(() => {
      const replayed = withSignedOriginals(messages);
      return replayed && { messages: replayed };
    }),
  );

  // A call that got this far passed validation.
  pi.on("tool_call", ({ toolCallId }) => attempt(() => dropRefusal(toolCallId, session)));

  pi.on("tool_result", (event) => attempt(() => appendTeachNote(event, session)));
}

function replaced<M>(message: M | undefined): { message: M } | undefined {
  return message && { message };
}

function attempt<R>(handle: () => R): R | undefined {
  try {
    return handle();
  } catch {
    return undefined;
  }
}
