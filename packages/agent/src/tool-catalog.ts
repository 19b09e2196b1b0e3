// The agent's tools as the repair step sees them: name, schema, and the hints that apply. Asked once per message that
// holds calls. Never changes a tool.
import type { AgentTool } from "@earendil-works/pi-agent-core";
import { type RepairTool, repairToolArguments, type ToolHints } from "@pi-mend/ai/tool-repair";
import type { ToolRepairOptions } from "./tool-repair-options.ts";

// biome-ignore lint/suspicious/noExplicitAny: upstream's own type for a list of tools with different arguments
export type AnyAgentTool = AgentTool<any>;
type HintedAgentTool = AnyAgentTool & { readonly hints?: ToolHints };

export class ToolCatalog {
  readonly #hints: ToolRepairOptions["hints"];
  readonly #gates: ToolRepairOptions["modelGates"];
  readonly #known = new WeakMap<AnyAgentTool, RepairTool>();
  /** The last look: tools, what each was seen as, and the answer. */
  #last: Look = NO_LOOK;

  constructor({ hints, modelGates }: ToolRepairOptions) {
    this.#hints = hints;
    this.#gates = modelGates;
  }

  /** The tools by name; of two with one name the first, which is the one that runs. */
  lookup(tools: readonly AnyAgentTool[]): ReadonlyMap<string, RepairTool> {
    if (isSame(tools, this.#last)) return this.#last.byName;
    const byName = new Map<string, RepairTool>();
    const seen = tools.map((tool) => this.#seen(tool));
    for (const tool of seen) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    this.#last = { tools: [...tools], seen, byName };
    return byName;
  }

  #seen(tool: HintedAgentTool): RepairTool {
    const known = this.#known.get(tool);
    if (known !== undefined && known.parameters === tool.parameters && known.name === tool.name) return known;
    const own = this.#hints && Object.hasOwn(this.#hints, tool.name) ? this.#hints[tool.name] : tool.hints;
    const gated = this.#gates === undefined || own?.modelGates !== undefined;
    const hints = gated ? own : { ...own, modelGates: this.#gates };
    const seen: RepairTool = { name: tool.name, parameters: tool.parameters, hints };
    this.#known.set(tool, seen);
    return seen;
  }
}

interface Look {
  readonly tools: readonly AnyAgentTool[];
  readonly seen: readonly RepairTool[];
  readonly byName: ReadonlyMap<string, RepairTool>;
}

const NO_LOOK: Look = { tools: [], seen: [], byName: new Map() };

/** Whether these are the tools of that look, with the names and schemas that they had then. */
function isSame(tools: readonly AnyAgentTool[], look: Look): boolean {
  if (look.tools.length !== tools.length) return false;
  for (let index = 0; index < tools.length; index++) {
    const tool = tools[index] as AnyAgentTool;
    const seen = look.seen[index] as RepairTool;
    if (tool !== look.tools[index] || seen.name !== tool.name || seen.parameters !== tool.parameters) return false;
  }
  return true;
}

/**
 * Whether a tool's own `prepareArguments` makes valid arguments of these. Such a call runs as it was sent: the shape is
 * one that its owner takes.
 */
export function isOwnShape(tool: AnyAgentTool | undefined, args: unknown): boolean {
  if (tool?.prepareArguments === undefined) return false;
  try {
    const prepared: unknown = tool.prepareArguments(structuredClone(args));
    return repairToolArguments({ name: tool.name, parameters: tool.parameters }, prepared).outcome === "clean";
  } catch {
    return false;
  }
}
