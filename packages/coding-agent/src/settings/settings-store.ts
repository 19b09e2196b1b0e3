// Changes one setting of the user's settings file and leaves the rest as it is, keys of later versions too. Used by the
// menu and the shell command. A file that is no JSON object is set aside first.
import { replaceFile } from "../memory/files/atomic-file.ts";
import { type StoreResult, withFileLock } from "../memory/files/file-lock.ts";
import { readText } from "../memory/files/read-text.ts";
import { setAside } from "../memory/files/set-aside.ts";
import { schemaCheck } from "../memory/schema-check.ts";
import { jsonObject, MAX_SETTINGS_BYTES } from "./resolve-settings.ts";
import { type SettingsFile, SettingsFileSchema } from "./settings.schema.ts";

export type SettingName = keyof SettingsFile;

const CHECK = schemaCheck<SettingsFile>(SettingsFileSchema);

/** Names of all settings of a file, the profile first. */
export const SETTING_NAMES = Object.keys(SettingsFileSchema.properties) as readonly SettingName[];

/**
 * Writes one setting.
 *
 * @param value `undefined` takes the setting out of the file, so that the profile decides
 */
export function writeSetting<Name extends SettingName>(
  path: string,
  name: Name,
  value: SettingsFile[Name] | undefined,
  now: number,
): Promise<StoreResult<undefined>> {
  return withFileLock(path, async ({ isMine }) => {
    const text = textOf(path);
    const file = text === undefined ? {} : jsonObject(text);
    if (file === undefined && setAside(path, now) === undefined) throw new Error("not a settings file");
    const { [name]: _before, ...rest } = file ?? {};
    const next = value === undefined ? rest : { ...rest, [name]: value };
    if (!(await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`, isMine))) throw new Error("lock lost");
    return undefined;
  });
}

/** What `text` means as the value of a setting, `undefined` where it means none. */
export function settingValue<Name extends SettingName>(name: Name, text: string): SettingsFile[Name] | undefined {
  const words: Readonly<Record<string, unknown>> = { on: true, true: true, off: false, false: false };
  const list = text === "" || text === "none" ? [] : text.split(",").map((item) => item.trim());
  const candidates = [text, Object.hasOwn(words, text) ? words[text] : undefined, list];
  return candidates.find((value) => value !== undefined && CHECK.accepts({ [name]: value })) as
    | SettingsFile[Name]
    | undefined;
}

/** What a setting can be, for a menu or a message. */
export function settingChoices(name: SettingName): readonly string[] {
  const schema = SettingsFileSchema.properties[name] as { type?: string; anyOf?: readonly { const?: string }[] };
  if (schema.type === "boolean") return ["on", "off"];
  return schema.anyOf?.flatMap((choice) => choice.const ?? []) ?? ["names, with commas between", "*", "none"];
}

/** What a setting is about, in a few words. */
export function settingDescription(name: SettingName): string {
  return (SettingsFileSchema.properties[name] as { description?: string }).description ?? "";
}

/** A value as people write it. */
export function settingText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(",");
  return String(value);
}

function textOf(path: string): string | undefined {
  const file = readText(path, MAX_SETTINGS_BYTES);
  if (file.ok) return file.text;
  if (file.why === "missing") return undefined;
  throw new Error(`not a settings file: ${file.why}`);
}
