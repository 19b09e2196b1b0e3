// Public surface of the repair core, importable without pi-ai (`@pi-mend/ai/tool-repair`).

export { formatBounce } from "./bounce.ts";
export { defineToolHints, toolHintsProblems } from "./define-tool-hints.ts";
export {
  type ParsedToolAction,
  parseToolAction,
} from "./parse-tool-action.ts";
export {
  FORGIVEN,
  type ReadOptions,
  type ReadResult,
  readLenientJson,
  readRawArguments,
} from "./read-raw-arguments.ts";
export { REPAIRS, type RepairName } from "./registry.ts";
export { repairToolArguments } from "./repairer.ts";
export { resolveToolName } from "./resolve-tool-name.ts";
export { callSkeleton } from "./schema-skeleton.ts";
export { synthesizeIds } from "./synthesize-ids.ts";
export type * from "./types.ts";
