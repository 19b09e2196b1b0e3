// What is shown of a text-mode reply while it streams: nothing of a call in it. Display only; when the message is whole, what
// is left of its text is shown in full.
const OPENERS = ["<pi:call", "<tool_call>", "```tool"] as const;

/** Text mode: what stands before the first envelope, without what may still become an opener at its end. */
export function shownWhileStreaming(markdown: string): string {
  let end = markdown.length;
  for (const opener of OPENERS) {
    const at = markdown.indexOf(opener);
    if (at !== -1 && at < end) end = at;
  }
  return end < markdown.length ? markdown.slice(0, end) : markdown.slice(0, end - openTail(markdown));
}

/** Length of the longest end of the text that begins an opener. */
function openTail(text: string): number {
  for (let length = Math.min(text.length, 10); length > 0; length--) {
    const tail = text.slice(text.length - length);
    if (OPENERS.some((opener) => opener.startsWith(tail))) return length;
  }
  return 0;
}
