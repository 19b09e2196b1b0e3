// The time from which on turns count, as a user writes it. Pure.
const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds since 1970 for a day or an age; `undefined` for no text; `unclear` for a text that is neither. */
export function sinceTime(text: string | undefined, now: number): number | undefined | "unclear" {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS];
  const day = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(day) || !isDay(text.slice(0, 10)) ? "unclear" : day;
}

/** Whether a month has that day: the parser goes on into the next one. */
function isDay(date: string): boolean {
  return new Date(date).toISOString().startsWith(date);
}
