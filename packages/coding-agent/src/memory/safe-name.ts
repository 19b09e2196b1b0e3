// The only way a name gets into a record. What is not surely one of ours, or of the user's own configuration, becomes a
// word that says so: a model may put anything anywhere.

/** Names of repairs, schema keywords and reasons: letters of words, as pi-mend spells them. */
const MODE = /^[$a-z][a-z]*(?:[A-Z][a-z]+)*(?:-[a-z]+)*$/;
const TOOL = /^[A-Za-z0-9_.:-]{1,64}$/;
const MODEL_PART = /^[A-Za-z0-9_.:@/+~-]{1,128}$/;

const UUID_END = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$/i;

export const OTHER = "(other)";
export const UNKNOWN_TOOL = "(unknown)";

/** @param isKnown whether the name is one that pi-mend itself uses */
export function safeMode(name: string, isKnown: (name: string) => boolean): string {
  return typeof name === "string" && name.length <= 40 && MODE.test(name) && isKnown(name) ? name : OTHER;
}

/** @param isKnown whether the host has a tool of that name */
export function safeTool(name: string, isKnown: (name: string) => boolean): string {
  return typeof name === "string" && TOOL.test(name) && isKnown(name) ? name : UNKNOWN_TOOL;
}

/** A provider or model id as a transcript has it; a text that is no id becomes `(other)`. */
export function shownId(id: unknown): string {
  return typeof id === "string" && MODEL_PART.test(id) ? id : OTHER;
}

/**
 * A provider, API or model id as the user configured it. A text that is no id becomes `(other-<number>)`, so that what is learned
 * of one such model is never taken for another's.
 */
export function safeId(id: unknown): string {
  const shown = shownId(id);
  return shown === OTHER && typeof id === "string" ? `(other-${fingerprint(id)})` : shown;
}

/** What tells a session apart: the end of pi's own id, or a number for one that somebody chose. */
export function safeSession(id: string): string {
  return UUID_END.exec(id)?.[1] ?? fingerprint(id);
}

/** 32 bits of FNV-1a over UTF-16: tells texts apart, and says none. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The last name that was made: the calls of a session are nearly all of one model. */
let last: { readonly provider: unknown; readonly model: unknown; readonly key: string } | undefined;

/** What a model's records are kept under. */
export function modelKey(provider: unknown, model: unknown): string {
  if (last === undefined || last.provider !== provider || last.model !== model) {
    last = { provider, model, key: `${safeId(provider)}/${safeId(model)}` };
  }
  return last.key;
}
