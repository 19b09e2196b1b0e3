// Whether a call in running text is only mentioned: it stands in quotation marks or brackets, or behind a list, table or
// comment sign. Looks at the characters around it, never further than the start of its line.

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
const LINE_SIGN = /^[ \t]*(?:[-*+•|#>]{1,6}|\d{1,3}[.)]|\/\/|\/\*|--|<!--|\|.{0,80}\|)[ \t]*$/;
const LONGEST_SIGN = 96;

/** Whether the call at `start` to `end` of `text` is mentioned rather than made. */
export function isQuotedInline(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (ALWAYS_OPENING.test(before)) return true;
  if (OPENING.has(before) && OPENING.get(before) === after) return true;
  let line = start;
  while (line > 0 && start - line <= LONGEST_SIGN && text.charCodeAt(line - 1) !== 10) line -= 1;
  if (start - line > LONGEST_SIGN || line === start) return false;
  return LINE_SIGN.test(text.slice(line, start));
}
