// Tool names that every backend takes, and the way back. Runs before a request; a conversation whose names are all legal
// costs one look at each name. Never changes a legal name.

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const ILLEGAL_CHARACTER = /[^a-zA-Z0-9_-]/g;
const MAX_LENGTH = 64;
/** Stands for a call that came without any name; no backend takes an empty one in the history. */
const UNNAMED = "unnamed_tool";

export function isLegalToolName(name: string): boolean {
  return LEGAL.test(name);
}

/** Which name is sent for a tool. One object serves one request. */
export class OutgoingNames {
  readonly #sent = new Map<string, string>();
  readonly #original = new Map<string, string>();

  /**
   * @param names every tool and history name of the request; legal ones are kept free of the others
   */
  constructor(names: Iterable<string>) {
    const all = new Set(names);
    for (const name of all) if (isLegalToolName(name)) this.#original.set(name, name);
    for (const name of all) if (!isLegalToolName(name)) this.#add(name);
  }

  /** The name to send; the same for a name that is legal or was not in the request. */
  sent(name: string): string {
    return this.#sent.get(name) ?? name;
  }

  /** Sent name → own name, only where they differ. */
  get back(): ReadonlyMap<string, string> {
    return new Map([...this.#sent].map(([own, sent]) => [sent, own]));
  }

  #add(name: string): void {
    const cleaned = name.replace(ILLEGAL_CHARACTER, "_");
    const plain = cleaned === "" ? UNNAMED : cleaned;
    let candidate = plain.slice(0, MAX_LENGTH);
    // A cut name, or one that is taken, carries a hash of the whole: the same tool gets the same name in every request.
    for (let salt = 0; candidate.length < plain.length || this.#original.has(candidate); salt++) {
      const tail = `_${hash(name, salt)}`;
      candidate = plain.slice(0, MAX_LENGTH - tail.length) + tail;
      if (!this.#original.has(candidate)) break;
    }
    this.#original.set(candidate, name);
    this.#sent.set(name, candidate);
  }
}

function hash(text: string, salt: number): string {
  let value = 0x811c9dc5 ^ salt;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0");
}
