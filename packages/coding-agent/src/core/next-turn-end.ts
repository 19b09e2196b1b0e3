// Hears the end of one turn, when a hook has asked for it. For every turn that ends with a handler, pi builds the whole session
// once more, so a handler that stays would cost each turn more than the last; and nearly every turn ends without a need for one.
import type { ExtensionAPI, ExtensionContext, TurnEndEvent, TurnEndEventResult } from "@earendil-works/pi-coding-agent";
import { heardWhile } from "./heard-while.ts";

type Handle = (event: TurnEndEvent, ctx: ExtensionContext) => TurnEndEventResult | undefined;

/**
 * @param handle never throws
 * @returns asks for the end of the turn under way; asked twice in one turn, it is heard once
 */
export function nextTurnEnd(pi: ExtensionAPI, handle: Handle): () => void {
  const hear = heardWhile(() =>
    pi.on("turn_end", (event, ctx) => {
      hear(false);
      return handle(event, ctx);
    }),
  );
  return () => hear(true);
}
