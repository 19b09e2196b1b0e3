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
  #last: { readonly tools: readonly AnyAgentTool[]; readonly byName: ReadonlyMap<string, RepairTool> } | undefined;

  constructor({ hints, modelGates }: ToolRepairOptions) {
    this.#hints = hints;
    this.#gates = modelGates;
  }

  /** The tools by name; of two with one name the first, which is the one that runs. */
  lookup(tools: readonly AnyAgentTool[]): ReadonlyMap<string, RepairTool> {
    if (this.#last !== undefined && this.#isLast(tools)) return this.#last.byName;
    const byName = new Map<string, RepairTool>();
    for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, this.#seen(tool));
    this.#last = { tools: [...tools], byName };
    return byName;
  }

  /** Whether these are the tools of the last look, with the names and schemas that they had then. */
  #isLast(tools: readonly AnyAgentTool[]): boolean {
    const last = this.#last;
    if (last === undefined || last.tools.length !== tools.length) return false;
    for (let index = 0; index < tools.length; index++) {
      const tool = tools[index] as AnyAgentTool;
      if (tool !== last.tools[index]) return false;
      const seen = last.byName.get(tool.name);
      if (seen === undefined || (seen.parameters !== tool.parameters && this.#known.get(tool) === seen)) return false;
    }
    return true;
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
