// Values that are nested deeper than the stack: a transcript may hold one, and it must cost no more than itself.

/**
 * Does `work`.
 *
 * @returns false where a value in it was nested too deep; every other error is thrown on
 */
export function isShallow(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
