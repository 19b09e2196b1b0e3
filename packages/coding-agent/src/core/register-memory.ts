// Wires settings, telemetry, failure records and learned rules to pi's hooks. Runs once per session runtime, beside the
// repair hooks, and only hears of their outcomes. Never lets an error out, never waits for the disk while a model works.

import { existsSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { AdaptationStore } from "../memory/adaptation/adaptation-store.ts";
import { memoryPaths } from "../memory/memory-paths.ts";
import type { LeakEvent, MemorySink } from "../memory/outcome-event.ts";
import type { Recorder, RecorderOptions } from "../memory/recorder.ts";
import { modelKey, safeSession } from "../memory/safe-name.ts";
import { type ResolvedSettings, resolveSettings, type Settings } from "../settings/resolve-settings.ts";
import { setAsideSettings } from "../settings/set-aside-settings.ts";
import { attempt, attemptLater } from "./attempt.ts";
import { type LatePart, latePart, loadLatePartSoon, withLatePart } from "./load-late-part.ts";
import type { ModelName } from "./register-text-mode.ts";
import { tellUser } from "./tell-user.ts";

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
  /** What was learned about each model. `undefined` before the session starts. */
  readonly adaptation: () => Promise<AdaptationStore | undefined>;
  /** What calibration found about a model. Loads nothing where nothing was ever learned. */
  readonly protocol: (model: ModelName) => Promise<string | undefined>;
  /** Counts a message that held calls as text. */
  readonly recordLeak: (event: LeakEvent) => void;
  /** Writes what was counted so far. */
  readonly flush: () => Promise<void>;
}

/** The section of the system prompt. */
const RULES_SECTION = "tool_call_rules";
/** How long the end of a session may wait for other processes. */
const SHUTDOWN_WAIT_MS = 2_000;

export function registerMemory(pi: ExtensionAPI, sources: MemorySources): Memory {
  const { now = Date.now, env = process.env } = sources;
  let place = { env, cwd: process.cwd(), trusted: false };
  let resolved: ResolvedSettings | undefined;
  let session: Omit<RecorderOptions, "host"> | undefined;
  let recorder: Recorder | undefined;
  const settings = () => {
    resolved ??= resolveSettings(place);
    return resolved;
  };

  /** The recorder of the session, made when there is something to record or to read. */
  const recorderOf = (part: LatePart): Recorder | undefined => {
    if (session !== undefined) recorder ??= new part.Recorder({ ...session, host: part.HOST });
    return recorder;
  };

  /** Whether anything was learned about any model. Looked at when a session or a run begins, not for every request. */
  let hasLearned = false;
  const lookForLearned = () => {
    hasLearned = session !== undefined && existsSync(session.paths.adaptation);
  };
  const adaptation = async () => recorderOf(await latePart())?.adaptation;

  sources.onOutcomeSource((event, detail) => recorder?.record(event, detail));

  pi.on("session_start", (_event, ctx) =>
    attempt(() => {
      place = { env, cwd: ctx.cwd, trusted: ctx.isProjectTrusted() };
      const moved = setAsideSettings(memoryPaths(env, ctx.cwd), now());
      resolved = resolveSettings(place);
      const warn = (warning: string) => tellUser(ctx, warning);
      for (const warning of [...moved, ...resolved.warnings]) warn(warning);
      recorder = undefined;
      session = {
        paths: resolved.paths,
        session: safeSession(ctx.sessionManager.getSessionId()),
        now,
        isTool: toolNames(pi),
        switches: () => settings().settings,
        print: (line) => void process.stderr.write(`${line}\n`),
        warn,
      };
      lookForLearned();
      loadLatePartSoon();
    }),
  );

  // Before a call of the message can have an outcome.
  pi.on("message_start", ({ message }) =>
    message.role === "assistant" ? withLatePart((part) => void recorderOf(part)) : undefined,
  );

  // What a tool called itself stands on its result; those calls pass none of the hooks that see a model's.
  pi.on("message_end", ({ message }, ctx) => {
    const calls = message.role === "toolResult" ? message.nestedCalls?.calls : undefined;
    if (calls === undefined) return;
    const { model } = ctx;
    if (model !== undefined) {
      recorder?.recordNested({ provider: model.provider, model: model.id, api: model.api, calls });
    }
  });

  pi.on("before_agent_start", (event, ctx) =>
    attemptLater(async () => {
      const { sections } = event.systemPromptOptions;
      const model = ctx.model;
      lookForLearned();
      const part = hasLearned && settings().settings.rules ? await latePart() : undefined;
      const learned = part && recorderOf(part)?.adaptation;
      const rules = (model && learned?.rules(modelKey(model.provider, model.id))) ?? [];
      const modes = rules.map((rule) => rule.mode);
      const section = part?.rulesSection(modes);
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
    adaptation,
    protocol: async ({ provider, id }) =>
      hasLearned ? (await adaptation())?.protocol(modelKey(provider, id))?.verdict : undefined,
    recordLeak: (event) => recorder?.recordLeak(event),
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
