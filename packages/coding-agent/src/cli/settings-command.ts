// `settings`: what holds and who set it. `settings <name> <value>` writes the user's file; `default` takes the setting out.
import { resolveSettings } from "../settings/resolve-settings.ts";
import {
  SETTING_NAMES,
  type SettingName,
  settingChoices,
  settingText,
  settingValue,
  writeSetting,
} from "../settings/settings-store.ts";
import { commandArguments } from "./command-arguments.ts";
import { refused } from "./health-command.ts";
import type { Command, ExitCode, Shell } from "./shell.ts";

export const settingsCommand: Command = {
  name: "settings",
  usage: "settings [name] [value | default] [--json]",
  about: "shows the settings and where each comes from, or changes one",
  run: async (args, shell) => {
    const given = commandArguments(args, ["json"], 2);
    if (!given.ok) return refused(shell, given.message);
    const [name, value] = given.names;
    if (name !== undefined && !isSetting(name)) {
      return refused(shell, `No such setting; there are: ${SETTING_NAMES.join(", ")}`);
    }
    if (name !== undefined && value !== undefined) return change(name, value, shell);
    return show(name, given.flags.has("json"), shell);
  },
};

function show(name: SettingName | undefined, asJson: boolean, shell: Shell): ExitCode {
  const { settings, from, paths, warnings } = resolveSettings(shell);
  for (const warning of warnings) shell.warn(`${warning}\n`);
  if (asJson) {
    shell.write(`${JSON.stringify({ settings, from, file: paths.settings }, null, 2)}\n`);
    return 0;
  }
  const names = name === undefined ? SETTING_NAMES : [name];
  const width = Math.max(...names.map((one) => one.length));
  for (const one of names) {
    const origin = from[one] === "profile" && one !== "profile" ? `profile ${settings.profile}` : originOf(from[one]);
    shell.write(`${one.padEnd(width)}  ${settingText(settings[one]).padEnd(8)}  ${origin}\n`);
  }
  if (name === undefined)
    shell.write(`\n${settings.enabled ? "" : "PI_MEND=off: pi-mend is inert\n"}${paths.settings}\n`);
  return 0;
}

function originOf(layer: string): string {
  return layer === "profile" ? "default" : layer === "environment" ? "environment" : `${layer} settings`;
}

async function change(name: SettingName, text: string, shell: Shell): Promise<ExitCode> {
  const value = text === "default" ? undefined : settingValue(name, text);
  if (value === undefined && text !== "default") {
    return refused(shell, `${name} is one of: ${[...settingChoices(name), "default"].join(", ")}`);
  }
  const path = resolveSettings(shell).paths.settings;
  const written = await writeSetting(path, name, value, shell.now());
  if (!written.ok) {
    shell.warn(`Nothing was changed: ${path} is ${written.fault}\n`);
    return 1;
  }
  const { settings, from } = resolveSettings(shell);
  const isOutranked = from[name] === "environment" || from[name] === "project";
  if (isOutranked) shell.warn(`The ${from[name]} outranks the file\n`);
  shell.write(`${name} is ${settingText(settings[name])}\n`);
  return 0;
}

function isSetting(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name);
}
