// `forget <model> [mode]`: takes rules out of a model's system prompt for good; `--undo` lets them be learned again.
import { AdaptationStore } from "../memory/adaptation/adaptation-store.ts";
import { hasRuleSentence } from "../memory/adaptation/rule-sentence.ts";
import { findModel } from "../memory/health/find-model.ts";
import { memoryPaths } from "../memory/memory-paths.ts";
import { commandArguments } from "./command-arguments.ts";
import { refused } from "./health-command.ts";
import type { Command } from "./shell.ts";

export const forgetCommand: Command = {
  name: "forget",
  usage: "forget <model> [mode] [--undo]",
  about: "removes a model's rules and keeps them from coming back",
  run: async (args, shell) => {
    const given = commandArguments(args, ["undo"], 2);
    if (!given.ok) return refused(shell, given.message);
    const [typed, mode] = given.names;
    const warn = (warning: string) => shell.warn(`${warning}\n`);
    const store = new AdaptationStore({ path: memoryPaths(shell.env, shell.cwd).adaptation, now: shell.now, warn });
    const models = [...store.models().keys()];
    if (typed === undefined) return refused(shell, `Which model? Known: ${models.join(", ") || "none yet"}`);
    const found = findModel(typed, models);
    if (!found.ok) return refused(shell, found.message);
    if (mode !== undefined && !hasRuleSentence(mode)) return refused(shell, "There is no rule for such a mode");
    const isUndo = given.flags.has("undo");
    const result = isUndo ? await store.allow(found.model, mode) : await store.forget(found.model, mode);
    if (!result.ok) {
      shell.warn(`Nothing was changed: the file is ${result.fault}\n`);
      return 1;
    }
    const modes = result.value.join(", ");
    if (modes === "") shell.write(`${found.model}: there was nothing to ${isUndo ? "undo" : "forget"}\n`);
    else shell.write(`${found.model}: ${isUndo ? "may be learned again" : "forgotten"}: ${modes}\n`);
    return 0;
  },
};
