// The tools a model may call right now, as the repair step sees them: built-in, extension and MCP tools alike.
// Asked by `tools-now.ts` once per assistant message, so a tool added or changed in between counts at once; building the list
// costs less than finding out whether an old one still holds. Never holds on to a schema.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { ToolLookup } from "@pi-mend/agent/prepare-tool-call";
import type { RepairTool, ToolHints } from "@pi-mend/ai/tool-repair";
import { shared } from "./shared-state.ts";
import { builtinToolHints } from "./tool-hints.ts";

export interface LiveTools {
  /** The active tools by name, in pi's order of activation. */
  readonly lookup: ToolLookup;
  /** Names of tools from other extensions, which may take shapes that their schema does not show. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Reads the active tools from pi. Hints of the built-in tools apply to those tools only, never to another extension's
 * tool of the same name, which has the hints its owner `registered`.
 */
export function liveTools(pi: ExtensionAPI, registered: ReadonlyMap<string, ToolHints>): LiveTools {
  const known = new Map(pi.getAllTools().map((tool) => [tool.name, tool]));
  const lookup = new Map<string, RepairTool>();
  const foreign = new Set<string>();
  for (const name of pi.getActiveTools()) {
    const tool = known.get(name);
    if (!tool) continue;
    const builtin = tool.sourceInfo.source === "builtin" || shared.ownSchemas.has(tool.parameters as object);
    if (!builtin) foreign.add(name);
    lookup.set(name, { name, parameters: tool.parameters, hints: builtin ? hintsFor(name) : registered.get(name) });
  }
  return { lookup, foreign };
}

function hintsFor(name: string): ToolHints | undefined {
  return Object.hasOwn(builtinToolHints, name) ? builtinToolHints[name] : undefined;
}
