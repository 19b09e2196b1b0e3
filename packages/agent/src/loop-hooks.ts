// The hooks of a run that the door wraps, and how the caller's stream function sees its own. Once per request.
import type { SimpleStreamOptions } from "@earendil-works/pi-ai";
import type { NextTurnHook } from "./printed-calls.ts";
import type { AfterHook } from "./teaching-hook.ts";
import type { AgentLoopConfig } from "./tool-repair-options.ts";

export interface LoopHooks {
  readonly afterToolCall?: AfterHook | undefined;
  readonly finishTurn?: AgentLoopConfig["finishTurn"] | undefined;
  readonly prepareRequest?: AgentLoopConfig["prepareRequest"] | undefined;
  readonly prepareNextTurn?: NextTurnHook | undefined;
}

/** The options with the caller's hooks in them. The loop makes a new object for every request, so it is changed itself. */
export function withHooks(options: SimpleStreamOptions, hooks: LoopHooks): SimpleStreamOptions {
  const own = options as SimpleStreamOptions & { -readonly [name in keyof LoopHooks]: LoopHooks[name] };
  own.afterToolCall = hooks.afterToolCall;
  own.finishTurn = hooks.finishTurn;
  own.prepareRequest = hooks.prepareRequest;
  own.prepareNextTurn = hooks.prepareNextTurn;
  return options;
}
