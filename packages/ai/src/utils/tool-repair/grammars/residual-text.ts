// What is left of a text when markup is taken out: every other character, unchanged. A block that stood on lines of its own
// takes the line breaks that only it needed.

import type { Range } from "./grammar.ts";

/** `text` without `ranges` (in any order, overlaps allowed). The same string where there are none. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const sorted = [...ranges].sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let from = 0;
  let lastLineBreaks = Number.POSITIVE_INFINITY;
  let isStart = true;
  const keep = (start: number, end: number, beforeRange: boolean) => {
    let begin = start;
    if (start > 0 && lastLineBreaks > 0) begin = skipLineBreaks(text, start, end, lastLineBreaks);
    if (begin < end) {
      parts.push(text.slice(begin, end));
      isStart = false;
      lastLineBreaks = trailingLineBreaks(text, begin, end);
    }
    if (beforeRange && isStart) lastLineBreaks = Number.POSITIVE_INFINITY;
  };
  for (const range of sorted) {
    if (range.start > from) keep(from, range.start, true);
    if (range.end > from) from = range.end;
  }
  keep(from, text.length, false);
  return parts.join("");
}

/** Past as many line breaks as already stand before, with the blanks on the lines between them. */
function skipLineBreaks(text: string, start: number, end: number, limit: number): number {
  let begin = start;
  let count = 0;
  for (let next = start; next < end && count < limit; next++) {
    const code = text.charCodeAt(next);
    if (code === 10) {
      begin = next + 1;
      count += 1;
    } else if (code !== 32 && code !== 9 && code !== 13) break;
  }
  return begin;
}

function trailingLineBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let next = end - 1; next >= start; next--) {
    const code = text.charCodeAt(next);
    if (code === 10) count += 1;
    else if (code !== 32 && code !== 9 && code !== 13) break;
  }
  return count;
}
