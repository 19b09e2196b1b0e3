// Damage as it occurs on the way from a model to a client: for texts, for chat-completions deltas, and for raw bytes.
import type { WireCall } from "./encoders/encoder.ts";
import type { SeededRandom } from "./seeded-random.ts";

const DEBRIS = [
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\",
  "\n",
  "`",
  "<|im_end|>",
  "</tool_call>",
  "None",
  "NaN",
  "\u201c",
  "\u0000",
  "\ud83d",
  "//",
];
const KEYS = ["path", "content", "command", "__proto__", "constructor", "a b", "é", ""];
const NAMES = ["read", "write", "bash", "status", "Read", "functions.bash", "", "nope", "read<|channel|>x", "toString"];
const IDS = [undefined, "", "call_1", "call_1", "call_2", "null", "functions.read:0", "x".repeat(80)];

export function randomCall(random: SeededRandom): WireCall {
  return { id: random.pick(IDS), name: random.pick(NAMES), rawArguments: JSON.stringify(randomObject(random, 0)) };
}

function randomObject(random: SeededRandom, depth: number): object {
  const entries = Array.from(
    { length: random.below(4) },
    () => [random.pick(KEYS), randomValue(random, depth + 1)] as const,
  );
  return Object.fromEntries(entries);
}

function randomValue(random: SeededRandom, depth: number): unknown {
  const kinds = depth > 3 ? 5 : 7;
  switch (random.below(kinds)) {
    case 0:
      return random.below(1000) - 500;
    case 1:
      return random.chance(0.5);
    case 2:
      return null;
    case 3:
      return Array.from({ length: random.below(30) }, () =>
        random.pick(["a", " ", "\n", '"', "\\", "é", "🙂", "{", "]"]),
      ).join("");
    case 4:
      return JSON.stringify({ a: random.below(9) });
    case 5:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
    default:
      return randomObject(random, depth);
  }
}

/** One to four changes: cut, delete, insert, repeat, double. */
export function mutateText(text: string, random: SeededRandom): string {
  let mutated = text;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(mutated.length + 1);
    switch (random.below(6)) {
      case 0:
        mutated = mutated.slice(0, at);
        break;
      case 1:
        mutated = mutated.slice(0, at) + mutated.slice(at + 1 + random.below(3));
        break;
      case 2:
        mutated = mutated.slice(0, at) + random.pick(DEBRIS) + mutated.slice(at);
        break;
      case 3:
        mutated = mutated.slice(0, at) + mutated.slice(Math.max(0, at - 5));
        break;
      case 4:
        mutated = mutated + mutated;
        break;
      default:
        mutated = random.chance(0.5) ? mutated.replaceAll('"', "'") : JSON.stringify(mutated);
    }
  }
  return mutated;
}

/** Chat-completions deltas of the calls, with numbers, ids and names lost, repeated or moved. */
export function mutatedDeltas(calls: readonly WireCall[], random: SeededRandom): object[] {
  const deltas: { index: unknown; id: unknown; function: { name: unknown; arguments: unknown } }[] = [];
  for (const [index, { id, name, rawArguments }] of calls.entries()) {
    deltas.push({ index, id, function: { name, arguments: "" } });
    for (let at = 0; at < rawArguments.length; ) {
      const size = 1 + random.below(12);
      deltas.push({
        index,
        id: undefined,
        function: { name: undefined, arguments: rawArguments.slice(at, at + size) },
      });
      at += size;
    }
  }
  for (const delta of deltas) {
    if (random.chance(0.1)) delta.index = random.pick([undefined, 0, 1, 5, "0", null, -1, 1.5]);
    if (random.chance(0.1)) delta.id = random.pick([...IDS, 7, null, {}, []]);
    if (random.chance(0.1)) delta.function.name = random.pick([...NAMES, 5]);
    if (random.chance(0.03)) delta.function.arguments = random.pick([null, {}, { a: 1 }, [], 5, "{}"]);
  }
  const kept: unknown[] = deltas.filter(() => random.chance(0.98));
  if (random.chance(0.1))
    kept.splice(
      random.below(kept.length + 1),
      0,
      random.pick([null, [], {}, 5, { function: null }, { index: 0, function: "read" }]),
    );
  return kept as object[];
}

/** One to three changed, lost or cut bytes. */
export function mutateBytes(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  let mutated = Uint8Array.from(bytes);
  for (let count = 1 + random.below(3); count > 0 && mutated.length > 0; count--) {
    const at = random.below(mutated.length);
    if (random.chance(0.3)) mutated = mutated.slice(0, at);
    else if (random.chance(0.5)) mutated[at] = random.below(256);
    else mutated = Uint8Array.from([...mutated.slice(0, at), ...mutated.slice(at + 1)]);
  }
  return mutated;
}
