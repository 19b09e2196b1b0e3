// Redacted fixture rows for the folders of the repair table, made of calls that were not clean. A row is a skeleton that is
// repaired, or refused, as the call was; what it must become is what it becomes today. Bounded.
import type { ToolCall } from "@earendil-works/pi-ai";
import { REPAIRS, type RepairTool, repairToolArguments } from "@pi-mend/ai/tool-repair";
import { skeletonOf } from "../memory/failures/failure-record.ts";
import { safeTool, shownId } from "../memory/safe-name.ts";

/** A row of a `cases.json`. */
export interface FixtureRow {
  readonly name: string;
  readonly tool: { readonly name: string; readonly parameters: unknown; readonly hints?: unknown };
  readonly args: unknown;
  readonly model?: string;
  readonly expect: {
    readonly outcome: "repaired" | "bounced";
    readonly args?: unknown;
    readonly repairs?: readonly string[];
    readonly reasons?: readonly string[];
  };
}

/** The folder of failures that no entry of the table names. */
export const UNREPAIRED = "unrepaired";
const MAX_ROWS_A_FOLDER = 20;
/** Kinds of rows that are looked at. */
const MAX_KINDS = 2_000;

export class FixtureRows {
  readonly #byFolder = new Map<string, FixtureRow[]>();
  readonly #seen = new Set<string>();

  /** Makes a row of a call, where it is the first of its kind. */
  add(tool: RepairTool, block: ToolCall, model: string): void {
    if (block.argumentsError !== undefined || block.name !== tool.name) return;
    const id = shownId(model);
    const kind = kindOf(tool, block.arguments, id);
    if (kind === undefined || this.#seen.has(kind) || this.#seen.size >= MAX_KINDS) return;
    this.#seen.add(kind);
    const row = rowOf({ ...tool, name: safeTool(tool.name, () => true) }, block.arguments, id);
    if (row !== undefined) addRow(this.#byFolder, folderOf(row), row);
  }

  folders(): ReadonlyMap<string, readonly FixtureRow[]> {
    return this.#byFolder;
  }
}

/** Adds rows to a folder, the first of each content, up to the bound; their names count up. */
export function addRow(folders: Map<string, FixtureRow[]>, folder: string, row: FixtureRow): void {
  const rows = folders.get(folder) ?? [];
  folders.set(folder, rows);
  const content = ({ name: _name, ...rest }: FixtureRow) => JSON.stringify(rest);
  if (rows.length >= MAX_ROWS_A_FOLDER || rows.some((one) => content(one) === content(row))) return;
  rows.push({ ...row, name: `from a transcript, ${rows.length + 1}` });
}

/** What makes two calls the same for a row: the tool and what is done at which depth. */
function kindOf(tool: RepairTool, args: unknown, model: string): string | undefined {
  const result = repairToolArguments(tool, args, { model });
  if (result.outcome === "clean") return undefined;
  const places =
    result.outcome === "repaired"
      ? result.repairs.map(({ name, path }) => [name, path.split("/").length])
      : result.failures.map(({ keyword, path, got, reason }) => [keyword, path.split("/").length, got, reason]);
  const kinds = new Set(places.map((place) => JSON.stringify(place)));
  return JSON.stringify([tool.name, result.outcome, ...[...kinds].sort().slice(0, 8)]);
}

function rowOf(tool: RepairTool, args: unknown, model: string): FixtureRow | undefined {
  const skeleton = skeletonOf(tool, args, model);
  if (skeleton === undefined) return undefined;
  const { schema, hints, args: stand } = skeleton.call;
  const redacted = { name: tool.name, parameters: schema, ...(hints !== undefined && { hints }) } as RepairTool;
  const result = repairToolArguments(redacted, stand, { model });
  if (result.outcome === "clean") return undefined;
  const about = { name: "", tool: redacted, args: stand, model };
  if (result.outcome === "repaired") {
    const repairs = result.repairs.map((repair) => repair.name);
    return { ...about, expect: { outcome: "repaired", args: result.args, repairs } };
  }
  const reasons = [...new Set(result.failures.flatMap(({ reason }) => (isEntryReason(reason) ? [reason] : [])))];
  return { ...about, expect: { outcome: "bounced", ...(reasons.length > 0 && { reasons }) } };
}

function isEntryReason(reason: string | undefined): reason is string {
  return REPAIRS.some((entry) => entry.noteTemplate === reason);
}

function folderOf({ expect: { repairs, reasons } }: FixtureRow): string {
  const entry = REPAIRS.find(({ noteTemplate }) => noteTemplate === reasons?.[0]);
  return repairs?.[0] ?? entry?.name ?? UNREPAIRED;
}
