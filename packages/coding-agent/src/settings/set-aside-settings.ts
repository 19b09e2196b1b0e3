// Moves the user's settings file out of the way when it is no JSON object, so that the menu can write a sound one and nothing of
// the old one is lost. Runs when a session starts, before the settings are read. Touches no file that somebody else placed:
// neither a project's nor the one that the environment names.
import { join } from "node:path";
import { readText } from "../memory/files/read-text.ts";
import { setAside } from "../memory/files/set-aside.ts";
import type { MemoryPaths } from "../memory/memory-paths.ts";
import { jsonObject, MAX_SETTINGS_BYTES } from "./resolve-settings.ts";

/**
 * @param now milliseconds since 1970, for the file's new name
 * @returns what to tell the user, one sentence each; none where nothing was moved
 */
export function setAsideSettings({ settings, folder }: MemoryPaths, now: number): readonly string[] {
  if (settings !== join(folder, "settings.json")) return [];
  const file = readText(settings, MAX_SETTINGS_BYTES);
  if (!file.ok || jsonObject(file.text) !== undefined) return [];
  const aside = setAside(settings, now);
  return aside === undefined ? [] : [`${settings} is not a JSON object; it is now ${aside} and has no effect`];
}
