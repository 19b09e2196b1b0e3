// Whether a model makes its calls in text, and in which form: what the settings say comes first, then what calibration found.
// Asked before every request. Pure.
import { type EnvelopeForm, envelopeForm } from "@pi-mend/ai/tool-repair";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/**
 * @param model `provider/model`
 * @param verdict what calibration found, where it ran
 * @returns `undefined` where the model gets native tools
 */
export function textForm(
  { settings, from }: Pick<ResolvedSettings, "settings" | "from">,
  model: string,
  verdict: string | undefined,
): EnvelopeForm | undefined {
  const found = verdict?.startsWith("text:") ? envelopeForm(verdict.slice("text:".length)) : undefined;
  const { textProtocol, textModels } = settings;
  if (textProtocol && (textModels.includes("*") || textModels.includes(model))) return found ?? "pi-call";
  // Off because nobody turned it on is no word against what was found.
  return textProtocol || from.textProtocol === "profile" ? found : undefined;
}
