// Characters that show nothing: the byte order mark, zero width spaces and joiners, marks of direction. Some servers put one
// before a message; they count as blank where a call may begin or a message may end, and stay in the text.

const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const LEADING = /^[\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/;
const VISIBLE = /[^\s\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** Whether the character shows nothing; false for ASCII white space. */
export function isInvisible(code: number): boolean {
  return code > 160 && INVISIBLE.test(String.fromCharCode(code));
}

/** Whether `at` begins a line, as one sees it. */
export function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isInvisible(text.charCodeAt(before))) before -= 1;
  return before < 0 || text.charCodeAt(before) === 10;
}

/** `text` from its first visible or blank character on. */
export function withoutInvisibleStart(text: string): string {
  return text.replace(LEADING, "");
}

/** Where the first character of `text` stands that one sees, or -1. */
export function firstVisible(text: string): number {
  return text.search(VISIBLE);
}

/** Whether there is nothing to see in `text`. */
export function isBlankText(text: string): boolean {
  return firstVisible(text) === -1;
}

function isUnseen(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || code === 10 || (code < 128 ? code >= 9 && code <= 13 : !VISIBLE.test(text.charAt(at)));
}

/** The last character before `end` that one sees, "" where there is none. */
export function lastVisible(text: string, end: number): string {
  let at = end - 1;
  while (at >= 0 && isUnseen(text, at)) at -= 1;
  return text.charAt(at);
}
