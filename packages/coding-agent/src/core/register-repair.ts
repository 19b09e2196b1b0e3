// Wires the repair step to pi's hooks and owns the state of the session that runs. Runs once per session runtime.
// Never lets an error out of a handler: what goes wrong here leaves pi's own behaviour in place.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type OutcomeSink, outgoingHistory } from "@pi-mend/agent/door";
import type { Settings } from "../settings/resolve-settings.ts";
import { attempt } from "./attempt.ts";
import { liveTools } from "./live-tools.ts";
import { deliverRefusal, dropRefusal, mendAssistant } from "./message-end.ts";
import { registeredHints } from "./registered-hints.ts";
import { SessionRepairs } from "./session-repairs.ts";
import { shared } from "./shared-state.ts";
import { mendBuiltin } from "./tool-hints-repair.ts";
import { appendTeachNote } from "./tool-result.ts";

export interface RepairHost {
  /** The settings that hold now. */
  readonly settings: () => Pick<Settings, "repair" | "teach" | "passthrough">;
  /** Hear the outcome of every call. */
  readonly sinks: readonly OutcomeSink[];
}

/** What the rest of the extension may tell the repair step. */
export interface Repair {
  /** The modes that the system prompt of the next run has standing rules for. */
  readonly rules: (modes: readonly string[]) => void;
}

export function registerRepair(pi: ExtensionAPI, host: RepairHost): Repair {
  const hints = registeredHints(pi);
  let session = new SessionRepairs();
  shared.mend = (tool, args) => (host.settings().repair ? mendBuiltin(tool, args) : args);

  pi.on("session_start", (_event, ctx) =>
    attempt(() => {
      const { teach } = host.settings();
      session = SessionRepairs.ofBranch(ctx.sessionManager.getBranch(), { sinks: host.sinks, teach });
    }),
  );

  pi.on("message_end", ({ message }) =>
    attempt(() => {
      if (message.role === "toolResult") return replaced(deliverRefusal(message, session));
      const { repair, passthrough } = host.settings();
      if (message.role !== "assistant" || !repair) return undefined;
      return replaced(mendAssistant(message, session, () => liveTools(pi, hints), passthrough));
    }),
  );

  pi.on("context", ({ messages }, { model }) =>
    attempt(() => {
      const sent = outgoingHistory(messages, model);
      return sent && { messages: sent };
    }),
  );

  // A call that got this far passed validation.
  pi.on("tool_call", ({ toolCallId }) => attempt(() => dropRefusal(toolCallId, session)));

  pi.on("tool_result", (event) => attempt(() => appendTeachNote(event, session)));

  return {
    rules: (modes) => {
      session.rules.clear();
      for (const mode of modes) session.rules.add(mode);
    },
  };
}

function replaced<M>(message: M | undefined): { message: M } | undefined {
  return message && { message };
}
