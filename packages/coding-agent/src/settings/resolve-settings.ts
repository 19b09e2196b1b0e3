// The settings that hold, and who set each. Runs when a session starts and when a file was changed.
// Precedence, highest first: environment, project file (trusted projects only), user file, profile. The profile itself is
// chosen by the same order, before any switch is looked at; a switch set anywhere outranks every profile.
// Never throws and never writes.
import { readText } from "../memory/files/read-text.ts";
import { type MemoryPaths, memoryPaths } from "../memory/memory-paths.ts";
import { schemaCheck } from "../memory/schema-check.ts";
import { type Environment, type EnvironmentSettings, readEnvironment } from "./environment.ts";
import { DEFAULT_PROFILE, PROFILES, type ProfileName, SWITCH_NAMES, type Switches } from "./profiles.ts";
import { type SettingsFile, SettingsFileSchema } from "./settings.schema.ts";

export type SettingsLayer = "environment" | "project" | "user" | "profile";

export interface Settings extends Switches, Pick<EnvironmentSettings, "enabled" | "log" | "passthrough"> {
  readonly profile: ProfileName;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  /** Which layer each switch, and the profile, comes from. */
  readonly from: Readonly<Record<keyof Switches | "profile", SettingsLayer>>;
  readonly paths: MemoryPaths;
  /** What was ignored and why, one sentence each. */
  readonly warnings: readonly string[];
}

export interface SettingsPlace {
  readonly env: Environment;
  readonly cwd: string;
  /** Whether pi trusts the project in `cwd`. */
  readonly trusted: boolean;
}

const CHECK = schemaCheck<SettingsFile>(SettingsFileSchema);

export function resolveSettings({ env, cwd, trusted }: SettingsPlace): ResolvedSettings {
  const environment = readEnvironment(env, cwd);
  const paths = memoryPaths(env, cwd);
  const user = readSettingsFile(paths.settings);
  const project = trusted ? readSettingsFile(paths.projectSettings) : NO_FILE;
  const layers: readonly (readonly [SettingsLayer, SettingsFile])[] = [
    ["environment", environment.switches],
    ["project", project.settings],
    ["user", user.settings],
  ];
  const chosen = layers.find(([, file]) => file.profile !== undefined);
  const profile = chosen?.[1].profile ?? DEFAULT_PROFILE;
  const switches: Record<string, unknown> = {};
  const from: Record<string, SettingsLayer> = { profile: chosen?.[0] ?? "profile" };
  for (const name of SWITCH_NAMES) {
    const layer = layers.find(([, file]) => file[name] !== undefined);
    switches[name] = layer ? layer[1][name] : PROFILES[profile][name];
    from[name] = layer ? layer[0] : "profile";
  }
  const { enabled, log, passthrough } = environment;
  return {
    settings: { ...(switches as Switches), profile, enabled, log, passthrough },
    from: from as ResolvedSettings["from"],
    paths,
    warnings: [...environment.warnings, ...project.warnings, ...user.warnings],
  };
}

interface ReadSettings {
  readonly settings: SettingsFile;
  readonly warnings: readonly string[];
}

/** A settings file larger than this is none. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;

const NO_FILE: ReadSettings = { settings: {}, warnings: [] };

/** A file that is no JSON object is ignored whole; in one that is, only the keys that are wrong or unknown. */
export function readSettingsFile(path: string): ReadSettings {
  const file = readText(path, MAX_SETTINGS_BYTES);
  if (!file.ok) {
    if (file.why === "missing") return NO_FILE;
    const what = file.why === "too-large" ? "is too large" : file.why === "no-file" ? "is no file" : "cannot be read";
    return { settings: {}, warnings: [`${path} ${what}; its settings have no effect`] };
  }
  const value = jsonObject(file.text);
  if (value === undefined) {
    return { settings: {}, warnings: [`${path} is not a JSON object; its settings have no effect`] };
  }
  const wrong = new Set(CHECK.faults(value).map((pointer) => pointer.split("/")[1]));
  const settings: Record<string, unknown> = {};
  const warnings = file.isSharedWrite ? [`${path} can be changed by every user of this machine`] : [];
  for (const [index, [key, setting]] of Object.entries(value).entries()) {
    const isKnown = Object.hasOwn(SettingsFileSchema.properties, key);
    if (isKnown && !wrong.has(key)) settings[key] = setting;
    else if (isKnown) warnings.push(`${path}: "${key}" has a value it cannot have (only ${takenBy(key)}); ignored`);
    else warnings.push(`${path}: key ${index + 1} in it is no setting; ignored`);
  }
  return { settings: settings as SettingsFile, warnings: [...new Set(warnings)] };
}

/** What a file may hold under the key. */
function takenBy(key: string): string {
  const schema = SettingsFileSchema.properties[key as keyof SettingsFile] as {
    readonly type?: string;
    readonly anyOf?: readonly { readonly const?: string }[];
  };
  if (schema.type === "boolean") return "true or false";
  const words = schema.anyOf?.flatMap((choice) => choice.const ?? []) ?? [];
  return words.length > 0 ? words.map((word) => `"${word}"`).join(", ") : "a list of texts";
}

/** The object that `text` is, or `undefined`. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
