// Recognizes the ids that upstream's Google adapters make up. Asked once per call of those APIs.

/** Clock and counter, as upstream appends them to the tool name. */
const CLOCK_AND_COUNTER = /^_\d{12,}_\d+$/;

/** Whether the id was made from tool name, clock and counter because the provider sent none. */
export function isGoogleMadeUpId(id: string, name: string): boolean {
  const made = id.startsWith("undefined_") ? "undefined" : name;
  return id.startsWith(made) && CLOCK_AND_COUNTER.test(id.slice(made.length));
}
