// Whether `PI_MEND` says that the package is to be inert: the one question that the entries ask before anything else. Read from
// the environment only; a word that means nothing leaves the package on.

/** What the environment has for "off", in any case. */
const OFF = /^\s*(?:off|0|false)\s*$/i;

export function isSwitchedOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return OFF.test(env["PI_MEND"] ?? "");
}
