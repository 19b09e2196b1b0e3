// Repairs arguments of pi's own tools where no message is at hand: in a tool's `prepareArguments`.
import { type RepairTool, repairToolArguments } from "@pi-mend/ai/tool-repair";
import { builtinToolHints } from "./tool-hints.ts";

/** The repaired arguments, or `args` itself where they are clean or cannot be repaired: validation then says why. */
export function mendBuiltin({ name, parameters }: RepairTool, args: unknown): unknown {
  const result = repairToolArguments({ name, parameters, hints: builtinToolHints[name] }, args);
  return result.outcome === "bounced" ? args : result.args;
}
