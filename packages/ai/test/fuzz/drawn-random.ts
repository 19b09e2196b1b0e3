// A source of randomness made of numbers that the property library drew, so that a failing case can be shrunk: fewer and
// smaller numbers mean fewer and simpler mutations.

import fc from "fast-check";
import { SeededRandom } from "../support/seeded-random.ts";

export class DrawnRandom extends SeededRandom {
  readonly #drawn: readonly number[];
  #at = 0;

  constructor(drawn: readonly number[]) {
    super(0);
    this.#drawn = drawn;
  }

  override next(): number {
    return (this.#drawn[this.#at++] ?? 0) / 4096;
  }
}

/** The numbers of one `DrawnRandom`. */
export const drawnNumbers = fc.array(fc.nat(4095), { maxLength: 48, size: "max" });
