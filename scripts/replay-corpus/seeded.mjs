// Numbers and texts that depend on a seed alone. Never asks the clock or the machine.

/** @returns {() => number} numbers from 0 to 1, the same for the same seed */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A word that every value of the corpus holds: it must not turn up in anything that is made of it. */
export const SECRET = "zqsecretqz";

const WORDS =
  "const let return await import value path result error files index buffer stream session model tool".split(" ");

/** Program text of about `size` characters, with line breaks, quotes and now and then a sign that is not ASCII. */
export function codeText(random, size) {
  const parts = [];
  for (let length = 0; length < size; ) {
    const word = WORDS[Math.floor(random() * WORDS.length)];
    const part =
      random() < 0.005 ? `"${SECRET}${Math.floor(random() * 1e6)}";\n  ` : `${word}${random() < 0.3 ? "(" : " "}`;
    parts.push(part);
    length += part.length;
  }
  return random() < 0.1 ? `${parts.join("")} ── ✓` : parts.join("");
}
