// The schemas of pi's built-in tools by release, for sessions from before transcripts declared their tools. Data, and the
// choice by time. Only `edit` ever changed.
import type { ToolLookup } from "@pi-mend/agent/prepare-tool-call";
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import { builtinToolHints } from "../core/tool-hints.ts";
import type { Toolset } from "./turn.ts";

const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const FLAG = { type: "boolean" };

function object(required: readonly string[], properties: Record<string, object>, closed = false): object {
  return { type: "object", required, properties, ...(closed && { additionalProperties: false }) };
}

const COMMAND = object(["command"], { command: TEXT, timeout: NUMBER });
const UNCHANGED: Readonly<Record<string, object>> = {
  read: object(["path"], { path: TEXT, offset: NUMBER, limit: NUMBER }),
  write: object(["path", "content"], { path: TEXT, content: TEXT }),
  bash: COMMAND,
  powershell: COMMAND,
  grep: object(["pattern"], {
    ...{ pattern: TEXT, path: TEXT, glob: TEXT, ignoreCase: FLAG, literal: FLAG, context: NUMBER, limit: NUMBER },
  }),
  find: object(["pattern"], { pattern: TEXT, path: TEXT, limit: NUMBER }),
  ls: object([], { path: TEXT, limit: NUMBER }),
};

const PAIR = { oldText: TEXT, newText: TEXT };
const edits = (closed: boolean) => ({ type: "array", items: object(["oldText", "newText"], PAIR, closed) });

/** pi's `edit`, newest first: the day its release came out, and the parameters it had from then on. */
const EDIT: readonly (readonly [string, object])[] = [
  // 0.80.5: extra keys are allowed
  ["2026-07-09", object(["path", "edits"], { path: TEXT, edits: edits(false) })],
  // 0.63.2: lists only
  ["2026-03-29", object(["path", "edits"], { path: TEXT, edits: edits(true) }, true)],
  // 0.63.0: one pair or a list
  ["2026-03-27", object(["path"], { path: TEXT, ...PAIR, edits: edits(true) }, true)],
  ["1970-01-01", object(["path", "oldText", "newText"], { path: TEXT, ...PAIR })],
];

const hintsOf = (name: string, parameters: object) => {
  const hints = Object.hasOwn(builtinToolHints, name) ? builtinToolHints[name] : undefined;
  // The hints of `edit` are about its list.
  const isFlat = name === "edit" && !Object.hasOwn((parameters as { properties: object }).properties, "edits");
  return isFlat ? { ...FLAT_EDIT_HINTS } : hints;
};

const { aliases = {}, pathFields = [], modelGates = {} } = builtinToolHints["edit"] ?? {};
const FLAT_EDIT_HINTS = {
  aliases: {
    path: aliases["path"] ?? [],
    oldText: aliases["edits[].oldText"] ?? [],
    newText: aliases["edits[].newText"] ?? [],
  },
  pathFields,
  modelGates,
};

const RELEASES = EDIT.map(([day, edit]) => ({ from: Date.parse(day), lookup: lookupOf({ ...UNCHANGED, edit }) }));

function lookupOf(tools: Readonly<Record<string, object>>): ToolLookup {
  return new Map(
    Object.entries(tools).map(([name, parameters]): [string, RepairTool] => [
      name,
      { name, parameters, hints: hintsOf(name, parameters) },
    ]),
  );
}

const TOOLSETS: readonly (Toolset & { readonly from: number })[] = RELEASES.map(({ from, lookup }) => ({
  from,
  lookup,
  isDeclared: false,
  others: RELEASES.filter((release) => release.lookup !== lookup).map((release) => release.lookup),
}));

/** The built-in tools of the release that was current at a time; the newest for a time that is unknown. */
export function builtinToolsAt(at: number): Toolset {
  return TOOLSETS.find(({ from }) => at === 0 || at >= from) ?? (TOOLSETS[TOOLSETS.length - 1] as Toolset);
}

/** The hints of a built-in tool, for a declared tool of that name whose fields are the built-in's in some release. */
export function builtinHints(name: string, parameters: unknown): RepairTool["hints"] {
  const fields = fieldsOf(parameters);
  if (fields === undefined) return undefined;
  for (const { lookup } of RELEASES) {
    const tool = lookup.get(name);
    if (tool !== undefined && fieldsOf(tool.parameters) === fields) return tool.hints;
  }
  return undefined;
}

/** The names of the fields, required ones marked, as one text. */
function fieldsOf(parameters: unknown): string | undefined {
  const { properties, required } = (parameters ?? {}) as { properties?: unknown; required?: unknown };
  if (typeof properties !== "object" || properties === null) return undefined;
  const due = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties)
    .map((name) => (due.has(name) ? `${name}!` : name))
    .sort()
    .join(" ");
}
