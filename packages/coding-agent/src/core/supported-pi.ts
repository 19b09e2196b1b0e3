// The versions of pi that the package works in, and whether the running one is among them. Asked once when pi loads the
// package, and by `doctor`. Outside the range the package registers nothing: what it relies on is not there.

/** The manifest's peer range, as data. In pi 0.x a call that was refused at a message's end runs all the same. */
export const SUPPORTED_PI = { from: "1.3.0", below: "2.0.0" } as const;

/** The range as npm writes it. */
export const SUPPORTED_RANGE = `>=${SUPPORTED_PI.from} <${SUPPORTED_PI.below}`;

/** @param version `undefined` or no version counts as supported: each hook is looked for before it is used */
export function isSupportedPi(version: string | undefined): boolean {
  const parts = partsOf(version ?? "");
  if (parts === undefined) return true;
  return order(parts, partsOf(SUPPORTED_PI.from)!) >= 0 && order(parts, partsOf(SUPPORTED_PI.below)!) < 0;
}

type Parts = readonly [major: number, minor: number, patch: number];

/** A pre-release counts as the version it leads to. */
function partsOf(version: string): Parts | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function order(a: Parts, b: Parts): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
