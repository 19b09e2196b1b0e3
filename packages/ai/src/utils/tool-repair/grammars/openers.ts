// Where a call may begin: a forward search for the openers of all grammars. Four characters trigger it, each found by one
// native pass, so text without markers costs little more than the passes; what stands around a trigger decides.

import { REASONING_ENDS } from "./families/reasoning.ts";
import { GRAMMARS } from "./families.ts";
import type { Grammar } from "./grammar.ts";
import { firstVisible } from "./invisible.ts";
import { MARKERS } from "./markers.ts";

/** A place where an opener stands. */
export interface Candidate {
  readonly at: number;
  readonly opener: string;
  /** The grammars that have this opener, in order; none for a bare marker or the end of reasoning. */
  readonly grammars: readonly Grammar[];
  readonly kind: "call" | "marker" | "reasoningEnd";
}

type Opener = Omit<Candidate, "at">;

/** Openers by their first four characters, longer ones first. */
const BY_START = new Map<number, Opener[]>();
/** Which hashes of the second to fourth character any opener has: most triggers end here. */
const STARTS = new Uint8Array(4096);
/** Which ASCII characters stand second in any opener: runs of one sign end here. */
const SECONDS = new Uint8Array(128);
const BY_TEXT = new Map<string, Opener>();
/** Openers that are debris where nothing can be read. */
export const DEBRIS_OPENERS = new Set<string>();
const NAME_BEFORE_BRACE = 160;
const KIMI_TAIL = /functions\.[^\s:<>|]{1,128}:\d{1,4}$/;

for (const grammar of GRAMMARS) for (const opener of grammar.openers) addOpener(opener, "call", grammar);
for (const opener of MARKERS) addOpener(opener, "marker");
for (const opener of REASONING_ENDS) addOpener(opener, "reasoningEnd");
for (const list of BY_START.values()) list.sort((a, b) => b.opener.length - a.opener.length);

function addOpener(text: string, kind: Candidate["kind"], grammar?: Grammar): void {
  const known = BY_TEXT.get(text);
  if (known !== undefined) {
    if (grammar !== undefined) (known.grammars as Grammar[]).push(grammar);
    if (kind === "marker") DEBRIS_OPENERS.add(text);
    return;
  }
  const opener: Opener = { opener: text, kind, grammars: grammar === undefined ? [] : [grammar] };
  BY_TEXT.set(text, opener);
  const key = startKey(text, 0);
  STARTS[startHash(text, 0)] = 1;
  if (text.charCodeAt(1) < 128) SECONDS[text.charCodeAt(1)] = 1;
  const list = BY_START.get(key);
  if (list === undefined) BY_START.set(key, [opener]);
  else list.push(opener);
}

/** Every opener has at least four characters, but for the one that is found by its context. */
function startHash(text: string, at: number): number {
  return (text.charCodeAt(at + 1) * 7 + text.charCodeAt(at + 2) * 131 + text.charCodeAt(at + 3) * 1031) & 4095;
}

function startKey(text: string, at: number): number {
  const [one, two, three] = [text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)];
  return ((one * 65536 + two) * 65536 + three) * 2 + (text.charCodeAt(at) & 1);
}

/** Every literal text that opens a call or is a marker, longest first. */
export const OPENER_TEXTS: readonly string[] = [...BY_TEXT.keys()].sort((a, b) => b.length - a.length);

function openerAt(text: string, at: number): Candidate | undefined {
  const second = text.charCodeAt(at + 1);
  if (second < 128 && SECONDS[second] !== 1) return undefined;
  if (STARTS[startHash(text, at)] !== 1) return undefined;
  const list = BY_START.get(startKey(text, at));
  if (list === undefined) return undefined;
  for (const opener of list) if (text.startsWith(opener.opener, at)) return { at, ...opener };
  return undefined;
}

function named(opener: string, at: number): Candidate {
  return { at, ...(BY_TEXT.get(opener) as Opener) };
}

function atSquare(text: string, at: number, floor: number): Candidate | undefined {
  if (text.charCodeAt(at - 1) === 115 && at - 9 >= floor && text.startsWith("functools", at - 9))
    return named("functools[", at - 9);
  return openerAt(text, at);
}

/** An object may be the arguments of a name before it. */
function atCurly(text: string, at: number, floor: number): Candidate | undefined {
  const before = text.charCodeAt(at - 1);
  if (before === 10) {
    const start = Math.max(floor, at - NAME_BEFORE_BRACE);
    const found = text.slice(start, at).lastIndexOf(">>>");
    if (found === -1 || text.charAt(start + found - 1) === ">") return undefined;
    return named(">>>", start + found);
  }
  if (!isNameCode(before)) return undefined;
  let start = at - 1;
  while (start > floor && at - start < NAME_BEFORE_BRACE && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  if (text.charCodeAt(start - 1) !== 58) return undefined;
  if (start - 5 >= floor && text.startsWith("call:", start - 5)) return named("call:", start - 5);
  const tail = KIMI_TAIL.exec(text.slice(Math.max(floor, at - NAME_BEFORE_BRACE), at))?.[0];
  return tail === undefined ? undefined : named("functions.", at - tail.length);
}

function atBacktick(text: string, at: number, floor: number): Candidate | undefined {
  // Only the first sign of a run begins a fence.
  if (!text.startsWith("```", at) || text.charCodeAt(at - 1) === 96) return undefined;
  if (text.startsWith("```tool", at)) return named("```tool", at);
  const start = Math.max(floor, at - 24);
  const label = text.slice(start, at).lastIndexOf("Action:");
  if (label === -1 || text.slice(start + label + 7, at).trim() !== "") return undefined;
  return named("Action:", start + label);
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 46 ||
    code === 45
  );
}

type Look = (text: string, at: number, floor: number) => Candidate | undefined;

const TRIGGERS: readonly (readonly [string, Look])[] = [
  ["<", (text, at) => openerAt(text, at)],
  ["[", atSquare],
  ["{", atCurly],
  ["`", atBacktick],
];

/** Finds candidates from left to right. Questions must move forward. */
export class OpenerSearch {
  private readonly text: string;
  private readonly waiting: (Candidate | undefined)[];
  private readonly cursors: number[];

  constructor(text: string) {
    this.text = text;
    this.waiting = TRIGGERS.map(() => undefined);
    this.cursors = TRIGGERS.map(() => 0);
  }

  /** The first opener that begins at or after `from`. */
  next(from: number): Candidate | undefined {
    if (from === 0) {
      const start = firstVisible(this.text.slice(0, 8));
      if (start !== -1 && this.text.startsWith("to=functions.", start)) return named("to=functions.", start);
    }
    let first: Candidate | undefined;
    for (let index = 0; index < TRIGGERS.length; index++) {
      const found = this.trigger(index, from);
      if (found !== undefined && (first === undefined || found.at < first.at)) first = found;
    }
    return first;
  }

  private trigger(index: number, from: number): Candidate | undefined {
    const waiting = this.waiting[index];
    if (waiting !== undefined && waiting.at >= from) return waiting;
    const { text } = this;
    const [char, look] = TRIGGERS[index] as (typeof TRIGGERS)[number];
    let cursor = this.cursors[index] as number;
    if (cursor === -1) return undefined;
    if (cursor < from) cursor = from;
    let found: Candidate | undefined;
    for (cursor = text.indexOf(char, cursor); cursor !== -1; cursor = text.indexOf(char, cursor + 1)) {
      found = look(text, cursor, from);
      if (found !== undefined) break;
    }
    this.cursors[index] = cursor === -1 ? -1 : cursor + 1;
    this.waiting[index] = found;
    return found;
  }
}
