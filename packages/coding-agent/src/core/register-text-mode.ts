// Wires calls in text to pi's hooks, for the models that settings or calibration name: requests go out without tools, replies come back
// as native calls. Must be registered before the leaked calls and the repair step. Never changes what the session stores.

import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { EnvelopeForm } from "@pi-mend/ai/tool-repair";
import { continued } from "../text-calls/continuation-entry.ts";
import { attempt, attemptLater } from "./attempt.ts";
import { type LatePart, latePart, withLatePart } from "./load-late-part.ts";
import { nextTurnEnd } from "./next-turn-end.ts";
import { tellUser } from "./tell-user.ts";
import type { ToolsNow } from "./tools-now.ts";

export interface ModelName {
  readonly provider: string;
  readonly id: string;
}

export interface TextModeHost {
  /** The form in which a model makes its calls in text, `undefined` for native ones. Asked before every request. */
  readonly formOf: (model: ModelName) => Promise<EnvelopeForm | undefined>;
  readonly tools: ToolsNow;
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
  /** Models that failed in this session. */
  const native = new Set<string>();
  /** The form of the last request; `undefined` where it declared its tools. */
  let form: EnvelopeForm | undefined;
  let asked: string | undefined;
  let failures = 0;
  let due: string | undefined;

  const giveUp = (ctx: ExtensionContext) => {
    const { model } = ctx;
    failures = 0;
    if (model === undefined) return;
    native.add(keyOf(model));
    tellUser(ctx, `${model.id} made no readable call in text ${FAILURES} times in a row; its tools are native again.`);
  };

  pi.on("session_start", () => {
    native.clear();
    form = undefined;
    asked = undefined;
    failures = 0;
    due = undefined;
  });

  pi.on("context_with_system", ({ messages }, ctx) =>
    attemptLater(async () => {
      const { model } = ctx;
      const name = model === undefined ? undefined : keyOf(model);
      // What one model failed to do counts for no other.
      if (name !== asked) failures = 0;
      asked = name;
      form = model === undefined || native.has(keyOf(model)) ? undefined : await host.formOf(model);
      if (form === undefined) return undefined;
      const part = await latePart();
      return { messages: part.asTextMode(messages, primerOf(pi, part, form), ctx.getSystemPrompt(), form) };
    }),
  );

  const expectTurnEnd = nextTurnEnd(pi, (event, ctx) =>
    attempt(() => {
      const refusal = due;
      due = undefined;
      if (refusal === undefined || event.outcome !== "completed") return undefined;
      const content = failures < FAILURES ? refusal : NOW_NATIVE;
      if (content === NOW_NATIVE) giveUp(ctx);
      return continued(event, content);
    }),
  );

  pi.on("message_end", ({ message }, ctx) => {
    if (form === undefined || message.role !== "assistant") return undefined;
    const current = form;
    return withLatePart((part) => {
      const conversation = () => part.conversationOf(ctx.sessionManager.getBranch(), [ctx.getSystemPrompt()]);
      const outcome = part.withTextCalls(message, host.tools.ofMessage(part).lookup, conversation, current);
      due = outcome.refusal;
      if (due !== undefined) expectTurnEnd();
      if (outcome.isQuoted) tellUser(ctx, QUOTED);
      if (outcome.calls > 0) failures = 0;
      else if (due !== undefined) failures++;
      return outcome.message === message ? undefined : { message: outcome.message };
    });
  });

  return { isOn: () => form !== undefined };
}

function keyOf({ provider, id }: ModelName): string {
  return `${provider}/${id}`;
}

function primerOf(pi: ExtensionAPI, { renderPrimer }: LatePart, form: EnvelopeForm): string {
  const known = new Map(pi.getAllTools().map((tool) => [tool.name, tool]));
  return renderPrimer(
    pi.getActiveTools().flatMap((name) => known.get(name) ?? []),
    form,
  );
}
