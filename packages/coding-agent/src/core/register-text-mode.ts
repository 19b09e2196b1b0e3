// Wires calls in text to pi's hooks, for the models that the settings name: requests go out without tools, replies come back
// as native calls. Must be registered before the leaked calls and the repair step. Never changes what the session stores.

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { renderPrimer } from "@pi-mend/ai/tool-repair";
import { CONTINUATION, conversationOf } from "../text-calls/conversation.ts";
import { asTextMode } from "../text-calls/text-mode-context.ts";
import { withTextCalls } from "../text-calls/text-mode-message.ts";
import { attempt } from "./attempt.ts";
import { liveTools } from "./live-tools.ts";
import { registeredHints } from "./registered-hints.ts";
import { tell } from "./tell.ts";

export interface ModelName {
  readonly provider: string;
  readonly id: string;
}

export interface TextModeHost {
  /** Whether a model makes its calls in text. Asked before every request. */
  readonly usesText: (model: ModelName) => boolean;
}

/** What the rest of the extension sees of text mode. */
export interface TextMode {
  /** Whether the last request went out in text mode. */
  readonly isOn: () => boolean;
}

/** Replies in a row with envelopes and no call that can be read. */
const FAILURES = 3;
const NOW_NATIVE =
  "Your calls could not be read as text. From now on your tools are declared natively: send native tool calls, and no envelopes.";

const QUOTED = "a call in the reply also stands in a message or a result of this conversation, so it was left as text.";

export function registerTextMode(pi: ExtensionAPI, host: TextModeHost): TextMode {
  const hints = registeredHints(pi);
  /** Models that failed in this session. */
  const native = new Set<string>();
  let isOn = false;
  let failures = 0;
  let due: string | undefined;

  const giveUp = (ctx: ExtensionContext) => {
    const { model } = ctx;
    failures = 0;
    if (model === undefined) return;
    native.add(keyOf(model));
    tell(ctx, `${model.id} made no readable call in text ${FAILURES} times in a row; its tools are native again.`);
  };

  pi.on("session_start", () => {
    native.clear();
    isOn = false;
    failures = 0;
    due = undefined;
  });

  pi.on("context_with_system", ({ messages }, ctx) =>
    attempt(() => {
      const { model } = ctx;
      isOn = model !== undefined && !native.has(keyOf(model)) && host.usesText(model);
      return isOn ? { messages: asTextMode(messages, primerOf(pi), ctx.getSystemPrompt()) } : undefined;
    }),
  );

  pi.on("message_end", ({ message }, ctx) =>
    attempt(() => {
      if (!isOn || message.role !== "assistant") return undefined;
      const conversation = () => conversationOf(ctx.sessionManager.getBranch(), [ctx.getSystemPrompt()]);
      const outcome = withTextCalls(message, liveTools(pi, hints).lookup, conversation);
      due = outcome.refusal;
      if (outcome.isQuoted) tell(ctx, QUOTED);
      if (outcome.calls > 0) failures = 0;
      else if (due !== undefined) failures++;
      return outcome.message === message ? undefined : { message: outcome.message };
    }),
  );

  pi.on("turn_end", ({ entries, outcome }, ctx) =>
    attempt(() => {
      const refusal = due;
      due = undefined;
      if (refusal === undefined || outcome !== "completed") return undefined;
      const content = failures < FAILURES ? refusal : NOW_NATIVE;
      if (content === NOW_NATIVE) giveUp(ctx);
      const said = { type: "custom_message", customType: CONTINUATION, content, display: false } as const;
      return { entries: [...entries, said], continue: true };
    }),
  );

  return { isOn: () => isOn };
}

function keyOf({ provider, id }: ModelName): string {
  return `${provider}/${id}`;
}

function primerOf(pi: ExtensionAPI): string {
  const known = new Map(pi.getAllTools().map((tool) => [tool.name, tool]));
  return renderPrimer(pi.getActiveTools().flatMap((name) => known.get(name) ?? []));
}
