// What the model is told when it printed a call as text and nothing ran. Holds tool names and what a refused call lacks;
// never the call itself, which could then be copied.
import type { LeakedPart } from "./leaked-parts.ts";

const NATIVE =
  "Send it as a native tool call, the structured kind that your tools are declared for, with none of its markup in the text.";
const ENVELOPE =
  "Print it as an envelope of the kind that your instructions show, outside of any reasoning or code block.";

/**
 * One line; what a call's arguments lack stands below it.
 *
 * @param inText the model makes its calls in text, so a call of another make is what it must not print
 */
export function continuationLine(parts: readonly LeakedPart[], inText: boolean): string {
  const refused = parts.flatMap((part) => part.refused);
  const isKnown = (reason: string) => reason !== "unknown-tool";
  const known = parts.flatMap(({ calls }) => calls.map(({ name }) => name));
  const names = new Set([...known, ...refused.flatMap(({ reason, name }) => (isKnown(reason) ? name : []))]);
  const tools = names.size === 0 ? "" : ` (${[...names].map((name) => `\`${name}\``).join(", ")})`;
  const missing = refused.some(({ reason }) => !isKnown(reason)) ? " It names a tool that does not exist." : "";
  const lacks = [...new Set(refused.flatMap(({ message }) => message ?? []))];
  const what = `Your last message printed a tool call${tools} ${inText ? "in a form that is not read" : "as text"}.`;
  const how = `It did not run and is not in your history. ${inText ? ENVELOPE : NATIVE}`;
  return [`${what}${missing} ${how} If you meant no call, go on without one.`, ...lacks].join("\n");
}
