// One tool call delta of a chat-completions chunk, the call it may belong to, and the rules that tell whether it does. Asked
// by the router for deltas that are not plainly regular. Decides from number, id, name and text, never from time.
import type { OpenedCall } from "./call-block.ts";
import { JsonEnd, type TextState } from "./json-end.ts";

/** A delta of the wire format, as far as routing goes. Everything in it may be missing or of another type. */
export interface ToolDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null | undefined;
  custom?: unknown;
  name?: unknown;
  arguments?: unknown;
}

const NO_TEXT: readonly string[] = [];

/** One call as the deltas so far tell it. `slot` is the number upstream knows it by. */
export class RoutedCall {
  readonly slot: number;
  id: string;
  name: string;
  /** Text that was routed in the chunk at hand, which upstream has not read yet. */
  readonly ahead: string[] = [];
  readonly #opened: () => OpenedCall | undefined;
  readonly #end = new JsonEnd();

  /** @param opened the call as it went through upstream so far; `undefined` before it did */
  constructor(slot: number, id: string, name: string, opened: () => OpenedCall | undefined) {
    this.slot = slot;
    this.id = id;
    this.name = name;
    this.#opened = opened;
  }

  /** A name that came, or went on, after the call was opened: adapters that read it once have missed it. */
  learnName(name: string): void {
    this.name = name;
    const opened = this.#opened();
    if (opened !== undefined) opened.lateName = name;
  }

  get #arrived(): readonly string[] {
    return this.#opened()?.pieces ?? NO_TEXT;
  }

  get pieces(): readonly string[] {
    return this.ahead.length === 0 ? this.#arrived : [...this.#arrived, ...this.ahead];
  }

  get state(): TextState {
    return this.ahead.length === 0 ? this.#end.state(this.#arrived) : new JsonEnd().state(this.pieces);
  }
}

/** A delta's own claims, with the server's absent values folded to `""` and `undefined`. */
export interface Claims {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Whether a delta under a call's number begins another call. It does when it brings a name and the call's text is whole
 * and not a placeholder, or a new id and name with a text that begins a value. A new id alone does not: some servers
 * draw one for each delta.
 */
export function beginsAnother(call: RoutedCall, { id, name, text }: Claims): boolean {
  if (name === "") return false;
  const state = call.state;
  const newId = id !== "" && call.id !== "" && id !== call.id;
  // a name that is late, even behind all of the text
  if (call.name === "" && !newId && text.trim() === "") return false;
  if (state === "whole") return newId || (id === "" && beginsNext(call, name, text));
  if (state === "empty") return newId && (name !== call.name || text === "");
  return newId && beginsValue(text);
}

/** Whether a delta with a name or id that fits no call still continues the last one: same name, no fresh value. */
export function mayContinue(last: RoutedCall, { index, id, name, text }: Claims): boolean {
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

/** What a delta says about itself. A number for an id, a text for a number, a name or arguments that are no text are put right in place. */
export function readClaims(item: ToolDelta): Claims {
  if (typeof item.id === "number") item.id = String(item.id);
  const index = typeof item.index === "string" && /^\d{1,6}$/.test(item.index) ? Number(item.index) : item.index;
  const fn = item.function;
  if (fn && fn.name !== undefined && typeof fn.name !== "string") fn.name = "";
  const args = fn?.arguments;
  if (fn && args !== undefined && args !== null && typeof args !== "string") fn.arguments = JSON.stringify(args);
  return {
    index: typeof index === "number" ? index : undefined,
    id: typeof item.id === "string" ? item.id : "",
    name: typeof fn?.name === "string" ? fn.name : "",
    text: typeof fn?.arguments === "string" ? fn.arguments : "",
  };
}

/** Whether a list entry is a delta, and one that says anything. */
export function isDelta(item: unknown): item is ToolDelta {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return false;
  const { index, id, function: fn, custom, name, arguments: args } = item as ToolDelta;
  return [index, id, fn, custom, name, args].some((part) => part !== undefined && part !== null);
}

/** Name and arguments as they stand beside the id, where no object is around them. */
export function functionBeside({ name, arguments: args }: ToolDelta): ToolDelta["function"] {
  return name === undefined && args === undefined ? undefined : { name, arguments: args };
}

/**
 * The name that two names of one call make: the second one where it is the first one grown, or both together where that
 * begins a tool's name and the second alone is none. `undefined`: the second is another call's.
 */
export function continuedName(first: string, second: string, toolNames: Iterable<string>): string | undefined {
  const names = [...toolNames];
  if (second.startsWith(first) && !names.includes(first)) return second;
  const joined = first + second;
  return !names.includes(second) && names.some((name) => name.startsWith(joined)) ? joined : undefined;
}
