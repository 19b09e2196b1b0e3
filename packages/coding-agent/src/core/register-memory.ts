// Wires settings, telemetry, failure records and learned rules to pi's hooks. Runs once per session runtime, beside the
// repair hooks, and only hears of their outcomes. Never lets an error out, never waits for the disk while a model works.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { HOST } from "../memory/adaptation/adaptation-store.ts";
import { RULES_SECTION, rulesSection } from "../memory/adaptation/rule-sentence.ts";
import type { MemorySink } from "../memory/outcome-event.ts";
import { Recorder } from "../memory/recorder.ts";
import { modelKey } from "../memory/safe-name.ts";
import { type ResolvedSettings, resolveSettings, type Settings } from "../settings/resolve-settings.ts";
import { attempt } from "./attempt.ts";
import { tell } from "./tell.ts";

export interface MemorySources {
  /** Subscribes to the outcomes of calls. Called once, now. */
  readonly onOutcomeSource: (sink: MemorySink) => void;
  /** Hears which modes the system prompt of the next run has rules for. */
  readonly onRules?: (modes: readonly string[]) => void;
  readonly now?: () => number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What the rest of the extension sees of settings and memory. */
export interface Memory {
  /** The settings that hold now. Before the session starts, without those of the project. */
  readonly settings: () => Settings;
  readonly resolved: () => ResolvedSettings;
  /** Reads the settings again, as after a change in the menu. */
  readonly reload: () => ResolvedSettings;
  /** Writes what was counted so far. */
  readonly flush: () => Promise<void>;
}

/** How long the end of a session may wait for other processes. */
const SHUTDOWN_WAIT_MS = 2_000;

export function registerMemory(pi: ExtensionAPI, sources: MemorySources): Memory {
  const { now = Date.now, env = process.env } = sources;
  let place = { env, cwd: process.cwd(), trusted: false };
  let resolved: ResolvedSettings | undefined;
  let recorder: Recorder | undefined;
  const settings = () => {
    resolved ??= resolveSettings(place);
    return resolved;
  };

  sources.onOutcomeSource((event, detail) => recorder?.record(event, detail));

  pi.on("session_start", (_event, ctx) =>
    attempt(() => {
      place = { env, cwd: ctx.cwd, trusted: ctx.isProjectTrusted() };
      resolved = resolveSettings(place);
      const warn = (warning: string) => tell(ctx, warning);
      for (const warning of resolved.warnings) warn(warning);
      recorder = new Recorder({
        paths: resolved.paths,
        session: ctx.sessionManager.getSessionId().slice(-12) || "session",
        host: HOST,
        now,
        isTool: toolNames(pi),
        switches: () => settings().settings,
        print: (line) => void process.stderr.write(`${line}\n`),
        warn,
      });
    }),
  );

  pi.on("before_agent_start", (event, ctx) =>
    attempt(() => {
      const { sections } = event.systemPromptOptions;
      const model = ctx.model;
      const isOn = settings().settings.rules && model !== undefined && recorder !== undefined;
      const rules = isOn ? recorder!.adaptation.rules(modelKey(model!.provider, model!.id)) : [];
      const modes = rules.map((rule) => rule.mode);
      const section = rulesSection(modes);
      if (section === undefined) delete sections[RULES_SECTION];
      else sections[RULES_SECTION] = section;
      sources.onRules?.(modes);
    }),
  );

  pi.on("agent_end", () => void attempt(() => recorder?.flush()));

  pi.on("session_shutdown", async () => {
    await recorder?.close(SHUTDOWN_WAIT_MS);
  });

  return {
    settings: () => settings().settings,
    resolved: settings,
    reload: () => {
      resolved = resolveSettings(place);
      return resolved;
    },
    flush: async () => recorder?.flush(),
  };
}

/** Knows the names of pi's tools; asked again only for a name that is new. */
function toolNames(pi: ExtensionAPI): (name: string) => boolean {
  let names = new Set<string>();
  return (name) => {
    if (names.has(name)) return true;
    names = new Set(pi.getAllTools().map((tool) => tool.name));
    return names.has(name);
  };
}
