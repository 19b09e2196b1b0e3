// OVERRIDE of the package root, in path only: pi's own index is untouched and stays the host.
// Replaces: nothing; this is the factory that pi calls once for every session runtime.
// Why: pi loads an extension by its default export.
// Forwarded: nothing.
// Drop when: pi repairs tool calls before it validates them.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { OutcomeSink } from "@pi-mend/agent/door";
import { attempt } from "./core/attempt.ts";
import { latePart } from "./core/load-late-part.ts";
import { stayPassive } from "./core/passive.ts";
import { registerCalibrationOffer } from "./core/register-calibration-offer.ts";
import { registerCommand } from "./core/register-command.ts";
import { registerLiveText } from "./core/register-live-text.ts";
import { registerMarkers } from "./core/register-markers.ts";
import { registerMemory } from "./core/register-memory.ts";
import { registerRepair } from "./core/register-repair.ts";
import { registerTextCalls } from "./core/register-text-calls.ts";
import { registerTextMode } from "./core/register-text-mode.ts";
import { shared } from "./core/shared-state.ts";
import { isSupportedPi } from "./core/supported-pi.ts";
import { toolsNow } from "./core/tools-now.ts";
import { isSwitchedOff } from "./settings/switched-off.ts";

/**
 * Registers pi-mend's handlers. `PI_MEND=off` registers nothing, which leaves pi as it is; so does a pi that is not supported,
 * but for one warning. Never throws: pi does not start with an extension that does.
 */
export default function piMend(pi: ExtensionAPI): void {
  if (isSwitchedOff(process.env)) return;
  const { hostVersion } = shared;
  if (hostVersion !== undefined && !isSupportedPi(hostVersion)) stayPassive(pi, hostVersion);
  else attempt(() => register(pi));
}

function register(pi: ExtensionAPI): void {
  const sinks: OutcomeSink[] = [];
  const tools = toolsNow(pi);
  // Memory first: its settings hold before the repair step asks for them.
  const memory = registerMemory(pi, {
    onOutcomeSource: (sink) => sinks.push(sink),
    onRules: (modes) => repair.rules(modes),
  });
  const offer = registerCalibrationOffer(pi, memory);
  sinks.push(offer.onOutcome);
  // Before the repair step: what was text becomes a call there.
  const textMode = registerTextMode(pi, {
    tools,
    formOf: async (model) => {
      const verdict = await memory.protocol(model);
      // Nothing asks for text: nothing to load.
      if (verdict === undefined && !memory.settings().textProtocol) return undefined;
      const { textForm } = await latePart();
      return textForm(memory.resolved(), `${model.provider}/${model.id}`, verdict);
    },
  });
  registerTextCalls(pi, {
    tools,
    settings: memory.settings,
    isTextMode: textMode.isOn,
    onLeak: (leak) => {
      memory.recordLeak(leak);
      offer.onLeak(leak);
    },
  });
  registerLiveText(pi, { tools, settings: memory.settings, isTextMode: textMode.isOn });
  const repair = registerRepair(pi, { tools, settings: memory.settings, sinks });
  // Behind the repair step: markers read the messages that it leaves.
  attempt(() => registerMarkers(pi, { settings: memory.settings }));
  attempt(() => registerCommand(pi, { memory, tools }));
}
