// Gives every tool call delta of a chat-completions chunk the number of the call it belongs to, where the server left the
// number out, repeats one, or moves on too early. Runs on each parsed chunk before upstream reads it; a chunk that is
// numbered right is not touched. Never drops text: a piece that fits no call goes through as it came.
import { JsonEnd, type TextState } from "./json-end.ts";

/** A delta of the wire format, as far as routing goes. Everything in it may be missing or of another type. */
interface ToolDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  custom?: unknown;
}

/** One call as the deltas so far tell it. `slot` is the number upstream knows it by. */
class RoutedCall {
  readonly slot: number;
  id: string;
  name: string;
  /** Text that was routed in the chunk at hand, which upstream has not read yet. */
  readonly ahead: string[] = [];
  readonly #arrived: () => readonly string[];
  readonly #end = new JsonEnd();

  /** @param arrived the pieces of the call that went through upstream so far */
  constructor(slot: number, id: string, name: string, arrived: () => readonly string[]) {
    this.slot = slot;
    this.id = id;
    this.name = name;
    this.#arrived = arrived;
  }

  get pieces(): readonly string[] {
    return this.ahead.length === 0 ? this.#arrived() : [...this.#arrived(), ...this.ahead];
  }

  get state(): TextState {
    return this.ahead.length === 0 ? this.#end.state(this.#arrived()) : new JsonEnd().state(this.pieces);
  }
}

/** A delta's own claims, with the server's absent values folded to `""` and `undefined`. */
interface Claims {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

const NO_TEXT: readonly string[] = [];

/** The router of one reply. */
export class ToolDeltaRouter {
  readonly #byIndex = new Map<number, RoutedCall>();
  readonly #byId = new Map<string, RoutedCall>();
  readonly #slots = new Set<number>();
  readonly #calls: RoutedCall[] = [];
  readonly #passed = new Set<number | string>();
  readonly #texts: readonly (readonly string[])[];
  /** Calls that upstream has opened or is about to open. */
  #opened = 0;

  /** The call under way, when the server's number for it is upstream's as well. */
  #current: RoutedCall | undefined;

  /**
   * @param texts the pieces of each call in the order upstream opened them, growing as events arrive; the router keeps no
   *   text of its own, and asks for it only where numbers are wrong
   */
  constructor(texts: readonly (readonly string[])[]) {
    this.#texts = texts;
  }

  /** Renumbers the tool call deltas of a chunk, in place. Anything that is not such a chunk passes. */
  route(chunk: unknown): void {
    const delta = (chunk as { choices?: { delta?: { tool_calls?: unknown } | null }[] } | null)?.choices?.[0]?.delta;
    const sent = delta?.tool_calls;
    if (sent === null || sent === undefined) return;
    if (Array.isArray(sent) && sent.length === 1 && this.#continues(sent[0])) return;
    const deltas = [sent].flat().filter(isDelta);
    if (!Array.isArray(sent) || deltas.length < sent.length) (delta as { tool_calls: unknown }).tool_calls = deltas;
    for (const item of deltas) this.#routeOne(item);
    for (const call of this.#calls) call.ahead.length = 0;
  }

  /** The regular delta of the call under way: its number and a piece of text, nothing that speaks of another. */
  #continues(item: ToolDelta | null | undefined): boolean {
    const call = this.#current;
    if (call === undefined || item?.index !== call.slot) return false;
    const fn = item.function;
    if (typeof fn?.arguments !== "string" || fn.name || item.id || item.custom) return false;
    return true;
  }

  #routeOne(item: ToolDelta): void {
    const claims = readClaims(item);
    // A grammar tool's input is plain text, not JSON: upstream's own numbering is all there is.
    if (item.custom !== undefined && item.custom !== null) {
      this.#pass(claims);
      return;
    }
    const known = this.#find(claims);
    const call = known ?? this.#create(claims, item);
    if (claims.id !== "" && !this.#byId.has(claims.id)) {
      if (call.id === "") call.id = claims.id;
      // Upstream knows a call by every id it came under.
      this.#byId.set(claims.id, call);
    }
    if (call.name === "") call.name = claims.name;
    if (claims.index !== undefined && (known === undefined || !this.#byIndex.has(claims.index))) {
      this.#byIndex.set(claims.index, call);
    }
    if (item.index !== call.slot) item.index = call.slot;
    this.#current = this.#byIndex.get(call.slot) === call ? call : undefined;
    if (claims.text !== "") call.ahead.push(claims.text);
  }

  /** Keeps count of a call that is not routed: its number stays free of others, and it has a place among the texts. */
  #pass({ index, id }: Claims): void {
    this.#current = undefined;
    const key = index ?? id;
    if (this.#passed.has(key)) return;
    this.#passed.add(key);
    if (index !== undefined) this.#slots.add(index);
    this.#opened++;
  }

  /** The call a delta continues; `undefined` when it begins one. */
  #find(claims: Claims): RoutedCall | undefined {
    const { index, id, name } = claims;
    const numbered = index === undefined ? undefined : this.#byIndex.get(index);
    // The regular case: same number, and nothing that speaks of another call.
    if (numbered !== undefined && (id === "" || id === numbered.id) && name === "") return numbered;
    if (numbered !== undefined) return beginsAnother(numbered, claims) ? this.#otherById(numbered, id) : numbered;
    const named = id === "" ? undefined : this.#byId.get(id);
    if (named !== undefined)
      return index !== undefined && beginsAnother(named, { ...claims, id: "" }) ? undefined : named;
    return this.#continued(claims);
  }

