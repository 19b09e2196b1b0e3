// Finds the argument text that a model sent inside the error text of a call whose arguments were no JSON object.
// Runs only on calls that carry `argumentsError`. Never guesses: an error of another make has no text to find.

/** What stands between the problem and the sent text in pi-ai's `argumentsError`. */
const TEXT_FOLLOWS = "\n\nReceived arguments:\n";

/**
 * The text after the marker, byte for byte, or `undefined` when there is no marker.
 *
 * Of several the first marker is the right one: what precedes it is an error message of one line, the sent text may hold
 * anything. pi-ai never shortens the text; if a later version does, the reader sees an unfinished value and refuses it.
 *
 * @param streamed the text as it came in deltas, where known; wins where the error confirms it, because a parse error may
 *   quote the marker itself
 */
export function rawArgumentsText(argumentsError: string, streamed?: string): string | undefined {
  if (streamed !== undefined && argumentsError.endsWith(TEXT_FOLLOWS + streamed)) return streamed;
  const at = argumentsError.indexOf(TEXT_FOLLOWS);
  return at < 0 ? undefined : argumentsError.slice(at + TEXT_FOLLOWS.length);
}
