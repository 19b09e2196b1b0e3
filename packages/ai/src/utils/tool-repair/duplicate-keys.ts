// Whether a text that JSON.parse accepted names a key twice in one object, where JSON.parse silently drops a value.
// Runs on every strictly valid text. Only counts: which key it was, and whether it matters, is the lenient parser's job.

/**
 * True when `text` has more members than `value` has keys. `value` must be what JSON.parse made of `text`. Linear, and
 * iterative, so that depth costs no stack.
 */
export function hasRepeatedKey(text: string, value: unknown): boolean {
  const most = countColonsBehindQuotes(text);
  if (most === 0) return false;
  const keys = countKeys(value);
  // a string that begins with a colon is counted too, hence the second look
  return keys < most && keys < countColonsOutsideStrings(text);
}

/** At least the number of members; jumps from colon to colon. */
function countColonsBehindQuotes(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let i = colon - 1;
    let code = text.charCodeAt(i);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(--i);
    if (code !== 34) continue;
    const quote = i;
    while (text.charCodeAt(i - 1) === 92) i -= 1;
    if ((quote - i) % 2 === 0) count += 1;
  }
  return count;
}

/** Exactly the number of members; looks at every character. */
function countColonsOutsideStrings(text: string): number {
  let count = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) inString = !inString;
    else if (code === 92) i += 1;
    else if (code === 58 && !inString) count += 1;
  }
  return count;
}

/** Own keys of all objects in `value`. */
function countKeys(value: unknown): number {
  const pending: unknown[] = [value];
  let keys = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) if (isContainer(node[i])) pending.push(node[i]);
    } else if (isContainer(node)) {
      const names = Object.keys(node);
      keys += names.length;
      for (let i = 0; i < names.length; i++) {
        const child = node[names[i] as string];
        if (isContainer(child)) pending.push(child);
      }
    }
  }
  return keys;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
