// One tool call that a worker or sub-agent printed as JSON: which tool it names, and its arguments through the same
// reader and the same repair path as any other call. Runs on demand. Never runs the tool, and never picks one of two
// readings.
import { formatBounce } from "./bounce.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { readLenientJson } from "./read-raw-arguments.ts";
import { repairToolArguments } from "./repairer.ts";
import { resolveToolName } from "./resolve-tool-name.ts";
import type { AppliedRepair, ForgivenName, RepairOptions, RepairResult, RepairTool } from "./types.ts";

/**
 * The action. `clean` was exact; `repaired` says what was mended in name, text or arguments; `bounced` is a message for
 * the worker, without a value that it sent, and the tool where one was named.
 */
export type ParsedToolAction =
  | { readonly outcome: "clean"; readonly name: string; readonly args: JsonObject }
  | {
      readonly outcome: "repaired";
      readonly name: string;
      readonly args: JsonObject;
      readonly repairs: readonly AppliedRepair[];
      readonly forgiven: readonly ForgivenName[];
    }
  | { readonly outcome: "bounced"; readonly name?: string; readonly message: string };

const NAME_KEYS = ["name", "tool", "tool_name", "toolName", "action", "function"];
const ARGUMENT_KEYS = ["arguments", "args", "parameters", "params", "input", "action_input", "tool_input"];
/** Keys around an action that say nothing about it. */
const REMARKS = new Set(["id", "type", "thought", "thoughts", "reasoning", "reason", "explanation"]);
const ONE_ACTION =
  'Print exactly one JSON object of this shape: {"name": "<tool>", "arguments": {<the tool\'s fields>}}.';

interface Reading {
  readonly args: unknown;
  readonly forgiven: readonly ForgivenName[];
}

/**
 * Reads one action from `text`.
 *
 * @param tools the tools that may be called; lists, sets and `Map.values()` fit
 * @returns never throws for anything a worker printed. Where the arguments stand beside the name they are read flat.
 */
export function parseToolAction(text: string, tools: Iterable<RepairTool>, options?: RepairOptions): ParsedToolAction {
  const byName = new Map<string, RepairTool>();
  for (const tool of tools) byName.set(tool.name, tool);
  const read = readLenientJson(text);
  if (!read.ok) return { outcome: "bounced", message: `No action could be read (${read.reason}). ${ONE_ACTION}` };
  const action = unwrapped(read.value, byName);
  if (action === undefined) return { outcome: "bounced", message: ONE_ACTION };

  const named = namedTool(action, byName);
  if (named.outcome === "bounced") return named;
  const tool = byName.get(named.name) as RepairTool;
  const results: { readonly reading: Reading; readonly result: RepairResult }[] = [];
  for (const reading of readingsOf(named.rest, tool)) {
    results.push({ reading, result: repairToolArguments(tool, reading.args, options) });
  }
  const clean = results.filter(({ result }) => result.outcome === "clean");
  const runnable = clean.length > 0 ? clean : results.filter(({ result }) => result.outcome === "repaired");
  const chosen = runnable.length === 1 ? runnable[0] : undefined;
  if (chosen === undefined) return bounced(tool, results[0]?.result, runnable.length > 1);

  const { reading, result } = chosen;
  if (result.outcome === "bounced" || !isJsonObject(result.args)) return bounced(tool, undefined, false);
  const forgiven = [...new Set([...read.forgiven, ...reading.forgiven])];
  const repairs = [...named.repairs, ...(result.outcome === "repaired" ? result.repairs : [])];
  if (repairs.length === 0 && forgiven.length === 0) return { outcome: "clean", name: tool.name, args: result.args };
  return { outcome: "repaired", name: tool.name, args: result.args, repairs, forgiven };
}

