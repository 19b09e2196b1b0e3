// The end of a wrapper: a close tag after white space, whole, cut at the end of the text, or absent.

import type { Source } from "./source.ts";

/** The end of `close` after blanks at `at`; of its first half where the text ends in it; or -1. */
export function closeTagEnd(source: Source, at: number, close: string): number {
  const start = source.skipBlank(at);
  const { text } = source;
  if (text.startsWith(close, start)) return start + close.length;
  const left = text.length - start;
  if (left > 1 && left < close.length + 4) {
    const rest = text.slice(start).trimEnd();
    if (rest.length > 1 && close.startsWith(rest)) return text.length;
  }
  return -1;
}

/** As `closeTagEnd`, or `at` where the tag is absent. */
export function afterOptional(source: Source, at: number, close: string): number {
  const end = closeTagEnd(source, at, close);
  return end === -1 ? at : end;
}

/** Tokens with which a chat format ends a turn. */
const END_OF_TURN =
  /(?:<\|(?:im_end|eot_id|eom_id|eot|end|end_of_text|endoftext|return)\|>|<｜end▁of▁sentence｜>|<\/s>)/y;

/** Whether nothing but white space and the end of a turn stands from `at` to the end of the text. */
export function isAtEnd(source: Source, at: number): boolean {
  let next = source.skipBlank(at);
  END_OF_TURN.lastIndex = next;
  if (END_OF_TURN.test(source.text)) next = source.skipBlank(END_OF_TURN.lastIndex);
  return next >= source.text.length;
}
