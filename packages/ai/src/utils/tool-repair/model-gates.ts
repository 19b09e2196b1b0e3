// Which of a tool's model gates a model id opens. Data look-ups only.

import type { PathGates } from "./path-debris.ts";
import type { ToolHints } from "./types.ts";

/** No gate open: every model that no hint names. */
export const NO_GATES: PathGates = { anchors: false, argTags: false };

/** The gates that `model` opens; none without a model. */
export function pathGatesOf(hints: ToolHints | undefined, model: string | undefined): PathGates {
  const gates = hints?.modelGates;
  if (gates === undefined || model === undefined) return NO_GATES;
  const id = model.toLowerCase();
  const names = (families: readonly string[] | undefined) => families?.some((family) => id.includes(family)) ?? false;
  return { anchors: names(gates.anchorBleed), argTags: names(gates.argKeyDebris) };
}
