// Gives every tool call delta of a chat-completions chunk the number of the call it belongs to, where the server left the
// number out, repeats one, or moves on too early. Runs on each parsed chunk before upstream reads it; a chunk that is
// numbered right is not touched. Never drops text: a piece that fits no call goes through as it came.
import type { OpenedCall } from "./call-block.ts";
import {
  beginsAnother,
  type Claims,
  continuedName,
  functionBeside,
  isDelta,
  mayContinue,
  RoutedCall,
  readClaims,
  type ToolDelta,
} from "./tool-delta.ts";

/** With more calls than this a stray piece is not looked for: no model makes so many in one reply. */
const MAX_SEARCHED = 64;

/** What a chunk adds to the reply; the second field is how calls were sent before there could be several. */
interface CallingDelta {
  tool_calls?: unknown;
  function_call?: object | null;
}

/** The router of one reply. */
export class ToolDeltaRouter {
  readonly #byIndex = new Map<number, RoutedCall>();
  readonly #byId = new Map<string, RoutedCall>();
  readonly #slots = new Set<number>();
  readonly #calls: RoutedCall[] = [];
  readonly #passed = new Set<number | string>();
  readonly #open: readonly OpenedCall[];
  readonly #toolNames: () => Iterable<string>;
  /** Numbers under which more than one call began. */
  readonly #shared = new Set<number>();
  /** Calls that upstream has opened or is about to open. */
  #opened = 0;

  /** The call under way, when the server's number for it is upstream's as well. */
  #current: RoutedCall | undefined;

  /**
   * @param open the calls in the order upstream opened them, their pieces growing as events arrive; the router keeps no
   *   text of its own, and asks for it only where numbers are wrong
   * @param toolNames the names the model was shown; asked only where a call is named twice
   */
  constructor(open: readonly OpenedCall[], toolNames: () => Iterable<string>) {
    this.#open = open;
    this.#toolNames = toolNames;
  }

  /** Renumbers the tool call deltas of a chunk, in place. Anything that is not such a chunk passes. */
  route(chunk: unknown): void {
    const delta = (chunk as { choices?: { delta?: CallingDelta | null }[] } | null)?.choices?.[0]?.delta;
    if (delta === null || delta === undefined) return;
    const sent = delta.tool_calls;
    if (sent === null || sent === undefined) {
      if (delta.function_call) this.#routeAll(delta, [{ index: 0, function: delta.function_call }]);
      return;
    }
    if (Array.isArray(sent) && sent.length === 1 && this.#continues(sent[0])) return;
    this.#routeAll(delta, sent);
  }

  /** On its own, so that the regular delta costs no room for closures. */
  #routeAll(delta: CallingDelta, sent: unknown): void {
    const deltas = [sent].flat().filter(isDelta);
    if (sent !== delta.tool_calls || !Array.isArray(sent) || deltas.length < sent.length) delta.tool_calls = deltas;
    const routed = deltas.map((item) => this.#routeOne(item));
    for (const call of routed) if (call !== undefined) call.ahead.length = 0;
  }

  /** The regular delta of the call under way: its number and a piece of text, nothing that speaks of another. */
  #continues(item: ToolDelta | null | undefined): boolean {
    const call = this.#current;
    if (call === undefined || item?.index !== call.slot) return false;
    const fn = item.function;
    if (typeof fn?.arguments !== "string" || item.custom) return false;
    // Some servers repeat id and name in every delta: the id says that it is the same call.
    return item.id ? item.id === call.id && (!fn.name || fn.name === call.name) : !fn.name;
  }

