// Numbers in text, exactly or not at all.

const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/;

/**
 * The number that `text` writes in JSON's syntax (white space around it aside), or undefined: not that syntax, not
 * finite, or an integer that a double cannot hold exactly (`"9007199254740993"` would become another id).
 */
export function exactNumber(text: string): number | undefined {
  if (text.length > 1024) return undefined;
  const trimmed = text.trim();
  if (!JSON_NUMBER.test(trimmed)) return undefined;
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : value;
}
