// The sentences a model gets for arguments that could not be read. Data and formatting only. Holds positions and at most
// a few characters of what was sent, never the whole text: models copy what an error shows them.

import type { UnreadableReason } from "../tool-repair/forgiven.ts";

const EXCERPT = 24;

/**
 * The `argumentsError` of a call, written for the model.
 *
 * @param at character offset of the fault in `text`
 */
export function unreadableArguments(reason: UnreadableReason, text: string, at: number): string {
  switch (reason) {
    case "truncated":
      return (
        `The arguments were cut off after ${text.length} characters: the JSON object never ended. Nothing was run. ` +
        "Send the whole call again. If the content is long, send it in smaller pieces: a first part in one call, the rest in further calls."
      );
    case "ambiguous":
      return (
        "The arguments hold more than one JSON value and it is not clear which one is meant. Nothing was run. " +
        "Send exactly one JSON object for each call."
      );
    case "malformed":
      return (
        `The arguments are not valid JSON: the fault is at character ${at} of ${text.length}${excerpt(text, at)}. Nothing was run. ` +
        'Send one JSON object. Inside strings escape every " as \\" and every backslash as \\\\.'
      );
    case "not-an-object":
      return "The arguments are not a JSON object. Nothing was run. Send one JSON object with the tool's fields.";
    case "too-large":
      return (
        `The arguments (${text.length} characters) exceed a limit of size or nesting. Nothing was run. ` +
        "Send the work in smaller pieces."
      );
    default:
      return reason satisfies never;
  }
}

/** What stands just before the fault, where that is plain text. */
function excerpt(text: string, at: number): string {
  const shown = text.slice(Math.max(0, at - EXCERPT), at).toWellFormed();
  return shown.trim() === "" ? "" : `, after ${JSON.stringify(shown)}`;
}
