// Replaces the words and numbers of a text by placeholders of the same form and length; marks, spaces and known words stay.
// Equal words get equal placeholders within one skeleton, so that what was repeated still is. Linear.
import { foldWord } from "./known-words.ts";

/** How digits are replaced: the lowest or the highest number of the same length. */
export type Digit = "1" | "9";

/** Characters beyond ASCII that the lenient reader knows. */
const MARKS = new Set("\u2018\u2019\u201c\u201d\u00ab\u00bb\u00a0\ufeff\u200b\u200c\u200d\u2060");
/** Letters behind a backslash that mean something in JSON or almost JSON. */
const ESCAPES = new Set("nrtbfu");
const TOKEN = /\\u[0-9a-fA-F]{4}|\\[\s\S]|\p{L}[\p{L}\p{M}\p{N}_]*|\p{N}+|[\s\S]/gu;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const MAX_WORD = 64;

export class PlaceholderText {
  readonly #known: ReadonlySet<string>;
  readonly #digit: Digit;
  readonly #words = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(known: ReadonlySet<string>, digit: Digit) {
    this.#known = known;
    this.#digit = digit;
  }

  /** A key: whole where it is a spelling of a known word, else like any text. */
  key(key: string): string {
    return this.#isKnown(key) || this.#isKnown(`${key}s`) || this.#isKnown(key.replace(/e?s$/i, ""))
      ? key
      : this.text(key);
  }

  text(text: string): string {
    let out = "";
    let before = "";
    for (const [token] of text.matchAll(TOKEN)) {
      out += this.#token(token, before);
      before = token;
    }
    return out;
  }

  #token(token: string, before: string): string {
    if (token.startsWith("\\")) return this.#escape(token);
    if (/^\p{L}/u.test(token)) return this.#word(token);
    if (/^\p{N}/u.test(token)) return this.#known.has(token) ? token : this.#number(token, before === ".");
    return token.charCodeAt(0) < 0x80 || MARKS.has(token) ? token : "\u00a4";
  }

  #escape(token: string): string {
    if (token.length > 2) return "\\u0078";
    const [, letter = ""] = token;
    return /[\p{L}\p{N}]/u.test(letter) && !ESCAPES.has(letter)
      ? "\\d"
      : `\\${letter.charCodeAt(0) < 0x80 ? letter : ""}`;
  }

  #number(digits: string, isFraction: boolean): string {
    const length = Math.min(digits.length, MAX_WORD);
    if (/^0+$/.test(digits)) return "0".repeat(length);
    if (!isFraction && digits.startsWith("0")) return `0${this.#digit.repeat(length - 1)}`;
    return this.#digit.repeat(length);
  }

  #word(word: string): string {
    const base = word.replace(/_?\d{1,3}$/, "");
    if (this.#isKnown(word) || this.#isKnown(base)) return word;
    let placeholder = this.#words.get(word);
    if (placeholder === undefined) {
      placeholder = this.#fresh(word.slice(0, MAX_WORD));
      this.#words.set(word, placeholder);
      this.#used.add(placeholder);
    }
    return placeholder;
  }

  /** A word of the same length, case and separators that stands for no other. */
  #fresh(word: string): string {
    let made = "";
    for (let attempt = 0; attempt < LETTERS.length * 8; attempt++) {
      let number = this.#words.size + attempt;
      made = "";
      for (const letter of [...word].toReversed()) {
        if (letter === "_") made = `_${made}`;
        else if (/\p{N}/u.test(letter)) made = `${this.#digit}${made}`;
        else {
          const stand = LETTERS[(23 + number) % 26]!;
          number = Math.floor(number / 26);
          made = (letter === letter.toLowerCase() ? stand : stand.toUpperCase()) + made;
        }
      }
      if (made !== word && !this.#used.has(made) && !this.#isKnown(made)) break;
    }
    return made;
  }

  #isKnown(word: string): boolean {
    return this.#known.has(foldWord(word));
  }
}
