// Failures that nothing repairs, grouped by tool, place and kind, most frequent first. Each group shows one call as a skeleton
// without values. Bounded; with `showValues` a group also keeps one call as it was sent.
import type { ToolCall } from "@earendil-works/pi-ai";
import type { PreparedToolCall } from "@pi-mend/agent/door";
import { type BounceFailure, type RepairTool, rawArgumentsText } from "@pi-mend/ai/tool-repair";
import { skeletonOf } from "../memory/failures/failure-record.ts";
import { foldWord, knownWords } from "../memory/failures/known-words.ts";
import { PlaceholderText } from "../memory/failures/placeholder-text.ts";
import { shownId } from "../memory/safe-name.ts";

export interface FailureGroup {
  readonly tool: string;
  /** What failed and where: a keyword and a path of declared keys, `*` for a list's items and `?` for any other key. */
  readonly places: readonly string[];
  count: number;
  /** A call like it, as JSON, or its text; `""` where none of bounded size fails alike. */
  skeleton: string;
  /** One call as it was sent; only on request. */
  example?: string;
}

type Bounced = Extract<PreparedToolCall, { readonly outcome: "bounced" }>;

export interface GroupedFailure {
  readonly tool: RepairTool | undefined;
  /** The tool's name as it may be shown. */
  readonly name: string;
  readonly block: ToolCall;
  readonly model: string;
  readonly prepared: Bounced;
}

const MAX_GROUPS = 2_000;
const MAX_PLACES = 6;
/** Calls of a group that are tried for a skeleton. */
const TRIES = 3;
const MAX_TEXT = 400;
const MAX_EXAMPLE = 2_000;

export class FailureGroups {
  readonly #groups = new Map<string, FailureGroup>();
  readonly #words = new WeakMap<RepairTool, ReadonlySet<string>>();
  readonly #keepsExample: boolean;

  constructor(keepsExample: boolean) {
    this.#keepsExample = keepsExample;
  }

  add(failure: GroupedFailure): void {
    const { tool, name, block, prepared } = failure;
    const places = this.#placesOf(prepared, tool);
    const key = JSON.stringify([name, places]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= MAX_GROUPS) return;
      group = { tool: name, places, count: 0, skeleton: "" };
      this.#groups.set(key, group);
      if (this.#keepsExample) group.example = exampleOf(block);
    }
    group.count++;
    if (group.skeleton === "" && group.count <= TRIES) group.skeleton = this.#skeletonOf(failure);
  }

  /** Most frequent first; equal counts by tool and places. */
  groups(): FailureGroup[] {
    return [...this.#groups.values()];
  }

  #placesOf({ failures, unreadable, unknownTool }: Bounced, tool: RepairTool | undefined): string[] {
    if (unknownTool) return ["unknownTool"];
    if (unreadable !== undefined) return [unreadable];
    const words = tool && this.#wordsOf(tool);
    const places = (failures ?? []).map((failure) => placeOf(failure, words));
    return [...new Set(places)].sort().slice(0, MAX_PLACES);
  }

  #wordsOf(tool: RepairTool): ReadonlySet<string> {
    const known = this.#words.get(tool) ?? knownWords(tool);
    this.#words.set(tool, known);
    return known;
  }

  #skeletonOf({ tool, name, block, model, prepared }: GroupedFailure): string {
    if (tool === undefined) return "";
    if (prepared.unreadable !== undefined) {
      const text = rawArgumentsText(block.argumentsError ?? "") ?? "";
      const ends = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 100)}${text.slice(-100)}`;
      return new PlaceholderText(this.#wordsOf(tool), "1").text(ends);
    }
    const skeleton = skeletonOf({ ...tool, name }, block.arguments, shownId(model));
    return skeleton?.verdict.outcome === "bounced" ? JSON.stringify(skeleton.call.args) : "";
  }
}

/** Adds the groups of one counting to those of another. */
export function addGroups(to: Map<string, FailureGroup>, groups: readonly FailureGroup[]): void {
  for (const group of groups) {
    const key = JSON.stringify([group.tool, group.places]);
    const own = to.get(key);
    if (own === undefined) to.set(key, { ...group });
    else {
      own.count += group.count;
      if (own.skeleton === "") own.skeleton = group.skeleton;
    }
  }
}

export function mostFrequent(groups: Iterable<FailureGroup>, most: number): FailureGroup[] {
  const name = ({ tool, places }: FailureGroup) => `${tool} ${places.join(" ")}`;
  return [...groups].sort((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1)).slice(0, most);
}

function placeOf({ path, keyword, required, got }: BounceFailure, words: ReadonlySet<string> | undefined): string {
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (/^\d+$/.test(key)) return "*";
      return words?.has(foldWord(key)) ? key : "?";
    });
  const place = `${steps.join(".") || "(root)"} got ${got}`;
  return keyword === "required" ? `required ${place}` : `${keyword} ${required ? "required" : "optional"} ${place}`;
}

function exampleOf({ name, arguments: args, argumentsError }: ToolCall): string {
  const text = rawArgumentsText(argumentsError ?? "") ?? JSON.stringify(args) ?? "";
  return `${name} ${text}`.slice(0, MAX_EXAMPLE);
}
