// OVERRIDE of @earendil-works/pi-ai/src/index.ts
// Replaces: validateToolArguments, validateToolCall (see utils/validation.ts).
// Why: an embedder swaps the package name and every tool call is validated, then repaired, then bounced.
// Forwarded: everything else upstream exports, unchanged.
// Drop when: upstream has the same layer.

export * from "@earendil-works/pi-ai";
export { guardStream } from "./utils/stream-guard/guard-stream.ts";
export { guardFinalMessage } from "./utils/stream-guard/settle-message.ts";
export { formatBounce } from "./utils/tool-repair/bounce.ts";
export { defineToolHints, toolHintsProblems } from "./utils/tool-repair/define-tool-hints.ts";
export { createMarkupFilter, type MarkupFilter } from "./utils/tool-repair/grammars/markup-filter.ts";
export { isQuotation } from "./utils/tool-repair/grammars/quotation.ts";
export { readLeakedCalls } from "./utils/tool-repair/grammars/read-leaked-calls.ts";
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
export { renderPrimer } from "./utils/tool-repair/render-primer.ts";
export { repairToolArguments } from "./utils/tool-repair/repairer.ts";
export { synthesizeIds } from "./utils/tool-repair/synthesize-ids.ts";
export { parseTextToolCalls } from "./utils/tool-repair/text-protocol.ts";
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
