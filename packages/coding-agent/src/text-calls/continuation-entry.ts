// How a turn goes on with words of this package to the model: an entry of the session that pi sends and does not show.
import type { TurnEndEvent, TurnEndEventResult } from "@earendil-works/pi-coding-agent";

/** The `customType` of what this package tells the model. */
export const CONTINUATION = "pi-mend-text-call";

/** The end of a turn behind which the run goes on, with `content` as the last word to the model. */
export function continued({ entries }: Pick<TurnEndEvent, "entries">, content: string): TurnEndEventResult {
  const said = { type: "custom_message", customType: CONTINUATION, content, display: false } as const;
  return { entries: [...entries, said], continue: true };
}
