// The words of `/mend`: how its line is split, and what can be typed next. Pure.
export interface Completion {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface CompletionSources {
  /** `provider/model` of every model with a memory. */
  readonly models: () => Promise<readonly string[]>;
  /** `provider/model` of every model that can be asked. */
  readonly available: () => readonly string[];
  /** Modes that a model has rules for. */
  readonly modes: (model: string) => Promise<readonly string[]>;
  readonly settings: readonly string[];
  readonly choices: (setting: string) => readonly string[];
}

/** What `/mend` takes, by its first word. */
export const MEND_WORDS: Readonly<Record<string, string>> = {
  health: "how each model's calls do",
  rules: "what each model's system prompt is told",
  forget: "removes a model's rules for good",
  last: "what the last repair did",
  calibrate: "finds out how a model makes tool calls, by asking it",
  report: "writes health as one HTML page",
  doctor: "pi's version, what pi-mend relies on, conflicts, files",
  settings: "shows the settings, or changes one",
};

/** Words between blanks; quotes keep blanks in a word. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** @param line what stands behind `/mend `, up to the cursor. `null` where nothing fits */
export async function completions(line: string, sources: CompletionSources): Promise<Completion[] | null> {
  const words = line.split(/\s+/);
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1).filter((word) => word !== "");
  const lead = before.length === 0 ? "" : `${before.join(" ")} `;
  const fits = (await candidates(before, sources)).filter(({ label }) => isFit(label, typed));
  return fits.length === 0 ? null : fits.map((one) => ({ ...one, value: `${lead}${one.value}` }));
}

async function candidates(before: readonly string[], sources: CompletionSources): Promise<readonly Completion[]> {
  const [word, name] = before;
  if (word === undefined) {
    return Object.entries(MEND_WORDS).map(([value, description]) => ({ value, label: value, description }));
  }
  const takesModel = word === "health" || word === "rules" || word === "forget";
  if (before.length === 1 && takesModel) return plain(await sources.models());
  if (before.length === 1 && word === "calibrate") return plain(sources.available());
  if (before.length === 2 && word === "forget") return plain(await sources.modes(name!));
  if (before.length === 1 && word === "settings") return plain(sources.settings);
  if (before.length === 2 && word === "settings") {
    // One of several words says what can be typed.
    return plain([...sources.choices(name!).filter((choice) => !choice.includes(" ")), "default"]);
  }
  return [];
}

function plain(values: readonly string[]): Completion[] {
  return values.map((value) => ({ value, label: value }));
}

/** A model is found by any part of its name, every other word by its start. */
function isFit(label: string, typed: string): boolean {
  const [low, part] = [label.toLowerCase(), typed.toLowerCase()];
  return label.includes("/") ? low.includes(part) : low.startsWith(part);
}
