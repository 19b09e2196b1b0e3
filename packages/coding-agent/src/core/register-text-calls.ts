// Wires calls that leaked into text to pi's hooks. Must be registered before the repair step: what becomes a call here is
// repaired, executed and counted there. Never lets an error out, and never continues a run more than twice in a row.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Continuations, LeakSettings } from "@pi-mend/agent/door";
import type { LeakEvent } from "../memory/outcome-event.ts";
import { continued } from "../text-calls/continuation-entry.ts";
import { attempt } from "./attempt.ts";
import { withLatePart } from "./load-late-part.ts";
import { nextTurnEnd } from "./next-turn-end.ts";
import { tellUser } from "./tell-user.ts";
import type { ToolsNow } from "./tools-now.ts";

export interface TextCallsHost {
  /** The settings that hold now. */
  readonly settings: () => LeakSettings;
  readonly tools: ToolsNow;
  /** Whether the last request went to a model that makes its calls in text. */
  readonly isTextMode?: () => boolean;
  /** Hears what was done about each message that leaked a call: its grammars, never its text. */
  readonly onLeak: (leak: LeakEvent) => void;
}

const TOLD =
  "the model keeps printing tool calls as text instead of making them; the last one did not run. " +
  "Another model, or another chat template of the server, may help.";

export function registerTextCalls(pi: ExtensionAPI, host: TextCallsHost): void {
  let continuations: Continuations | undefined;

  pi.on("session_start", () => {
    continuations = undefined;
  });

  const expectTurnEnd = nextTurnEnd(pi, (event, ctx) =>
    attempt(() => {
      if (event.outcome !== "completed") continuations?.forget();
      const due = continuations?.take();
      if (due?.goesOn) return continued(event, due.line);
      if (due !== undefined) tellUser(ctx, TOLD);
      return undefined;
    }),
  );

  pi.on("message_end", ({ message }, ctx) => {
    if (message.role === "user") continuations?.startOver();
    if (message.role !== "assistant") return undefined;
    return withLatePart((part) => {
      continuations?.forget();
      if (host.settings().grammar === "off") return undefined;
      const conversation = () => part.conversationOf(ctx.sessionManager.getBranch(), [ctx.getSystemPrompt()]);
      const settings = { ...host.settings(), inText: host.isTextMode?.() ?? false };
      const outcome = part.withLeakedCalls(message, host.tools.ofMessage(part).lookup, conversation, settings);
      continuations ??= new part.Continuations();
      continuations.heard(message, outcome.continuation);
      if (continuations.isDue) expectTurnEnd();
      const { action, families, refused } = outcome;
      const { model, provider, api } = message;
      if (action !== "none") attempt(() => host.onLeak({ model, provider, api, action, families, refused }));
      return outcome.message === message ? undefined : { message: outcome.message };
    });
  });
}
