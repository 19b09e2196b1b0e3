// What a model reads about arguments that could not be read: one table, as a clause inside a bounce or as sentences of
// their own. Data and formatting only. Holds positions and at most a few characters of what was sent, never the whole text:
// models copy what an error shows them.
import type { UnreadableReason } from "./forgiven.ts";

interface Words {
  readonly fault: string;
  readonly advice: string;
}

const WORDS: Readonly<Record<UnreadableReason, Words>> = {
  truncated: {
    fault: "the arguments were cut off before the JSON ended",
    advice:
      "send the whole call again, a long text in smaller pieces: a first part in one call, the rest in further calls",
  },
  ambiguous: {
    fault: "the arguments hold more than one JSON value",
    advice: "send exactly one JSON object for each call",
  },
  malformed: {
    fault: "the arguments are not valid JSON",
    advice: 'send one JSON object; inside strings write \\" for a quote and \\\\ for a backslash',
  },
  "not-an-object": {
    fault: "the arguments are not a JSON object",
    advice: "send one JSON object with the tool's fields",
  },
  "too-large": {
    fault: "the arguments exceed a limit of size or nesting",
    advice: "send the work in smaller pieces",
  },
};

const EXCERPT = 24;

/** The reason inside a bounce: what is wrong; what to do. */
export function unreadableClause(reason: UnreadableReason): string {
  const { fault, advice } = WORDS[reason];
  return `${fault}; ${advice}`;
}

/**
 * The whole `argumentsError` of a call, where nothing else is said about it.
 *
 * @param at character offset of the fault in `text`
 */
export function unreadableSentences(reason: UnreadableReason, text: string, at: number): string {
  const { fault, advice } = WORDS[reason];
  return `${capital(fault)}${place(reason, text, at)}. Nothing was run. ${capital(advice)}.`;
}

/** The reason that `unreadableSentences` put into words; `undefined` for an error that somebody else worded. */
export function unreadableReason(argumentsError: string): UnreadableReason | undefined {
  const reasons = Object.keys(WORDS) as UnreadableReason[];
  return reasons.find((reason) => argumentsError.startsWith(capital(WORDS[reason].fault)));
}

function place(reason: UnreadableReason, text: string, at: number): string {
  if (reason === "truncated") return ` (cut off after ${text.length} characters)`;
  if (reason === "too-large") return ` (${text.length} characters)`;
  return reason === "malformed" ? `: the fault is at character ${at} of ${text.length}${excerpt(text, at)}` : "";
}

/** What stands just before the fault, where that is plain text. */
function excerpt(text: string, at: number): string {
  const shown = text.slice(Math.max(0, at - EXCERPT), at).toWellFormed();
  return shown.trim() === "" ? "" : `, after ${JSON.stringify(shown)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
