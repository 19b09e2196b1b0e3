// The standing sentence of a mode, made from the note of its entry in the repair table, and the section of a system prompt
// that holds the sentences of a model. Pure. The same rules give the same text, so that prompt caches survive.
import { REPAIRS, STEP_REPAIRS } from "@pi-mend/ai/tool-repair";

const SENTENCES = new Map<string, string>(
  Object.entries(STEP_REPAIRS).map(([mode, { right }]) => [mode, sentence(right)]),
);
for (const entry of REPAIRS) {
  if ("bounces" in entry) continue;
  const [wrong, right] = entry.noteTemplate.split(" → ");
  SENTENCES.set(entry.name, sentence(filled(right ?? ""), filled(wrong ?? "")));
}

/** One sentence, or `undefined` for a mode that there is nothing to say about. */
export function ruleSentence(mode: string): string | undefined {
  return SENTENCES.get(mode);
}

export function hasRuleSentence(mode: string): boolean {
  return SENTENCES.has(mode);
}

/** The content of the section for these modes, in their order; `undefined` where there are none. */
export function rulesSection(modes: readonly string[]): string | undefined {
  const lines = modes.flatMap((mode) => SENTENCES.get(mode) ?? []).map((text) => `- ${text}`);
  return lines.length === 0 ? undefined : ["When you call tools:", ...lines].join("\n");
}

function sentence(right: string, wrong?: string): string {
  const text = wrong === undefined ? right : `${right}; in earlier calls ${wrong}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A note without its places: they were those of one call. */
function filled(template: string): string {
  return template
    .replace("{detail}: that is", "a key was")
    .replace("{detail} in ", "keys in ")
    .replace(/`?\{path\}`?/g, "a value")
    .replaceAll("{expect}", "value")
    .replaceAll("{detail}", "a key");
}
