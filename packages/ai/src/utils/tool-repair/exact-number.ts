// Numbers in text, exactly or not at all.

import type { SubSchema } from "./sub-schema.ts";

const JSON_NUMBER = /^-?(0|[1-9]\d{0,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,4}))?$/;
/** What most models send: few enough digits that nothing can be lost. */
const PLAIN_INTEGER = /^-?[1-9]\d{0,14}$/;

/**
 * The number that `text` writes in JSON's syntax (white space around it aside), or undefined: not that syntax, not
 * finite, an integer that a double cannot hold exactly (`"9007199254740993"` would become another id), or a fraction
 * that a double rounds to an integer.
 */
export function exactNumber(text: string): number | undefined {
  if (text.length > 1024) return undefined;
  if (PLAIN_INTEGER.test(text)) return Number(text);
  const match = JSON_NUMBER.exec(text.trim());
  if (match === null) return undefined;
  const value = Number(match[0]);
  if (!Number.isFinite(value)) return undefined;
  if (!Number.isInteger(value)) return value;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const decimals = fraction.replace(/0+$/, "");
  const digits = whole + decimals;
  const shift = Number(exponent) - decimals.length;
  const isIntegral = shift >= 0 || /^0*$/.test(digits.slice(shift));
  const isTrueZero = value !== 0 || /^0*$/.test(digits);
  return Number.isSafeInteger(value) && isIntegral && isTrueZero ? value : undefined;
}

/**
 * Whether a number token outside the double-quoted strings of `text` reads differently once it has been a double:
 * `1.10`, `1e3`, `9007199254740993`. Linear.
 */
export function rewritesNumbers(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '""');
  for (const [token] of bare.matchAll(/-?\d[\d.eE+-]*/g)) if (String(Number(token)) !== token) return true;
  return false;
}

/** Whether `schema` takes `value`, read from a text that writes numbers otherwise, as it is and with no number beyond 2^53. */
export function passesWithNumbers(schema: SubSchema | undefined, value: unknown): boolean {
  return schema?.passes(value) === true && !holdsUnsafeInteger(value);
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnsafeInteger);
}
