// Hints that other extensions register for their own tools, over pi's event bus. An extension sends them from its
// `session_start` handler: by then every extension has loaded, in whatever order. Broken hints are ignored, not fatal.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { type ToolHints, toolHintsProblems } from "@pi-mend/ai/tool-repair";

/** The event that carries `{[toolName]: hints}`; a later event for the same tool replaces the earlier one. */
export const TOOL_HINTS_EVENT = "pi-mend:tool-hints";

/** Listens from now on. The map returned is live; it holds sound hints only. */
export function registeredHints(pi: ExtensionAPI): ReadonlyMap<string, ToolHints> {
  const hints = new Map<string, ToolHints>();
  pi.events.on(TOOL_HINTS_EVENT, (sent) => {
    if (typeof sent !== "object" || sent === null) return;
    for (const [tool, own] of Object.entries(sent)) {
      if (toolHintsProblems(own).length === 0) hints.set(tool, own as ToolHints);
    }
  });
  return hints;
}