  #otherById(numbered: RoutedCall, id: string): RoutedCall | undefined {
    const other = id === "" ? undefined : this.#byId.get(id);
    return other === numbered ? undefined : other;
  }

  /** For a delta under an unknown number, or none, and without a known id: the open call it must belong to. */
  #continued(claims: Claims): RoutedCall | undefined {
    const last = this.#calls.at(-1);
    if (last === undefined) return undefined;
    if (claims.name !== "" || claims.id !== "") return mayContinue(last, claims) ? last : undefined;
    if (claims.index === undefined) return last;
    if (claims.text === "") return undefined;
    if (last.state !== "whole") return last;
    const open = this.#calls.filter((call) => call.state !== "whole");
    return open.length === 1 ? open[0] : undefined;
  }

  #create(claims: Claims, item: ToolDelta): RoutedCall {
    const slot = claims.index !== undefined && !this.#slots.has(claims.index) ? claims.index : this.#freeSlot();
    const taken = claims.id !== "" && this.#byId.has(claims.id);
    // Upstream joins calls of one id; the guard gives the second call an id of its own.
    if (taken) item.id = "";
    const position = this.#opened++;
    const arrived = () => this.#texts[position] ?? NO_TEXT;
    const call = new RoutedCall(slot, taken ? "" : claims.id, claims.name, arrived);
    this.#slots.add(slot);
    this.#calls.push(call);
    if (!taken && claims.id !== "") this.#byId.set(claims.id, call);
    return call;
  }

  #freeSlot(): number {
    let slot = this.#slots.size;
    while (this.#slots.has(slot)) slot++;
    return slot;
  }
}

/**
 * Whether a delta under a call's number begins another call. It does when it brings a name and the call's text is whole
 * and not a placeholder, or a new id and name with a text that begins a value. A new id alone does not: some servers
 * draw one for each delta.
 */
function beginsAnother(call: RoutedCall, { id, name, text }: Claims): boolean {
  if (name === "") return false;
  const state = call.state;
  const newId = id !== "" && call.id !== "" && id !== call.id;
  if (state === "whole") return newId || (id === "" && beginsNext(call, name, text));
  if (state === "empty") return newId && (name !== call.name || text === "");
  return newId && beginsValue(text);
}

/** Whether a delta with a name or id that fits no call still continues the last one: same name, no fresh value. */
function mayContinue(last: RoutedCall, { index, id, name, text }: Claims): boolean {
  if (name !== "" && name !== last.name) return false;
  if (name === "" && id !== "") return index === undefined && last.state !== "whole" && text !== "";
  if (id !== "" && last.id === "") return false;
  return last.state === "open" && text !== "" && !beginsValue(text);
}

function beginsValue(text: string): boolean {
  const start = text.trimStart();
  return start === "" || start.startsWith("{");
}

/** Without an id to go by: another tool's name, or a fresh object that is no repetition. */
function beginsNext(call: RoutedCall, name: string, text: string): boolean {
  if (name !== call.name) return beginsValue(text);
  return text !== "" && beginsValue(text) && !isSameOrPlaceholder(call, text);
}

/** A repeated snapshot of the same arguments, or the first real object after `{}`. */
function isSameOrPlaceholder(call: RoutedCall, text: string): boolean {
  const sofar = call.pieces.join("").trim();
  return sofar === text.trim() || /^\{\s*\}$/.test(sofar);
}

function readClaims(item: ToolDelta): Claims {
  if (typeof item.id === "number") item.id = String(item.id);
  const index = typeof item.index === "string" && /^\d{1,6}$/.test(item.index) ? Number(item.index) : item.index;
  const fn = item.function;
  const args = fn?.arguments;
  if (fn && args !== undefined && args !== null && typeof args !== "string") fn.arguments = JSON.stringify(args);
  return {
    index: typeof index === "number" ? index : undefined,
    id: typeof item.id === "string" ? item.id : "",
    name: typeof fn?.name === "string" ? fn.name : "",
    text: typeof fn?.arguments === "string" ? fn.arguments : "",
  };
}

function isDelta(item: unknown): item is ToolDelta {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}
