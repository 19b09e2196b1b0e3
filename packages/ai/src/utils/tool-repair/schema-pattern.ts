// Whether a key matches a schema's pattern, read as pi-schema reads it. Asked for keys under `patternProperties` while a
// failing call is looked at. Never builds an expression of a call: a pattern is its tool owner's, and each is built once.

/** Patterns kept; past this the list starts anew. Tools that come and go must not fill the memory. */
const MAX_KEPT = 1_000;

const KEPT = new Map<string, RegExp | undefined>();

/** Whether `key` matches; false where `pattern` is no regular expression, which pi-schema refuses to compile. */
export function matchesPattern(pattern: string, key: string): boolean {
  if (!KEPT.has(pattern)) {
    if (KEPT.size >= MAX_KEPT) KEPT.clear();
    KEPT.set(pattern, expressionOf(pattern));
  }
  return KEPT.get(pattern)?.test(key) ?? false;
}

/** With the flag `u`, and without it where the pattern is none then: some older schemas escape what `u` refuses. */
function expressionOf(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next flags, or none.
    }
  }
  return undefined;
}
