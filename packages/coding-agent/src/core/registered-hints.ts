// Hints that other extensions register for their own tools, over pi's event bus. An extension sends them from its
// `session_start` handler: by then every extension has loaded, in whatever order. Broken hints are ignored, not fatal.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { ToolHints } from "@pi-mend/ai/tool-repair";
import type { LatePart } from "./load-late-part.ts";

/** The event that carries `{[toolName]: hints}`; a later event for the same tool replaces the earlier one. */
export const TOOL_HINTS_EVENT = "pi-mend:tool-hints";

/** Listens from now on. What comes back gives the sound hints so far; each is checked once, when somebody asks. */
export function registeredHints(pi: ExtensionAPI): (part: LatePart) => ReadonlyMap<string, ToolHints> {
  const unchecked: [tool: string, hints: unknown][] = [];
  const hints = new Map<string, ToolHints>();
  pi.events.on(TOOL_HINTS_EVENT, (sent) => {
    if (typeof sent === "object" && sent !== null) unchecked.push(...Object.entries(sent));
  });
  return ({ toolHintsProblems }) => {
    for (const [tool, own] of unchecked.splice(0)) {
      if (toolHintsProblems(own).length === 0) hints.set(tool, own as ToolHints);
    }
    return hints;
  };
}
