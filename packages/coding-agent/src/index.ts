// OVERRIDE of the package root, in path only: pi's own index is untouched and stays the host.
// Replaces: nothing; this is the factory that pi calls once for every session runtime.
// Why: pi loads an extension by its default export.
// Forwarded: nothing.
// Drop when: pi repairs tool calls before it validates them.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { OutcomeSink } from "@pi-mend/agent/door";
import { registerCommand } from "./core/register-command.ts";
import { registerLiveText } from "./core/register-live-text.ts";
import { registerMarkers } from "./core/register-markers.ts";
import { registerMemory } from "./core/register-memory.ts";
import { registerRepair } from "./core/register-repair.ts";
import { registerTextCalls } from "./core/register-text-calls.ts";
import { registerTextMode } from "./core/register-text-mode.ts";
import { toolsNow } from "./core/tools-now.ts";
import { isSwitchedOff } from "./settings/switched-off.ts";

/** Registers pi-mend's handlers. `PI_MEND=off` registers nothing, which leaves pi as it is. */
export default function piMend(pi: ExtensionAPI): void {
  if (isSwitchedOff(process.env)) return;
  const sinks: OutcomeSink[] = [];
  const tools = toolsNow(pi);
  // Memory first: its settings hold before the repair step asks for them.
  const memory = registerMemory(pi, {
    onOutcomeSource: (sink) => sinks.push(sink),
    onRules: (modes) => repair.rules(modes),
  });
  // Before the repair step: what was text becomes a call there.
  const textMode = registerTextMode(pi, {
    tools,
    usesText: ({ provider, id }) => {
      const { textProtocol, textModels } = memory.settings();
      return textProtocol && (textModels.includes("*") || textModels.includes(`${provider}/${id}`));
    },
  });
  registerTextCalls(pi, { tools, settings: memory.settings, isTextMode: textMode.isOn });
  registerLiveText(pi, { tools, settings: memory.settings, isTextMode: textMode.isOn });
  const repair = registerRepair(pi, { tools, settings: memory.settings, sinks });
  // Behind the repair step: markers read the messages that it leaves.
  registerMarkers(pi, { settings: memory.settings });
  registerCommand(pi, { memory, tools });
}