/** The object of the action, out of a list of one, a `tool_calls` envelope or a `function` object. */
function unwrapped(value: unknown, tools: ReadonlyMap<string, RepairTool>): JsonObject | undefined {
  let at = value;
  for (let depth = 0; depth < 4; depth++) {
    if (Array.isArray(at)) {
      if (at.length !== 1) return undefined;
      at = at[0];
      continue;
    }
    if (!isJsonObject(at)) return undefined;
    const keys = Object.keys(at).filter((key) => !REMARKS.has(key));
    const [only] = keys;
    if (keys.length !== 1 || only === undefined) return at;
    const inner: unknown = at[only];
    if (only === "tool_calls" || (only === "function" && isJsonObject(inner))) at = inner;
    else if (isJsonObject(inner) && !NAME_KEYS.includes(only) && resolveToolName(only, tools).outcome !== "bounced") {
      return { name: only, arguments: inner };
    } else return at;
  }
  return undefined;
}

type NamedTool =
  | { readonly outcome: "named"; readonly name: string; readonly rest: JsonObject; readonly repairs: AppliedRepair[] }
  | { readonly outcome: "bounced"; readonly message: string };

/** The tool that the action names: the one key that holds a tool's name. */
function namedTool(action: JsonObject, tools: ReadonlyMap<string, RepairTool>): NamedTool {
  const present = NAME_KEYS.filter((key) => Object.hasOwn(action, key) && typeof action[key] === "string");
  const fits = (outcome: string) => present.filter((key) => resolveToolName(action[key], tools).outcome === outcome);
  const exact = fits("clean");
  const found = exact.length > 0 ? exact : fits("repaired");
  const [key] = found;
  if (key === undefined || found.length > 1) {
    const refusal = resolveToolName(found.length > 1 ? undefined : action[present[0] ?? ""], tools);
    return { outcome: "bounced", message: refusal.outcome === "bounced" ? refusal.message : ONE_ACTION };
  }
  const resolved = resolveToolName(action[key], tools);
  if (resolved.outcome === "bounced") return resolved;
  const { [key]: _name, ...rest } = action;
  const note = `the tool name was not exact → \`${resolved.name}\``;
  const repairs = resolved.outcome === "clean" ? [] : [{ name: "toolNameResolved", path: "", note }];
  return { outcome: "named", name: resolved.name, rest, repairs };
}

/** What the arguments may be: what one argument key holds, or the fields beside the name. */
function* readingsOf(rest: JsonObject, tool: RepairTool): Iterable<Reading> {
  const containers = ARGUMENT_KEYS.filter((key) => Object.hasOwn(rest, key));
  const [container] = containers;
  const others = Object.keys(rest).filter((key) => !REMARKS.has(key) && key !== container);
  if (container !== undefined && others.length === 0) {
    const held = rest[container];
    if (typeof held !== "string") yield { args: held ?? {}, forgiven: [] };
    else {
      const read = readLenientJson(held, { toolName: tool.name });
      if (read.ok && typeof read.value === "object") yield { args: read.value ?? {}, forgiven: read.forgiven };
      else if (!/^\s*[{[]/.test(held)) yield { args: held, forgiven: [] };
    }
    // A tool may have a field of that name.
    if (!declares(tool, container)) return;
  }
  const flat = Object.entries(rest).filter(([key]) => !REMARKS.has(key) || declares(tool, key));
  yield { args: Object.fromEntries(flat), forgiven: [] };
}

function declares(tool: RepairTool, key: string): boolean {
  const properties = isJsonObject(tool.parameters) ? tool.parameters["properties"] : undefined;
  return isJsonObject(properties) && Object.hasOwn(properties, key);
}

function bounced(tool: RepairTool, result: RepairResult | undefined, ambiguous: boolean): ParsedToolAction {
  if (ambiguous) return { outcome: "bounced", name: tool.name, message: `The action has two readings. ${ONE_ACTION}` };
  const message = result?.outcome === "bounced" ? formatBounce(result, tool) : ONE_ACTION;
  return { outcome: "bounced", name: tool.name, message };
}
