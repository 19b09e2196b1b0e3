// OVERRIDE of the package root.
// Replaces: nothing yet; every name of @earendil-works/pi-agent-core passes through unchanged.
// Why: one import gives the agent core and the repair step that its hosts put in front of it.
// Forwarded: all of @earendil-works/pi-agent-core 1.6.0.
// Drop when: pi-agent-core repairs tool calls before it validates them.
export * from "@earendil-works/pi-agent-core";
export {
  type PreparedMessage,
  type PreparedToolCall,
  type PrepareToolCallContext,
  prepareMessage,
  prepareToolCall,
  type RepairedToolCall,
  type RepairRecord,
  type ToolLookup,
} from "./prepare-tool-call.ts";
export { TeachNotes } from "./teach-note.ts";
