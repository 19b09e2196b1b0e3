// What works on calls, texts and memory: everything that pi's start has no use for. Loaded by `load-late-part.ts`; the hooks
// that pi is given at its start import it no other way. Names only, nothing runs here.

export { Continuations, outgoingHistory, withLeakedCalls } from "@pi-mend/agent/door";
export { renderPrimer, resolveToolName, toolHintsProblems } from "@pi-mend/ai/tool-repair";
export { HOST } from "../memory/adaptation/adaptation-store.ts";
export { rulesSection } from "../memory/adaptation/rule-sentence.ts";
export { Recorder } from "../memory/recorder.ts";
export { SETTING_NAMES, settingChoices } from "../settings/settings-store.ts";
export { conversationOf } from "../text-calls/conversation.ts";
export { GrowingText } from "../text-calls/growing-text.ts";
export { textForm } from "../text-calls/text-form.ts";
export { asTextMode } from "../text-calls/text-mode-context.ts";
export { withTextCalls } from "../text-calls/text-mode-message.ts";
export { lastRepair, lastRepairText } from "../tui/last-repair.ts";
export { SettingsMenu } from "../tui/settings-menu.ts";
export { calibrateCommand } from "./calibration-command.ts";
export { liveTools } from "./live-tools.ts";
export { deliverRefusal, dropRefusal, mendAssistant } from "./message-end.ts";
export { SessionRepairs } from "./session-repairs.ts";
export { mendBuiltin } from "./tool-hints-repair.ts";
export { appendTeachNote } from "./tool-result.ts";
