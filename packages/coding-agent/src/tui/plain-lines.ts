// Text that a model sent, made safe to draw, and broken into lines that surely fit. Pure, linear, and without pi's terminal
// library, whose width tables are not needed for an upper bound.

// Controls move the cursor or colour the screen, and direction marks reorder what a line seems to say.
const UNSHOWABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `text` with every character escaped that would not show as itself; line feeds stay. */
export function showable(text: string): string {
  return text.toWellFormed().replace(UNSHOWABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/**
 * Lines of at most `width` columns. A character beyond ASCII counts as two columns, the most that a terminal gives one.
 *
 * @param text without controls other than line feeds
 * @param width below 2 counts as 2
 */
export function plainLines(text: string, width: number): string[] {
  const most = Math.max(2, Math.floor(width));
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    let start = 0;
    let at = 0;
    let columns = 0;
    for (const character of line) {
      const wide = character.charCodeAt(0) > 126 ? 2 : 1;
      if (columns + wide > most) {
        lines.push(line.slice(start, at));
        start = at;
        columns = 0;
      }
      columns += wide;
      at += character.length;
    }
    lines.push(line.slice(start));
  }
  return lines;
}

/** `text` in one line of at most `width` columns, with an ellipsis where it was cut. */
export function plainLine(text: string, width: number): string {
  const [first = "", ...rest] = plainLines(text.replaceAll("\n", " "), width);
  if (rest.length === 0) return first;
  const [kept = ""] = width < 4 ? [] : plainLines(first, width - 2);
  return `${kept}…`;
}
