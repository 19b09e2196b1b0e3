// OVERRIDE of the package root.
// Replaces: agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue, runToolCall, Agent and the types of their
//   options: upstream's own, with the repair step in front of every call.
// Why: an embedder swaps the package name, and every call is prepared, taught and counted.
// Forwarded: everything else of @earendil-works/pi-agent-core 1.6.0.
// Drop when: pi-agent-core repairs tool calls before it validates them.
export * from "@earendil-works/pi-agent-core";
export { parseToolAction, type ToolHints } from "@pi-mend/ai/tool-repair";
export { Agent, type AgentOptions } from "./agent.ts";
export {
  agentLoop,
  agentLoopContinue,
  type RunToolCallOptions,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
} from "./agent-loop.ts";
export * from "./door.ts";
export { MEND_TELEMETRY_SCHEMA, telemetrySink } from "./outcome-telemetry.ts";
export type {
  AgentLoopConfig,
  LeakReport,
  StrongerModel,
  TeachOptions,
  ToolRepair,
  ToolRepairOptions,
} from "./tool-repair-options.ts";
