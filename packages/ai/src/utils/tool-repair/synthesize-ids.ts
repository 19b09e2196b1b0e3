// Tool call ids where a server sent none, an empty one or one that is already taken. Runs on the calls of one message,
// as they start or when the message is whole. Never changes an id that is present and not yet used.

/**
 * Words that servers print where they have no id. The Responses API joins two ids with `|`; only the first pairs a call
 * with its result.
 */
const NO_ID = /^\s*(?:(?:null|undefined|none)\s*)?(?:\||$)/i;

/** Characters of a synthesized id. Nine alphanumerics are what the strictest backend takes, so every backend takes it. */
const HASH_LENGTH = 8;

/** Tells one message from another of the same conversation; asked when an id is made. */
export interface IdSeed {
  seed(): string;
}

/**
 * Claims the id that a call came with. It then counts as taken.
 *
 * @param taken pairing parts of the ids that are taken
 * @returns the id, a number as text; `undefined` when it says that there is none, or is taken
 */
export function claimSentId(id: unknown, taken: Set<string>): string | undefined {
  const sent = typeof id === "number" ? String(id) : id;
  if (typeof sent !== "string" || isNoId(sent)) return undefined;
  // One look into the set: it grows by what it did not hold.
  const before = taken.size;
  return taken.add(pairingPart(sent)).size > before ? sent : undefined;
}

/**
 * Makes the ids of one message's calls, where they have none to claim. The same taken ids, seed and places give the same
 * ids: neither clock nor randomness is involved.
 */
export class IdSynthesizer {
  readonly #taken: Set<string>;
  readonly #seed: string | IdSeed;
  #hashedSeed: number | undefined;

  /**
   * @param taken pairing parts of the conversation's ids; not copied, and given those of the ids handed out
   * @param seed anything that tells this message from another one of the same conversation
   */
  constructor(taken: Set<string>, seed: string | IdSeed) {
    this.#taken = taken;
    this.#seed = seed;
  }

  /** A new id of nine letters and digits, which counts as taken from then on. @param place the call's place, from one */
  make(place: number): string {
    this.#hashedSeed ??= this.#hashTaken();
    for (let attempt = 0; ; attempt++) {
      const text = `${place}:${attempt}`;
      const high = fnv1a(text, this.#hashedSeed);
      const low = fnv1a(text, high ^ 0x9e3779b9);
      const id = `m${base36(high)}${base36(low)}`.slice(0, HASH_LENGTH + 1);
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }

  #hashTaken(): number {
    let hash = fnv1a(typeof this.#seed === "string" ? this.#seed : this.#seed.seed(), 0x811c9dc5);
    for (const id of this.#taken) hash = fnv1a(id, hash);
    return hash;
  }
}

/** A content block as far as ids matter; blocks of another type than `toolCall` pass through. */
export interface IdBlock {
  readonly type: string;
  readonly id?: unknown;
}

/**
 * Gives every call of a message an id that is unique in the message and in `seen`.
 *
 * @returns `blocks` itself when nothing had to change; otherwise a new list with copies of the changed blocks and the
 *   others by reference
 */
export function synthesizeIds<T extends IdBlock>(
  blocks: readonly T[],
  seen: Iterable<string>,
  seed = "",
): readonly T[] {
  const taken = new Set<string>();
  for (const id of seen) taken.add(pairingPart(id));
  const ids = new IdSynthesizer(taken, seed);
  let changed: T[] | undefined;
  let place = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.type !== "toolCall") continue;
    place++;
    const id = claimSentId(block.id, taken) ?? ids.make(place);
    if (id === block.id) continue;
    changed ??= [...blocks];
    changed[index] = { ...block, id };
  }
  return changed ?? blocks;
}

/** Whether an id says that there is none. Looks at the first character before it asks the expression. */
function isNoId(id: string): boolean {
  if (id === "") return true;
  const first = id.charCodeAt(0);
  const letter = first | 32;
  // White space, `|`, n or u in either case.
  return (first <= 32 || first >= 160 || first === 124 || letter === 110 || letter === 117) && NO_ID.test(id);
}

/** What pairs a call with its result: `call_id` of the Responses API's `call_id|item_id`, otherwise the whole id. */
export function pairingPart(id: string): string {
  const bar = id.indexOf("|");
  return bar < 0 ? id : id.slice(0, bar);
}

function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // Avalanche, so that neighbouring positions do not give neighbouring ids.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The last four base-36 digits: 20 bits of the hash. */
function base36(hash: number): string {
  return hash.toString(36).padStart(7, "0").slice(-4);
}
