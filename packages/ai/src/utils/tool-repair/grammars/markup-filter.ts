// The live view of a text that may hold calls: what may be shown of each delta. A text that may become an opener is held
// back; behind an opener, nothing is shown while it can be a call to an active tool. What turns out to be no call is released.
// Linear in the stream.

import type { RepairTool } from "../types.ts";
import { GRAMMARS } from "./families.ts";
import { goesOn } from "./mentions.ts";
import { readLeakedCalls } from "./read-leaked-calls.ts";
import { scanMarkup } from "./scanner.ts";
import { ShownCode } from "./shown-code.ts";
import { Source } from "./source.ts";
import { ToolTable } from "./tool-table.ts";

/** A filter for one text block of one message. */
export interface MarkupFilter {
  /** Takes the next delta and gives the text that may be shown now, possibly "". */
  push(delta: string): string;
  /** The rest, when the stream has ended. */
  end(): string;
}

const OPENERS: readonly string[] = GRAMMARS.filter(({ marked, family }) => marked && family !== "reasoning")
  .flatMap(({ openers }) => openers)
  .filter((opener) => /^[<[]/.test(opener) && opener !== "<|close|>" && opener !== "<|open|>")
  .flatMap((opener) => (opener.startsWith("<]") ? [`]${opener}`] : [opener]));
/** A tag that prose may mention: what follows it must look like a call at once. */
const PLAIN_TAG = /^<(?:tool_calls?|function_calls|tools)>$/;
const LONGEST_OPENER = Math.max(...OPENERS.map(({ length }) => length));
/** How much is held back until a tool's name must have come. */
const NAME_WITHIN = 160;
/** The end of every call, and something behind it. */
const BEHIND_CALL = /[>}\])]\s*\S/;
/** Reading the hidden text may cost this many times its length in all. */
const ATTEMPTS = 4;
const SPARE_ATTEMPTS = 4096;

/** A filter for the live text of a model that may call `tools`. */
export function createMarkupFilter(tools: readonly RepairTool[]): MarkupFilter {
  return new LiveFilter(tools);
}

class LiveFilter implements MarkupFilter {
  private readonly tools: readonly RepairTool[];
  private readonly table: ToolTable;
  private readonly code = new ShownCode();
  /** Not shown and not decided. */
  private pending = "";
  /** Not shown because it is a call, so far; undefined while text is shown. */
  private hidden: string[] | undefined;
  private hiddenLength = 0;
  private attempted = 0;
  /** The hidden text begins with a whole call; what follows may belong to it. */
  private isRead = false;
  /** The last character of the hidden text that is not blank. */
  private lastInk = "";

  constructor(tools: readonly RepairTool[]) {
    this.tools = tools;
    this.table = new ToolTable(tools);
  }

  push(delta: string): string {
    if (delta === "") return "";
    if (this.hidden !== undefined) return this.hide(delta);
    this.pending += delta;
    return this.show();
  }

  end(): string {
    if (this.hidden !== undefined) {
      // A sentence that leads to a call began in what was shown.
      const head = this.code.lineSoFar;
      const { text } = readLeakedCalls(head + this.hidden.join(""), this.tools, { trailingText: "refuse" });
      this.hidden = undefined;
      return text.slice(head.length);
    }
    const rest = this.pending;
    this.pending = "";
    return rest;
  }

  /** Shows what is decided of the pending text. */
  private show(): string {
    const shown: string[] = [];
    let from = 0;
    const { pending } = this;
    for (let at = nextTrigger(pending, 0); at !== -1; at = nextTrigger(pending, at + 1)) {
      const state = this.stateAt(pending, at);
      if (state === "text") continue;
      this.code.push(pending.slice(from, at));
      shown.push(pending.slice(from, at));
      from = at;
      if (this.code.isCode) continue;
      this.pending = pending.slice(at);
      if (state === "call") {
        this.hidden = [];
        this.hiddenLength = 0;
        this.attempted = 0;
        this.isRead = false;
        this.lastInk = "";
        const rest = this.pending;
        this.pending = "";
        return shown.join("") + this.hide(rest);
      }
      return shown.join("");
    }
    const rest = pending.slice(from);
    this.code.push(rest);
    this.pending = "";
    return shown.join("") + rest;
  }

  /** What stands at a trigger: the start of a call, ordinary text, or something that only more text can tell. */
  private stateAt(text: string, at: number): "call" | "text" | "open" {
    const head = text.slice(at, at + LONGEST_OPENER);
    const opener = OPENERS.find((known) => head.startsWith(known));
    if (opener === undefined) {
      const isHalf = text.length - at < LONGEST_OPENER && OPENERS.some((known) => known.startsWith(head));
      return isHalf ? "open" : "text";
    }
    const rest = text.slice(at + opener.length, at + opener.length + NAME_WITHIN);
    const body = rest.trimStart();
    const undecided = rest.length < NAME_WITHIN ? "open" : "text";
    if (body === "") return undecided;
    if (PLAIN_TAG.test(opener)) {
      const word = /^[A-Za-z_][\w.-]*/.exec(body)?.[0];
      if (word !== undefined && word.length < body.length)
        return this.table.exact(word) === undefined ? "text" : "call";
      if (word !== undefined) return this.table.names.some((name) => name.startsWith(word)) ? undecided : "text";
      if (!/^[{[<]/.test(body)) return "text";
    }
    return this.table.names.some((name) => isNamed(rest, name)) ? "call" : undecided;
  }

  /** Takes text of a call; shows what follows once the call is read and something else begins. */
  private hide(delta: string): string {
    const hidden = this.hidden as string[];
    hidden.push(delta);
    this.hiddenLength += delta.length;
    const mayGoOn = this.isRead || BEHIND_CALL.test(this.lastInk + delta);
    this.lastInk = delta.trimEnd().slice(-1) || this.lastInk;
    if (!mayGoOn) return "";
    if (this.attempted + this.hiddenLength > ATTEMPTS * this.hiddenLength + SPARE_ATTEMPTS) return "";
    this.attempted += this.hiddenLength;
    const text = hidden.join("");
    this.hidden = [text];
    const item = scanMarkup(new Source(text, this.table)).items.find(({ kind }) => kind === "calls");
    this.isRead = item !== undefined && item.start <= 1;
    if (item === undefined || !this.isRead) return "";
    const rest = text.slice(item.end);
    const follows = rest.trimStart();
    if (follows === "" || isHalfMarker(follows)) return "";
    this.hidden = undefined;
    if (goesOn(this.code.lineSoFar.trimEnd(), rest.slice(0, rest.length - follows.length + 2))) {
      const spoken = text.slice(0, item.end);
      this.code.push(spoken);
      this.pending = rest;
      return spoken + this.show();
    }
    this.code.call();
    this.pending = text.startsWith("\n") || !rest.startsWith("\n") ? rest : rest.replace(/^\n+/, "");
    return this.show();
  }
}

/** Whether the name stands in the text as a word of its own, with something behind it. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const after = text.charAt(at + name.length);
    if (!/[\w-]/.test(text.charAt(at - 1)) && after !== "" && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/** Whether more text may make this an end tag or another call of the same block. */
function isHalfMarker(text: string): boolean {
  return text.length < LONGEST_OPENER && /^[<[\]|`]/.test(text) && !/^[<[][\s\d]/.test(text);
}

function nextTrigger(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 60 || code === 91 || code === 93) return at;
  }
  return -1;
}
