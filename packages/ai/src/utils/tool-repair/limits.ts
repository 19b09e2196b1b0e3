// Bounds of one call. Past a bound the call bounces; nothing here depends on the clock or the machine.

/** More failing places than this are not repaired. */
export const MAX_ERRORS = 10_000;
/** A failing path deeper than this is not repaired. */
export const MAX_PATH_DEPTH = 128;
/** Candidates tried for one call. */
export const MAX_CANDIDATES = 100_000;
/** Waves: the call itself, and one inside a repaired container. */
export const MAX_WAVES = 2;
/** Steps at one place (parse, then wrap, …). */
export const MAX_CHAIN = 5;
