// The tools that a text may call, by the name a model wrote. Resolved once per spelling.

import { resolveToolName } from "../resolve-tool-name.ts";
import type { RepairTool } from "../types.ts";

/** The active tools of one reading. */
export class ToolTable {
  private readonly byName = new Map<string, RepairTool>();
  private readonly resolved = new Map<string, RepairTool | undefined>();

  constructor(tools: readonly RepairTool[]) {
    for (const tool of tools) this.byName.set(tool.name, tool);
  }

  /** The names, in the order the tools were given. */
  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** The tool of exactly this name. */
  exact(name: string): RepairTool | undefined {
    return this.byName.get(name);
  }

  /** The tool that `name` means by the rules of `resolveToolName`, or undefined. */
  resolve(name: string): RepairTool | undefined {
    const exact = this.byName.get(name);
    if (exact !== undefined) return exact;
    if (this.resolved.has(name)) return this.resolved.get(name);
    const result = resolveToolName(name, this.byName);
    const tool = result.outcome === "bounced" ? undefined : this.byName.get(result.name);
    // Adversarial texts hold a new name at every opener; a model has a handful.
    if (this.resolved.size < 512) this.resolved.set(name, tool);
    return tool;
  }
}
