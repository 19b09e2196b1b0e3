// `/mend`: the settings menu, and the shell command's words inside pi. Says the same in every mode; only where it says it
// differs. Loads the commands when they are used.
import { basename, sep } from "node:path";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { ExitCode, Shell } from "../cli/shell.ts";
import type { SettingName } from "../settings/settings-store.ts";
import { completions, MEND_WORDS, splitWords } from "../tui/command-words.ts";
import { hostTui } from "../tui/host-tui.ts";
import type { SettingsMenu } from "../tui/settings-menu.ts";
import { latePart } from "./load-late-part.ts";
import type { Memory } from "./register-memory.ts";
import type { ToolsNow } from "./tools-now.ts";

export interface CommandHost {
  readonly memory: Memory;
  readonly tools: ToolsNow;
  readonly now?: () => number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Type of the session entry that carries the answer in JSON mode, where every line of output is an event. */
export const ANSWER_ENTRY = "pi-mend";

/** How long a list of models serves the completions. */
const MODELS_MS = 5_000;

export function registerCommand(
  pi: ExtensionAPI,
  { memory, tools, now = Date.now, env = process.env }: CommandHost,
): void {
  const shellIn = (cwd: string, trusted: boolean, say: (text: string) => void): Shell => ({
    ...{ env, cwd, now, trusted },
    write: say,
    warn: say,
  });

  const answer = async (words: readonly string[], ctx: ExtensionCommandContext): Promise<Answer> => {
    const pieces: string[] = [];
    const shell = shellIn(ctx.cwd, ctx.isProjectTrusted(), (text) => void pieces.push(text));
    if (!Object.hasOwn(MEND_WORDS, words[0] ?? "")) return { code: 2, text: usage() };
    if (words[0] === "last") return { code: 0, text: await lastText(ctx) };
    await memory.flush();
    if (words[0] === "calibrate") return (await latePart()).calibrateCommand(words.slice(1), ctx, memory);
    const code = await run(withHostPi(words), shell);
    if (words[0] === "settings") memory.reload();
    return { code, text: pieces.join("").trimEnd() };
  };

  const lastText = async (ctx: ExtensionCommandContext): Promise<string> => {
    const part = await latePart();
    const messages = ctx.sessionManager
      .getBranch()
      .flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
    const last = part.lastRepair(messages);
    return last === undefined
      ? "No call of this session was repaired"
      : part.lastRepairText(last, tools.now(part).lookup);
  };

  const openMenu = async (ctx: ExtensionCommandContext): Promise<boolean> => {
    const tui = hostTui();
    if (ctx.mode !== "tui" || tui === undefined) return false;
    const part = await latePart();
    let menu: SettingsMenu | undefined;
    await ctx.ui.custom<undefined>((screen, theme, _keys, done) => {
      const { resolved, reload } = memory;
      const redraw = () => screen.requestRender();
      menu = new part.SettingsMenu({ tui, theme, resolved, reload, redraw, now, close: () => done(undefined) });
      return menu;
    });
    await menu?.written();
    return true;
  };

  let known: { readonly at: number; readonly models: readonly KnownModel[] } | undefined;
  const models = async (): Promise<readonly KnownModel[]> => {
    if (known === undefined || now() - known.at > MODELS_MS) {
      known = { at: now(), models: await knownModels(shellIn(process.cwd(), false, () => {})) };
    }
    return known.models;
  };

  let available = (): readonly string[] => [];
  pi.on("session_start", (_event, { modelRegistry }) => {
    available = () => modelRegistry.getAvailable().map(({ provider, id }) => `${provider}/${id}`);
  });

  pi.registerCommand("mend", {
    description: "Settings of pi-mend; health, rules, forget, last, calibrate, report, doctor",
    getArgumentCompletions: async (line) => {
      const { SETTING_NAMES, settingChoices } = await latePart();
      return completions(line, {
        models: async () => (await models()).map(({ model }) => model),
        available: () => available(),
        modes: async (name) => (await models()).find(({ model }) => model === name)?.modes ?? [],
        settings: SETTING_NAMES,
        choices: (name) =>
          (SETTING_NAMES as readonly string[]).includes(name) ? settingChoices(name as SettingName) : [],
      });
    },
    handler: async (line, ctx) => {
      const words = splitWords(line);
      if (words.length === 0 && (await openMenu(ctx))) return;
      const isSlow = (words[0] === "doctor" || words[0] === "calibrate") && ctx.hasUI;
      if (isSlow) ctx.ui.setStatus("pi-mend", `pi-mend: asking ${words[0] === "doctor" ? "pi" : "the model"}…`);
      try {
        await say(pi, ctx, await answer(words.length === 0 ? ["settings"] : words, ctx));
      } finally {
        if (isSlow) ctx.ui.setStatus("pi-mend", undefined);
      }
    },
  });
}

interface Answer {
  readonly code: ExitCode;
  readonly text: string;
}

/** In print mode the answer is the output; elsewhere output belongs to pi, which is asked to show it. */
async function say(pi: ExtensionAPI, ctx: ExtensionCommandContext, { code, text }: Answer): Promise<void> {
  if (ctx.hasUI) ctx.ui.notify(text, code === 2 ? "warning" : "info");
  else if (ctx.mode === "json") pi.appendEntry(ANSWER_ENTRY, { code, text });
  else if (code === 2) process.stderr.write(`${text}\n`);
  else await writeOutput(`${text}\n`);
}

function usage(): string {
  const words = Object.entries(MEND_WORDS).map(([word, about]) => `  /mend ${word.padEnd(10)}${about}`);
  return ["/mend alone opens the settings.", ...words].join("\n");
}

/** pi turns what extensions write to stdout over to stderr; the stream's own method is the way around it. */
function writeOutput(text: string): Promise<void> {
  const { write } = Object.getPrototypeOf(process.stdout) as typeof process.stdout;
  return new Promise((resolve) => void write.call(process.stdout, text, "utf8", () => resolve()));
}

/** `doctor` looks at the pi that runs, where it runs as a program of its own. */
function withHostPi(words: readonly string[]): readonly string[] {
  const script = process.argv[1] ?? "";
  const isPi = basename(script) === "pi" || script.split(sep).includes("pi-coding-agent");
  return words[0] === "doctor" && isPi && !words.includes("--pi") ? [...words, "--pi", script] : words;
}

async function run(words: readonly string[], shell: Shell): Promise<ExitCode> {
  const { runCommand } = await import("../cli/run-command.ts");
  return runCommand(words, shell);
}

interface KnownModel {
  readonly model: string;
  readonly modes: readonly string[];
}

/** Read as anyone reads it; empty where it cannot be. */
async function knownModels(shell: Shell): Promise<readonly KnownModel[]> {
  const pieces: string[] = [];
  const quiet: Shell = { ...shell, write: (piece) => void pieces.push(piece) };
  try {
    await run(["health", "--json"], quiet);
    const { models } = JSON.parse(pieces.join("")) as { models: { model: string; rules: { mode: string }[] }[] };
    return models.map(({ model, rules }) => ({ model, modes: rules.map(({ mode }) => mode) }));
  } catch {
    return [];
  }
}
