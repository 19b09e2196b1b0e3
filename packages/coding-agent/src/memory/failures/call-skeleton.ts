// A call's arguments with placeholders for everything the model made up. Structure, declared keys, equal values and the
// classes of texts and numbers stay. Pure; the arguments are not modified.
import type { Digit } from "./placeholder-text.ts";
import { PlaceholderText } from "./placeholder-text.ts";

export interface SkeletonStyle {
  readonly digit: Digit;
  /** Longest text that is kept whole; of a longer one, its start and its end. */
  readonly maxText: number;
}

const MAX_ITEMS = 64;
const MAX_DEPTH = 24;

export class CallSkeleton {
  readonly #texts: PlaceholderText;
  readonly #limits: readonly number[];
  readonly #style: SkeletonStyle;

  /** @param limits numbers of the schema that a value may be above, at or below */
  constructor(known: ReadonlySet<string>, limits: readonly number[], style: SkeletonStyle) {
    this.#texts = new PlaceholderText(known, style.digit);
    this.#limits = limits;
    this.#style = style;
  }

  value(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return Array.isArray(value) ? [] : {};
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => this.value(item, depth + 1));
    const fields = Object.entries(value).slice(0, MAX_ITEMS);
    return Object.fromEntries(fields.map(([key, item]) => [this.#texts.key(key), this.value(item, depth + 1)]));
  }

  /** A pointer into the arguments as one into their skeleton. */
  pointer(pointer: string): string {
    const keys = pointer.split("/").map((step) => {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const placed = /^\d+$/.test(key) ? key : this.#texts.key(key);
      return placed.replaceAll("~", "~0").replaceAll("/", "~1");
    });
    return keys.join("/");
  }

  #text(text: string): string {
    const { maxText } = this.#style;
    if (text.length <= maxText) return this.#texts.text(text);
    const end = Math.floor(maxText / 4);
    return this.#texts.text(text.slice(0, maxText - end) + text.slice(-end));
  }

  #number(value: number): number {
    const plain = Number(this.#texts.text(String(value)));
    const near = this.#limits.flatMap((limit) => [limit, limit - 1, limit + 1, limit - 0.5, limit + 0.5]);
    return [plain, ...near].find((stand) => Number.isFinite(stand) && this.#isLike(stand, value)) ?? plain;
  }

  #isLike(stand: number, value: number): boolean {
    if (Number.isInteger(stand) !== Number.isInteger(value)) return false;
    if (Number.isSafeInteger(stand) !== Number.isSafeInteger(value)) return false;
    return this.#limits.every((limit) => Math.sign(stand - limit) === Math.sign(value - limit));
  }
}

const LIMITS = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"]);
const MAX_LIMITS = 32;

/** Every number that a schema compares values with. */
export function numericLimits(schema: unknown): readonly number[] {
  const limits = new Set<number>();
  const pending: unknown[] = [schema];
  for (let seen = 0; pending.length > 0 && seen < 10_000 && limits.size < MAX_LIMITS; seen++) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [word, value] of Object.entries(node)) {
      if (typeof value === "number" && LIMITS.has(word)) limits.add(value);
      else if (word === "enum" && Array.isArray(value)) {
        for (const member of value) if (typeof member === "number") limits.add(member);
      } else pending.push(value);
    }
  }
  return [...limits];
}
