// OVERRIDE of @earendil-works/pi-ai/src/index.ts
// Replaces: validateToolArguments, validateToolCall (see utils/validation.ts).
// Why: an embedder swaps the package name and every tool call is validated, then repaired, then bounced.
// Forwarded: everything else upstream exports, unchanged.
// Drop when: upstream has the same layer.

export * from "@earendil-works/pi-ai";
export { formatBounce } from "./utils/tool-repair/bounce.ts";
export { defineToolHints, toolHintsProblems } from "./utils/tool-repair/define-tool-hints.ts";
export { type ParsedToolAction, parseToolAction } from "./utils/tool-repair/parse-tool-action.ts";
export {
  FORGIVEN,
  type ForgivenName,
  type ReadOptions,
  type ReadResult,
  readLenientJson,
  readRawArguments,
} from "./utils/tool-repair/read-raw-arguments.ts";
export { REPAIRS, type RepairName } from "./utils/tool-repair/registry.ts";
export { repairToolArguments } from "./utils/tool-repair/repairer.ts";
export type {
  AppliedRepair,
  BounceFailure,
  Expect,
  Got,
  RepairOptions,
  RepairResult,
  RepairTool,
  ToolHints,
} from "./utils/tool-repair/types.ts";
export { type HintedTool, ToolArgumentsError, validateToolArguments, validateToolCall } from "./utils/validation.ts";
