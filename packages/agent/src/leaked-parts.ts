// Which blocks of a message hold calls as text, and what is left of each. Reads every text block by itself; the reasoning
// only where the message has no text. Never looks at the conversation.
import type { AssistantMessage } from "@earendil-works/pi-ai";
import {
  isBlankText,
  type LeakedCall,
  type LeakedCallOptions,
  type LeakedMessage,
  type RefusedCall,
  type RepairTool,
  readLeakedCalls,
} from "@pi-mend/ai/tool-repair";
import type { ToolLookup } from "./prepare-tool-call.ts";

/** One block that leaked markup. */
export interface LeakedPart {
  /** The block's place in the content. */
  readonly index: number;
  /** The text that the ranges count in. */
  readonly source: string;
  /** What is left of a text block's text. */
  readonly text: string;
  /** What is left of a reasoning block, or the reasoning that stood in a text block. */
  readonly thinking: string;
  /** Calls that the message alone allows, in document order. */
  readonly calls: readonly LeakedCall[];
  readonly refused: readonly RefusedCall[];
  /** The calls and the refused ones. */
  readonly leaks: readonly (LeakedCall | RefusedCall)[];
  /** Whether a call leaked, or a part of one; otherwise it was markers that mean nothing. */
  readonly isCall: boolean;
}

/** Takes any arguments. Stands for a tool that does not exist, so that its markup is read like another's. */
const ANY_OBJECT = { type: "object" };
const PLAIN_NAME = /^[\w.-]{1,64}$/;
/** How far behind the first marker of a cut call its name stands. */
const NAME_WITHIN = 300;

/**
 * @param stripsUnknown markup that names no active tool counts as leaked too
 * @returns nothing for a message without markup, or whose markup is shown as code
 */
export function leakedParts(
  message: AssistantMessage,
  tools: ToolLookup,
  stripsUnknown: boolean,
): readonly LeakedPart[] {
  const reader = new Reader([...tools.values()], { model: message.model, trailingText: "refuse" }, stripsUnknown);
  const texts = message.content.flatMap((block, index) => {
    const part = block.type === "text" ? reader.text(block.text, index) : undefined;
    return part === undefined ? [] : [part];
  });
  if (texts.length > 0 || message.content.some((block) => block.type === "text" && !isBlankText(block.text))) {
    return texts;
  }
  const index = message.content.findLastIndex(({ type }) => type === "thinking");
  const block = message.content[index];
  if (block?.type !== "thinking" || block.redacted || isSigned(message, block.thinkingSignature)) return [];
  const part = reader.thinking(block.thinking, index);
  return part === undefined ? [] : [part];
}

/** Whether the reasoning can only be replayed as it was. Chat completions keep the name of a field there. */
function isSigned({ api }: AssistantMessage, signature: string | undefined): boolean {
  return signature !== undefined && (api !== "openai-completions" || !/^\w+$/.test(signature));
}

class Reader {
  readonly #tools: readonly RepairTool[];
  readonly #options: LeakedCallOptions;
  readonly #stripsUnknown: boolean;

  constructor(tools: readonly RepairTool[], options: LeakedCallOptions, stripsUnknown: boolean) {
    this.#tools = tools;
    this.#options = options;
    this.#stripsUnknown = stripsUnknown;
  }

  text(source: string, index: number): LeakedPart | undefined {
    const read = this.#read(source);
    if (read.leaks.length > 0) return { index, source, ...read, isCall: true };
    // Reasoning in the text is no leaked call.
    if (read.text === source || read.thinking !== "") return undefined;
    return { index, source, ...read, isCall: this.#isCutCall(source, read.text) };
  }

  thinking(source: string, index: number): LeakedPart | undefined {
    const read = this.#read({ thinking: source, content: "" });
    return read.leaks.length === 0 ? undefined : { index, source, ...read, isCall: true };
  }

  #read(message: LeakedMessage): Omit<LeakedPart, "index" | "source" | "isCall"> {
    const { calls, refused, text, thinking } = readLeakedCalls(message, this.#tools, this.#options);
    const leaked = refused.filter(({ reason }) => reason !== "quoted" && reason !== "unknown-tool");
    const unknown = refused.filter(({ reason, name }) => reason === "unknown-tool" && PLAIN_NAME.test(name));
    if (unknown.length === 0 || !this.#stripsUnknown) {
      return { calls, refused: leaked, leaks: [...calls, ...leaked], text, thinking };
    }
    const names = new Set(unknown.map(({ name }) => name));
    const stands = [...names].map((name) => ({ name, parameters: ANY_OBJECT }));
    const rest = readLeakedCalls(message, [...this.#tools, ...stands], this.#options);
    const all = [...leaked, ...unknown];
    return { calls, refused: all, leaks: [...calls, ...all], text: rest.text, thinking: rest.thinking };
  }

  /** Whether the markers that went were those of a call: a tool's name stands behind the first one. */
  #isCutCall(source: string, rest: string): boolean {
    let at = 0;
    while (at < rest.length && source.charCodeAt(at) === rest.charCodeAt(at)) at++;
    const head = source.slice(at, at + NAME_WITHIN);
    return this.#tools.some(({ name }) => {
      const found = head.indexOf(name);
      return found > 0 && /["'=:>.\n]/.test(head.charAt(found - 1)) && !/[\w-]/.test(head.charAt(found + name.length));
    });
  }
}
