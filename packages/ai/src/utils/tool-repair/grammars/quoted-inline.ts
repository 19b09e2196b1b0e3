// Whether a call in running text is only mentioned: it stands in quotation marks or brackets, or behind a list, table or
// comment sign, a line number, a prompt, or the name of somebody who speaks. Looks at the characters around it, never further than the start of its line.

import { withoutInvisibleStart } from "./invisible.ts";

const OPENING = new Map<string, string>([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
  ["(", ")"],
  ["|", "|"],
]);
const ALWAYS_OPENING = /["“‘„«「]/;
const LINE_SIGN = /^[ \t]*(?:[-*+•|#>]{1,6}|\d{1,3}[.)]|\/\/|\/\*|--|;{1,4}|%{1,4}|\.\.|<!--|\|.{0,80}\|)[ \t]*$/;
/** What is copied from somewhere: a numbered line, a line of a file that was found, a line of a shell, a note below a text, a line of a chat. */
const COPIED_LINE =
  /^[ \t]*(?:[^\s:]{0,60}[./][^\s:]{1,60}:\d{1,6}:|\d{1,6} *[\t│]|\d{1,6}[ \t]*[|:→][ \t]*$|\$ |>>> |\[\^?[^[\]\n]{1,40}\]: |(?:\*\*|\[)?(?:user|human|system)(?:\]|\*\*)?[ \t]*:)/i;
/** Quotation marks that only open. */
const SPACED_OPENING = new Map<string, string>([
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
]);
const LONGEST_SIGN = 144;
const LONGEST_REST = 200;

/** Whether the call at `start` to `end` of `text` is mentioned rather than made. */
export function isQuotedInline(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (ALWAYS_OPENING.test(before)) return true;
  if (OPENING.has(before) && OPENING.get(before) === after) return true;
  let line = start;
  while (line > 0 && start - line <= LONGEST_SIGN && text.charCodeAt(line - 1) !== 10) line -= 1;
  if (line === start) return false;
  const head = withoutInvisibleStart(text.slice(line, start));
  if (isBracketed(head, text, end)) return true;
  return start - line <= LONGEST_SIGN && (LINE_SIGN.test(head) || COPIED_LINE.test(head));
}

/** Whether a bracket that is open in `head` closes in the line behind `end`, or a quotation mark with a blank between. */
function isBracketed(head: string, text: string, end: number): boolean {
  const quote = head.endsWith(" ") ? SPACED_OPENING.get(head.charAt(head.length - 2)) : undefined;
  // Some calls end with the blank behind them.
  const behind = text.charAt(end - 1) === " " ? end - 1 : end;
  if (quote !== undefined && text.startsWith(` ${quote}`, behind)) return true;
  if (head.lastIndexOf("(") <= head.lastIndexOf(")")) return false;
  const rest = text.slice(end, end + LONGEST_REST);
  const close = rest.indexOf(")");
  const lineEnd = rest.indexOf("\n");
  return close !== -1 && (lineEnd === -1 || close < lineEnd);
}
