// Public surface of the repair core, importable without pi-ai (`@pi-mend/ai/tool-repair`).

export { formatBounce } from "./bounce.ts";
export { defineToolHints, toolHintsProblems } from "./define-tool-hints.ts";
export { ENVELOPE_FORMS, type EnvelopeForm, envelopeForm, printEnvelope } from "./envelope-forms.ts";
export { isBlankText } from "./grammars/invisible.ts";
export type {
  LeakedCall,
  LeakedCallOptions,
  LeakedCalls,
  LeakedMessage,
  RefusedCall,
} from "./grammars/leaked-calls.ts";
export { createMarkupFilter, type MarkupFilter } from "./grammars/markup-filter.ts";
export { isQuotation, type QuotationOptions } from "./grammars/quotation.ts";
export { readLeakedCalls } from "./grammars/read-leaked-calls.ts";
export { isJsonObject } from "./json-value.ts";
export {
  type ParsedToolAction,
  parseToolAction,
} from "./parse-tool-action.ts";
export { rawArgumentsText } from "./raw-arguments-text.ts";
export {
  FORGIVEN,
  type ReadOptions,
  type ReadResult,
  readLenientJson,
  readRawArguments,
} from "./read-raw-arguments.ts";
export { REPAIRS, type RepairName } from "./registry.ts";
export { type PrimerTool, renderPrimer, renderToolLine } from "./render-primer.ts";
export { repairToolArguments } from "./repairer.ts";
export { resolveToolName } from "./resolve-tool-name.ts";
export { callSkeleton } from "./schema-skeleton.ts";
export { isStepRepair, STEP_REPAIRS, type StepRepairName, stepNote } from "./step-repairs.ts";
export { pairingPart, synthesizeIds } from "./synthesize-ids.ts";
export {
  parseTextToolCalls,
  type RefusedEnvelope,
  type TextProtocolOptions,
  type TextToolCall,
  type TextToolCalls,
} from "./text-protocol.ts";
export type * from "./types.ts";
export { unreadableClause, unreadableReason } from "./unreadable-arguments.ts";
