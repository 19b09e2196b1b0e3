// What each profile makes of calls that a model printed as text. Data only; both doors read it.
import type { LeakSettings } from "./leaked-message.ts";

/**
 * What may become of calls that a model printed as text: counted and left, taken out, or run where nothing is in doubt.
 * Calls that came through the provider's tool interface are treated alike in all three.
 */
export type RepairProfile = "conservative" | "adaptive" | "recover";

export const LEAK_PROFILES: Readonly<Record<RepairProfile, LeakSettings>> = {
  conservative: { grammar: "observe", unknownGrammar: "preserve", recoverTools: [] },
  adaptive: { grammar: "strip", unknownGrammar: "preserve", recoverTools: [] },
  recover: { grammar: "recover", unknownGrammar: "strip", recoverTools: ["*"] },
};

/** What a profile says; a name that is none says what no name does. */
export function leakSettings(profile: RepairProfile = "adaptive"): LeakSettings {
  return Object.hasOwn(LEAK_PROFILES, profile) ? LEAK_PROFILES[profile] : LEAK_PROFILES.adaptive;
}
