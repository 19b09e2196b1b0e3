// The three profiles as data: the value of every switch that nobody set. Nothing here runs.
import { LEAK_PROFILES } from "@pi-mend/agent/leak-profiles";
import type { SettingsFile } from "./settings.schema.ts";

export type ProfileName = NonNullable<SettingsFile["profile"]>;

/** Every switch of a settings file with a value. */
export type Switches = Required<Omit<SettingsFile, "profile">>;

export const DEFAULT_PROFILE: ProfileName = "adaptive";

/** Repairs and counts, and leaves prompts and texts as they are. */
const CONSERVATIVE: Switches = {
  repair: true,
  teach: true,
  rules: false,
  telemetry: true,
  failureRecords: true,
  markers: true,
  textProtocol: false,
  textModels: [],
  ...leaks("conservative"),
};

/** Also learns, and takes markup of known tools out of texts. Text never becomes a call. */
const ADAPTIVE: Switches = { ...CONSERVATIVE, rules: true, ...leaks("adaptive") };

/** Also lets an unmistakable call in text run. */
const RECOVER: Switches = { ...ADAPTIVE, textProtocol: true, ...leaks("recover") };

export const PROFILES: Readonly<Record<ProfileName, Switches>> = {
  conservative: CONSERVATIVE,
  adaptive: ADAPTIVE,
  recover: RECOVER,
};

function leaks(profile: ProfileName): Pick<Switches, "grammar" | "unknownGrammar" | "recoverTools"> {
  const { recoverTools, ...modes } = LEAK_PROFILES[profile];
  return { ...modes, recoverTools: [...recoverTools] };
}

/** The switches by name, in the order in which they are shown. */
export const SWITCH_NAMES = Object.keys(PROFILES.adaptive) as readonly (keyof Switches)[];
