// Whether a call that a model printed is a quotation: the same text stands in a user message or a tool result. This is how
// text that others wrote would come to run. Compared without everything that quoting changes: white space, case, quote and
// escape signs, entities, Markdown. Bounded in cost; what could not be looked at counts as quoted.

const MAX_LENGTH = 8 * 1024 * 1024;
const MIN_SIGNIFICANT = 4;
const ENTITY = /&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});/gi;
/** Escapes of a string in a string: the backslashes and the letter of a line break or tab. */
const ESCAPE = /\\+(?:u[0-9a-f]{4}|[nrt])?/gi;
const INSIGNIFICANT = /[^\p{L}\p{N}]+/gu;

export interface QuotationOptions {
  /** Characters of sources that are compared, newest first (default 8 Mi). */
  readonly maxLength?: number | undefined;
}

/**
 * True where `callText` stands in one of `sources` (given oldest first), up to what quoting changes. True also where the
 * sources are longer than the limit, so that it cannot be ruled out; false for a text without letters or digits.
 */
export function isQuotation(callText: string, sources: readonly string[], options: QuotationOptions = {}): boolean {
  const needle = significant(callText);
  if (needle.length < MIN_SIGNIFICANT) return needle !== "" && sources.some((source) => source.includes(callText));
  let left = options.maxLength ?? MAX_LENGTH;
  for (let index = sources.length - 1; index >= 0; index--) {
    const source = sources[index] as string;
    if (source.length < needle.length) continue;
    left -= source.length;
    if (left < 0) return true;
    if (source.includes(callText) || significant(source).includes(needle)) return true;
  }
  return false;
}

/** The letters and digits of a text, as they are whatever stands around them. */
function significant(text: string): string {
  return text.replace(ENTITY, "").replace(ESCAPE, "").replace(INSIGNIFICANT, "").toLowerCase();
}
