// Wires the repair step to pi's hooks and owns the state of the session that runs. Runs once per session runtime.
// Never lets an error out of a handler: what goes wrong here leaves pi's own behaviour in place.

import type { ExtensionAPI, ExtensionContext, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { OutcomeSink } from "@pi-mend/agent/door";
import type { Settings } from "../settings/resolve-settings.ts";
import { attempt } from "./attempt.ts";
import { heardWhile } from "./heard-while.ts";
import { type LatePart, latePartIfLoaded, withLatePart } from "./load-late-part.ts";
import type { SessionRepairs } from "./session-repairs.ts";
import { shared } from "./shared-state.ts";
import type { ToolsNow } from "./tools-now.ts";

export interface RepairHost {
  /** The settings that hold now. */
  readonly settings: () => Pick<Settings, "repair" | "teach" | "passthrough">;
  /** Hear the outcome of every call. */
  readonly sinks: readonly OutcomeSink[];
  readonly tools: ToolsNow;
}

/** What the rest of the extension may tell the repair step. */
export interface Repair {
  /** The modes that the system prompt of the next run has standing rules for. */
  readonly rules: (modes: readonly string[]) => void;
}

export function registerRepair(pi: ExtensionAPI, host: RepairHost): Repair {
  let branch: readonly SessionEntry[] = [];
  let session: SessionRepairs | undefined;
  let rules: readonly string[] = [];
  shared.mend = (tool, args) => {
    const { repair } = host.settings();
    return (repair ? latePartIfLoaded() : undefined)?.mendBuiltin(tool, args) ?? args;
  };

  /** The state of the session, made of the branch that it is on when the next message ends. */
  const sessionOf = (part: LatePart): SessionRepairs => {
    if (session === undefined) {
      session = part.SessionRepairs.ofBranch(branch, { sinks: host.sinks, teach: host.settings().teach });
      branch = [];
      setRules(session, rules);
    }
    return session;
  };

  const readBranch = (ctx: ExtensionContext) => {
    session = undefined;
    branch = attempt(() => ctx.sessionManager.getBranch()) ?? [];
  };
  pi.on("session_start", (_event, ctx) => {
    rules = [];
    readBranch(ctx);
  });
  // What was taught on a branch that was left, the model does not see any more.
  pi.on("session_tree", (_event, ctx) => readBranch(ctx));

  // A call that gets this far passed validation. Nothing else is to do there, so it is heard only while a refusal waits.
  const hearCalls = heardWhile(() =>
    pi.on("tool_call", ({ toolCallId }) => {
      attempt(() => session && latePartIfLoaded()?.dropRefusal(toolCallId, session));
    }),
  );

  pi.on("message_end", ({ message }) => {
    if (message.role === "toolResult") {
      return withLatePart((part) => replaced(part.deliverRefusal(message, sessionOf(part))));
    }
    if (message.role !== "assistant") return undefined;
    return withLatePart((part) => {
      const { repair, passthrough } = host.settings();
      if (!repair) return undefined;
      const mended = part.mendAssistant(message, sessionOf(part), () => host.tools.ofMessage(part), passthrough);
      hearCalls((session?.refusals.size ?? 0) > 0);
      return replaced(mended);
    });
  });

  pi.on("context", ({ messages }, { model }) => {
    if (!messages.some((message) => message.role === "assistant")) return undefined;
    return withLatePart((part) => {
      const sent = part.outgoingHistory(messages, model);
      return sent && { messages: sent };
    });
  });

  pi.on("tool_result", (event) => withLatePart((part) => part.appendTeachNote(event, sessionOf(part))));

  return {
    rules: (modes) => {
      rules = modes;
      if (session !== undefined) setRules(session, modes);
    },
  };
}

function setRules(session: SessionRepairs, modes: readonly string[]): void {
  session.rules.clear();
  for (const mode of modes) session.rules.add(mode);
}

function replaced<M>(message: M | undefined): { message: M } | undefined {
  return message && { message };
}
