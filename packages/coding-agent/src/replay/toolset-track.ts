// Which tools a session's model could call at each point: declared by system messages, replaced by a compaction's
// checkpoint, and, where a session forks, those of the entry that it goes on from. Bounded.
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { builtinHints, builtinToolsAt } from "./builtin-tools.ts";
import { objectsIn } from "./formats/json-line.ts";
import type { Toolset } from "./turn.ts";

/** A tool as a system message declares it. */
interface DeclaredTool {
  readonly name?: unknown;
  readonly parameters?: unknown;
}

/** The part of a system message that is about tools. */
export interface ToolDeclarations {
  readonly toolsAdded?: readonly DeclaredTool[];
  readonly toolsRemoved?: readonly DeclaredTool[];
}

/** Entries whose tools are remembered; a fork from further back gets the tools of the session's start. */
const MAX_ENTRIES = 100_000;
const MAX_SCHEMAS = 2_000;

/** Tools by their JSON: the same schema in many sessions is compiled once. */
const KNOWN = new Map<string, RepairTool>();

export class ToolsetTrack {
  #current: Toolset;
  readonly #first: Toolset;
  /** Only kept once the tools changed: before, every entry has the first ones. */
  #byEntry: Map<string, Toolset> | undefined;

  /** @param at when the session began: built-in tools of that time count until others are declared */
  constructor(at: number) {
    this.#first = builtinToolsAt(at);
    this.#current = this.#first;
  }

  get current(): Toolset {
    return this.#current;
  }

  /** Whether it matters which entry a line is. */
  get isForked(): boolean {
    return this.#byEntry !== undefined;
  }

  /** A line of the session: an entry behind another one. */
  enter(id: string, parentId: string): void {
    if (this.#byEntry === undefined) return;
    this.#current = this.#byEntry.get(parentId) ?? this.#first;
    this.#remember(id);
  }

  /** @param isCheckpoint the tools are all there are, not a change to the earlier ones */
  declare(id: string, { toolsAdded, toolsRemoved }: ToolDeclarations, isCheckpoint: boolean): void {
    if (!Array.isArray(toolsAdded) && !Array.isArray(toolsRemoved)) return;
    const starts = isCheckpoint || !this.#current.isDeclared;
    const tools = new Map(starts ? [] : this.#current.lookup);
    for (const { name } of objectsIn(toolsRemoved)) tools.delete(String(name));
    for (const added of objectsIn(toolsAdded)) {
      const tool = toolOf(added);
      if (tool !== undefined) tools.set(tool.name, tool);
    }
    this.#current = { lookup: tools, isDeclared: true, others: [] };
    this.#byEntry ??= new Map();
    this.#remember(id);
  }

  #remember(id: string): void {
    const entries = this.#byEntry;
    if (entries === undefined || id === "") return;
    entries.set(id, this.#current);
    if (entries.size <= MAX_ENTRIES) return;
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      break;
    }
  }
}

/** The tools that a request declares; none where it declares none. */
export function toolsetOf(declared: readonly DeclaredTool[]): Toolset {
  const tools = declared.map(toolOf).filter((tool) => tool !== undefined);
  return { lookup: new Map(tools.map((tool) => [tool.name, tool])), isDeclared: tools.length > 0, others: [] };
}

/** A declared tool, the same object for the same declaration; `undefined` for what is none. */
export function toolOf({ name, parameters }: DeclaredTool): RepairTool | undefined {
  if (typeof name !== "string" || typeof parameters !== "object" || parameters === null) return undefined;
  const key = JSON.stringify([name, parameters]);
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  if (KNOWN.size >= MAX_SCHEMAS) KNOWN.clear();
  const tool = { name, parameters, hints: builtinHints(name, parameters) };
  KNOWN.set(key, tool);
  return tool;
}
