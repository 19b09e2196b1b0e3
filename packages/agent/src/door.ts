// What every door to a host is made of: the step that prepares calls, and the journal that follows them to their results.
export { CallJournal, type JournalOptions } from "./call-journal.ts";
export type { CallShape, ShapeNode } from "./call-shape.ts";
export { Continuations } from "./continuations.ts";
export { type Conversation, contentTexts, isQuotedFrom, textsOfMessage } from "./conversation.ts";
export { EXECUTION_LESSONS, type ExecutionLesson } from "./execution-lessons.ts";
export type { FinishedCall } from "./finished-call.ts";
export { LEAK_PROFILES, type RepairProfile } from "./leak-profiles.ts";
export { type LeakOutcome, type LeakSettings, withLeakedCalls } from "./leaked-message.ts";
export { leakedParts } from "./leaked-parts.ts";
export {
  type CallOrigin,
  type CallOutcome,
  type CallVerdict,
  type EscalationOutcome,
  type Executed,
  modesOf,
  type OutcomeEvent,
  type OutcomeSink,
  type Taught,
} from "./outcome.ts";
export { outgoingHistory } from "./outgoing-history.ts";
export {
  type BouncedToolCall,
  type BounceRecord,
  type PreparedMessage,
  type PreparedToolCall,
  type PrepareToolCallContext,
  prepareCalls,
  prepareMessage,
  prepareToolCall,
  type RepairedToolCall,
  type RepairRecord,
  type ToolLookup,
} from "./prepare-tool-call.ts";
export { RepairSession } from "./repair-session.ts";
export { TeachNotes } from "./teach-note.ts";