  /** @returns the call the delta went to; `undefined` for one that is not routed */
  #routeOne(item: ToolDelta): RoutedCall | undefined {
    // Some servers leave out the object around name and arguments.
    if (item.function === undefined && item.custom === undefined) item.function = functionBeside(item);
    const claims = readClaims(item);
    // A grammar tool's input is plain text, not JSON: upstream's own numbering is all there is.
    if (item.custom !== undefined && item.custom !== null) {
      this.#pass(claims);
      return undefined;
    }
    // An adapter may trip over a missing function, and read a text that is not there as an empty object.
    if (typeof item.function !== "object" || item.function === null) item.function = {};
    item.function.arguments ??= "";
    const known = this.#find(claims);
    const call = known ?? this.#create(claims, item);
    if (claims.id !== "" && !this.#byId.has(claims.id)) {
      if (call.id === "") call.id = claims.id;
      // Upstream knows a call by every id it came under.
      this.#byId.set(claims.id, call);
    }
    if (call.name !== claims.name && claims.name !== "") this.#learnName(call, claims.name);
    if (known === undefined && claims.index !== undefined && this.#byIndex.has(claims.index))
      this.#shared.add(claims.index);
    if (claims.index !== undefined && (known === undefined || !this.#byIndex.has(claims.index))) {
      this.#byIndex.set(claims.index, call);
    }
    if (item.index !== call.slot) item.index = call.slot;
    this.#current = this.#byIndex.get(call.slot) === call ? call : undefined;
    if (claims.text !== "") call.ahead.push(claims.text);
    return call;
  }

  /** A name that came after an empty one, or goes on where the call's own stopped. */
  #learnName(call: RoutedCall, name: string): void {
    if (call.name === "") call.learnName(name);
    else if (call.state === "empty") call.learnName(this.#continuedName(call, name) ?? call.name);
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
    const named = id === "" ? undefined : this.#byId.get(id);
    if (numbered !== undefined) {
      // Under a number of several calls only the id can tell them apart.
      if (named !== undefined && this.#shared.has(index as number) && (name === "" || name === named.name))
        return named;
      return this.#beginsAnother(numbered, claims) ? this.#otherById(numbered, id) : numbered;
    }
    if (named !== undefined && this.#isRenamed(named, name)) return undefined;
    if (named !== undefined)
      return index !== undefined && beginsAnother(named, { ...claims, id: "" }) ? undefined : named;
    return this.#continued(claims);
  }

  #beginsAnother(call: RoutedCall, claims: Claims): boolean {
    return beginsAnother(call, claims) || this.#isRenamed(call, claims.name);
  }

  /** Whether a call without any text is named once more, and not as the same. */
  #isRenamed(call: RoutedCall, name: string): boolean {
    if (name === "" || call.name === "" || name === call.name || call.state !== "empty") return false;
    return this.#continuedName(call, name) === undefined;
  }

  #continuesName(call: RoutedCall, name: string): boolean {
    if (name === "" || name === call.name || call.state !== "empty") return false;
    return call.name === "" || this.#continuedName(call, name) !== undefined;
  }

  #continuedName(call: RoutedCall, name: string): string | undefined {
    return continuedName(call.name, name, this.#toolNames());
  }

  #otherById(numbered: RoutedCall, id: string): RoutedCall | undefined {
    const other = id === "" ? undefined : this.#byId.get(id);
    return other === numbered ? undefined : other;
  }

  /** For a delta under an unknown number, or none, and without a known id: the open call it must belong to. */
  #continued(claims: Claims): RoutedCall | undefined {
    const last = this.#calls.at(-1);
    if (last === undefined) return undefined;
    if (claims.id === "" && this.#continuesName(last, claims.name)) return last;
    if (claims.name !== "" || claims.id !== "") return mayContinue(last, claims) ? last : undefined;
    if (claims.index === undefined) return last;
    if (claims.text === "") return undefined;
    if (last.state !== "whole") return last;
    if (this.#calls.length > MAX_SEARCHED) return undefined;
    const open = this.#calls.filter((call) => call.state !== "whole");
    return open.length === 1 ? open[0] : undefined;
  }

  #create(claims: Claims, item: ToolDelta): RoutedCall {
    const slot = claims.index !== undefined && !this.#slots.has(claims.index) ? claims.index : this.#freeSlot();
    const taken = claims.id !== "" && this.#byId.has(claims.id);
    // Upstream joins calls of one id; the guard gives the second call an id of its own.
    if (taken) item.id = "";
    const position = this.#opened++;
    const opened = () => this.#open[position];
    const call = new RoutedCall(slot, taken ? "" : claims.id, claims.name, opened);
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
