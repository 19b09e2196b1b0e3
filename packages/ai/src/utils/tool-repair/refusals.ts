// Why a call bounces: the places that no entry could settle. Where a candidate came close and failed inside, the places
// inside it are what the model has to mend, not the place around it.

import { bounceFailure } from "./bounce.ts";
import type { FailureSite } from "./failure-site.ts";
import { splitLast } from "./json-pointer.ts";
import type { BounceFailure } from "./types.ts";

/** Collects refusals while candidates are tried. */
export class Refusals {
  /** The failures of the value refused last. */
  last: readonly BounceFailure[] = [];
  private hasBranches = false;
  private reasons: Map<string, string> | undefined;
  /**
   * What the best candidate failed on. By pointer: the value's. With `/` behind it: the object's with other keys. With
   * `/*`: the union's, read as the branch that the value's tags name.
   */
  private blamed: Map<string, readonly BounceFailure[]> | undefined;

  /** Why an entry refused the place at `pointer`. */
  explain(pointer: string, reason: string): void {
    this.reasons ??= new Map();
    this.reasons.set(pointer, reason);
  }

  /** The candidate at `key` failed on the failures recorded last. The one with the fewest is kept. */
  blame(key: string): void {
    if (key.endsWith("/*")) this.hasBranches = true;
    this.blamed ??= new Map();
    const known = this.blamed.get(key);
    if (this.last.length > 0 && (known === undefined || this.last.length < known.length))
      this.blamed.set(key, this.last);
  }

  /** A value at `base` was refused because of `sites`. */
  refuse(sites: readonly FailureSite[], base: string): void {
    const failures: BounceFailure[] = [];
    const told = new Set<string>();
    for (const site of sites) {
      if (site.fields !== undefined || site.soft) continue;
      const pointer = base + site.path;
      const inner = this.insideOf(site, pointer);
      if (inner === undefined) failures.push(bounceFailure(site, pointer, this.reasons?.get(pointer)));
      else if (!told.has(inner)) {
        told.add(inner);
        failures.push(...this.blamed!.get(inner)!);
      }
    }
    const byPath = new Map(failures.map((failure) => [failure.path, failure]));
    this.last = [...byPath.values()];
  }

  private insideOf(site: FailureSite, pointer: string): string | undefined {
    if (this.blamed === undefined) return undefined;
    if (this.blamed.has(pointer)) return pointer;
    const holder = splitLast(pointer);
    const isKeyFault = site.got === "missing" || site.got === "null" || site.expect.has("nothing");
    const key = `${holder?.parent}/`;
    if (holder !== undefined && isKeyFault && this.blamed.has(key)) return key;
    for (let at = holder; this.hasBranches && at !== undefined; at = splitLast(at.parent)) {
      if (this.blamed.has(`${at.parent}/*`)) return `${at.parent}/*`;
    }
    return undefined;
  }
}
