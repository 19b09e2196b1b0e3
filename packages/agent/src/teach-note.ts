// The one line that tells a model what was repaired in its call or how to get past a failure, and the memory of which
// lines it was already told. Asked once per executed call, when its result is at hand. Never speaks of bounced calls.
import type { AppliedRepair } from "@pi-mend/ai/tool-repair";

/** The throttle where none is set. */
const REPEAT_EVERY = 5;
/** Longest "ran as" example, in characters. */
const MAX_EXAMPLE = 160;
/** Longest string value shown inside the example. */
const MAX_STRING = 40;

/** What every line opens with. */
export const NOTE_OPENING = "[harness] ";

/** Note state of one session: how often each repair fired for each tool. */
export class TeachNotes {
  readonly #firings = new Map<string, number>();
  /** After the first note, every how many firings of the same name the note is repeated. */
  repeatEvery: number;

  constructor(repeatEvery = REPEAT_EVERY) {
    this.repeatEvery = repeatEvery;
  }

  /**
   * Counts one repaired call and returns its note when one is due.
   *
   * A name is due on its first firing for this tool in the session, then on every `repeatEvery`th. All due names of a call share
   * one line; names that are not due are left out.
   *
   * @param args the arguments the call ran with
   * @returns one line without line breaks, or `undefined` when no name is due
   */
  noteFor(tool: string, repairs: readonly AppliedRepair[], args: unknown): string | undefined {
    const due = this.#count(tool, repairs).filter(({ firing }) => this.#isDue(firing));
    if (due.length === 0) return undefined;
    const lessons = due.map(({ repair }) => `${repair.name}: ${oneLine(repair.note)}`);
    return `${NOTE_OPENING}${lessons.join("; ")}; ran as ${compactJson(args)}`;
  }

  /**
   * Counts one lesson that is no repair, and returns its line when one is due, under the same throttle.
   *
   * @param guidance what was wrong → what to do, never a value of the call
   */
  lineFor(tool: string, name: string, guidance: string): string | undefined {
    return this.#isDue(this.#next(tool, name)) ? `${NOTE_OPENING}${name}: ${oneLine(guidance)}` : undefined;
  }

  /** Counts a call whose note was already given, as when a stored session is opened again. */
  recall(tool: string, names: readonly string[]): void {
    for (const name of new Set(names)) this.#next(tool, name);
  }

  #count(tool: string, repairs: readonly AppliedRepair[]): { repair: AppliedRepair; firing: number }[] {
    const first = new Map<string, AppliedRepair>();
    for (const repair of repairs) if (!first.has(repair.name)) first.set(repair.name, repair);
    return [...first.values()].map((repair) => ({ repair, firing: this.#next(tool, repair.name) }));
  }

  #isDue(firing: number): boolean {
    return firing === 1 || firing % this.repeatEvery === 0;
  }

  #next(tool: string, name: string): number {
    const key = `${tool}\n${name}`;
    const firing = (this.#firings.get(key) ?? 0) + 1;
    this.#firings.set(key, firing);
    return firing;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** JSON of a value with long strings shortened, cut at the bound; reads no more of the value than it shows. */
function compactJson(value: unknown): string {
  const parts: string[] = [];
  let left = MAX_EXAMPLE;
  const write = (text: string): boolean => {
    if (left <= 0) return false;
    parts.push(text.length < left ? text : `${text.slice(0, left - 1)}…`);
    left -= text.length;
    return left > 0;
  };
  writeJson(value, write);
  // The cut may split a pair of surrogates. JSON escapes some controls; the others would reach a terminal with the note.
  return parts.join("").toWellFormed().replace(UNSHOWABLE, escaped);
}

const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Hands JSON text to `write` piece by piece until it answers false. Keys without a value are left out, as in JSON. */
function writeJson(value: unknown, write: (text: string) => boolean): boolean {
  if (typeof value === "string") return write(shortString(value));
  if (typeof value === "bigint") return write(String(value));
  if (typeof value !== "object" || value === null) return write(JSON.stringify(value) ?? "null");
  const list = Array.isArray(value);
  if (!write(list ? "[" : "{")) return false;
  let separator = "";
  for (const key of list ? value.keys() : Object.keys(value)) {
    const item = (value as Record<string | number, unknown>)[key];
    if (!list && item === undefined) continue;
    if (!write(separator + (list ? "" : `${shortString(String(key))}:`))) return false;
    if (!writeJson(item, write)) return false;
    separator = ",";
  }
  return write(list ? "]" : "}");
}

function shortString(text: string): string {
  return JSON.stringify(text.length > MAX_STRING ? `${text.slice(0, MAX_STRING - 1)}…` : text);
}
