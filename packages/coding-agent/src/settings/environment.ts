// What the environment says about settings. Read when settings are resolved; it outranks every file.
// Never reads a file, and never fails: a word that means nothing is reported and has no effect.
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { SettingsFile } from "./settings.schema.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that exist in the environment only, and the switches it sets. */
export interface EnvironmentSettings {
  /** `PI_MEND=off` makes the package inert. */
  readonly enabled: boolean;
  readonly switches: Pick<SettingsFile, "repair" | "teach" | "rules" | "telemetry" | "textProtocol">;
  /** `PI_MEND_TELEMETRY=<path>`: where the telemetry file is. */
  readonly telemetryPath: string | undefined;
  /** `PI_MEND_SETTINGS=<path>`: the file that stands in for the user's settings file. */
  readonly settingsPath: string | undefined;
  /** `PI_MEND_LOG=1`: a value-free line on stderr for each call that was not clean. */
  readonly log: boolean;
  /** `PI_MEND_PASSTHROUGH=1`: calls that cannot be repaired go to pi as they are. */
  readonly passthrough: boolean;
  readonly warnings: readonly string[];
}

const SWITCHES = {
  PI_MEND_REPAIR: "repair",
  PI_MEND_TEACH: "teach",
  PI_MEND_RULES: "rules",
  PI_MEND_PROTOCOL: "textProtocol",
} as const;

const WORDS: Readonly<Record<string, boolean>> = {
  off: false,
  "0": false,
  false: false,
  on: true,
  "1": true,
  true: true,
};

/** @param cwd what relative paths are relative to */
export function readEnvironment(env: Environment, cwd: string): EnvironmentSettings {
  const warnings: string[] = [];
  const switches: { -readonly [Name in keyof EnvironmentSettings["switches"]]: boolean } = {};
  const wordOf = (name: string): boolean | undefined => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    const word = Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined;
    if (word === undefined) warnings.push(`${name} is neither on nor off; it has no effect`);
    return word;
  };
  for (const [name, key] of Object.entries(SWITCHES)) {
    const word = wordOf(name);
    if (word !== undefined) switches[key] = word;
  }
  const telemetry = env["PI_MEND_TELEMETRY"]?.trim();
  const isPath = telemetry !== undefined && telemetry !== "" && !Object.hasOwn(WORDS, telemetry.toLowerCase());
  const word = isPath ? true : wordOf("PI_MEND_TELEMETRY");
  if (word !== undefined) switches.telemetry = word;
  const settingsPath = env["PI_MEND_SETTINGS"]?.trim();
  return {
    enabled: wordOf("PI_MEND") ?? true,
    switches,
    telemetryPath: isPath ? expandPath(telemetry, cwd) : undefined,
    settingsPath: settingsPath ? expandPath(settingsPath, cwd) : undefined,
    log: wordOf("PI_MEND_LOG") ?? false,
    passthrough: wordOf("PI_MEND_PASSTHROUGH") ?? false,
    warnings,
  };
}

/** `path` as an absolute one, with a leading `~` for the home folder. */
export function expandPath(path: string, cwd: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : resolve(cwd, path);
}
