// The ids of stored calls as a backend gets them: each its own, on the call and on its result. Runs over the messages of a
// request, one look a call. Never changes a message, and leaves an id alone that upstream's adapter sends right.
import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import { IdSynthesizer, pairingPart } from "../tool-repair/synthesize-ids.ts";

/** What is known about the ids of one kind of backend. */
interface IdRule {
  /**
   * What upstream's adapter may make of an id that another model's call has: it replaces characters and cuts, so two ids can
   * become one. Texts of the same form are the same id to the backend.
   */
  readonly forms: (id: string, model: Target) => readonly string[];
  /** The ids the backend takes, where it refuses others even from its own history. */
  readonly accepts?: RegExp;
  /** The part of an id that pairs, where it is not the whole. */
  readonly pairs?: (id: string) => string;
  /** `false` where an id that others take as it is may not be. */
  readonly takesPlain?: false;
  /** The form a model family numbers its calls in; it reads others as a sign to print calls as text. */
  readonly numbered?: { readonly is: RegExp; readonly make: (tool: string, number: number) => string };
}

/** What every adapter sends as it is and every backend takes, but for those that want ids of a form of their own. */
const PLAIN_ID = /^[a-zA-Z0-9_-]{0,39}[a-zA-Z0-9-]$/;

const plain = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
const plainPart = (part: string) => plain(part).replace(/_{1,64}$/, "");

const PLAIN: IdRule = { forms: (id) => [plain(id)] };

/** Only the first of two joined ids pairs; servers that upstream does not know as OpenAI's get both as one. */
const RESPONSES: IdRule = { forms: (id) => [plainPart(pairingPart(id)), plainPart(id)], pairs: pairingPart };

const RULES: ReadonlyMap<Api, IdRule> = new Map<Api, IdRule>([
  ["anthropic-messages", PLAIN],
  ["google-generative-ai", PLAIN],
  ["google-vertex", PLAIN],
  ["bedrock-converse-stream", { ...PLAIN, accepts: /^[a-zA-Z0-9_-]{1,64}$/ }],
  ["openai-responses", RESPONSES],
  ["azure-openai-responses", RESPONSES],
  ["openai-codex-responses", RESPONSES],
  ["openai-completions", { forms: completionsForms }],
  ["mistral-conversations", { forms: mistralForms, accepts: /^[a-zA-Z0-9]{9}$/, takesPlain: false }],
]);

/** Joined ids become one, or a hash of the whole from 41 characters on; others are cut for OpenAI alone. */
function completionsForms(id: string, { provider }: Target): readonly string[] {
  if (!id.includes("|")) return [provider === "openai" ? id.slice(0, 40) : id];
  const joined = id.replace(/[^a-zA-Z0-9_-]/g, "_");
  return joined.length <= 40 ? [joined, joined.replace(/_$/, "")] : [];
}

/** Nine letters and digits stay; everything else becomes a hash. */
function mistralForms(id: string): readonly string[] {
  const letters = id.replace(/[^a-zA-Z0-9]/g, "");
  return letters.length === 9 ? [letters] : [];
}

/** Chat completions take any text, so these models can see the ids that they were trained on. */
const KIMI: IdRule = {
  forms: completionsForms,
  takesPlain: false,
  numbered: {
    is: /^(?:functions\.)?[\w-]+:\d+$/,
    make: (tool, number) => `functions.${tool.replace(/[^\w-]/g, "_")}:${number}`,
  },
};

const ANY: IdRule = { forms: (id) => [id] };

/** A message as far as ids matter: upstream's messages and those of hosts that add kinds of their own. */
interface IdMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly toolCallId?: unknown;
}

interface IdBlock {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
}

/** The model a request goes to, as far as ids depend on it. */
type Target = Pick<Model<Api>, "api" | "provider" | "id">;

/**
 * The messages of a request with ids that the model's backend takes and tells apart: where two calls would have the same
 * one, the later gets another. A call has the same id in every request as long as the conversation before it is the same.
 *
 * @returns the same list when nothing had to change; otherwise a copy, with unchanged messages by reference
 */
export function withOutgoingIds<M extends IdMessage>(messages: readonly M[], model: Target): readonly M[] {
  if (sendsPlainIds(model) && arePlain(messages, model)) return messages;
  const ids = new OutgoingIds(model);
  let changed: M[] | undefined;
  for (const [index, message] of messages.entries()) {
    const sent = ids.message(message);
    if (sent === message) continue;
    changed ??= [...messages];
    changed[index] = sent as M;
  }
  return changed ?? messages;
}

/** The model that was asked for last: a conversation asks for the same one all the time. */
let asked: { readonly api: Api; readonly id: string; readonly sendsPlain: boolean } | undefined;

/** Whether a backend gets ids that are plain, and each its own, as they are. */
export function sendsPlainIds(model: Target): boolean {
  const { api, id } = model;
  if (asked?.id !== id || asked.api !== api) asked = { api, id, sendsPlain: ruleFor(model).takesPlain !== false };
  return asked.sendsPlain;
}

export function isPlainId(id: unknown): id is string {
  return typeof id === "string" && PLAIN_ID.test(id);
}

/** Whether every call of a conversation has an id that goes out as it is, as is the rule: then nothing else has to be looked at. */
function arePlain(messages: readonly IdMessage[], model: Target): boolean {
  const { pairs } = ruleFor(model);
  const seen = new Set<unknown>();
  for (const message of messages) {
    if (message.role !== "assistant" || !Array.isArray(message.content)) continue;
    const part = isFrom(message, model) ? pairs : undefined;
    for (const block of message.content as readonly (IdBlock | null)[]) {
      if (block?.type !== "toolCall") continue;
      const id = part !== undefined && typeof block.id === "string" ? part(block.id) : block.id;
      if (!isPlainId(id) || seen.has(id)) return false;
      seen.add(id);
    }
  }
  return true;
}

/** Whether a reply is the target's own: its ids are replayed as they came. */
function isFrom(message: IdMessage, target: Target): boolean {
  const { provider, api, model } = message as Partial<AssistantMessage>;
  return provider === target.provider && api === target.api && model === target.id;
}

function ruleFor({ api, id }: Target): IdRule {
  if (api === "openai-completions" && id.toLowerCase().includes("kimi")) return KIMI;
  return RULES.get(api) ?? ANY;
}

class OutgoingIds {
  readonly #model: Target;
  readonly #rule: IdRule;
  /** Every form an id has on the wire so far, and every stored id: upstream maps results by those. */
  readonly #taken = new Set<string>();
  readonly #synthesizer = new IdSynthesizer(this.#taken, "outgoing");
  /** Stored id → the ids sent for the latest reply's calls that have it, in order. */
  readonly #waiting = new Map<unknown, string[]>();
  #count = 0;
  #made = 0;
  #next = 0;

  constructor(model: Target) {
    this.#model = model;
    this.#rule = ruleFor(model);
  }

  message(message: IdMessage): IdMessage {
    if (message.role === "toolResult") {
      const id = this.#resultId(message.toolCallId);
      return id === message.toolCallId ? message : { ...message, toolCallId: id };
    }
    if (message.role !== "assistant" || !Array.isArray(message.content)) return message;
    const { stopReason } = message as Partial<AssistantMessage>;
    // Upstream leaves failed replies out: their ids are free.
    if (stopReason === "error" || stopReason === "aborted") return message;
    return this.#reply(message, message.content);
  }

  #reply(message: IdMessage, blocks: readonly (IdBlock | null)[]): IdMessage {
    const isOwn = isFrom(message, this.#model);
    const sent = new Map<unknown, string[]>();
    let changed: (IdBlock | null)[] | undefined;
    for (const [index, block] of blocks.entries()) {
      if (block?.type !== "toolCall") continue;
      const id = this.#claim(block, isOwn);
      const same = sent.get(block.id);
      if (same === undefined) sent.set(block.id, [id]);
      else same.push(id);
      if (id === block.id) continue;
      changed ??= [...blocks];
      changed[index] = { ...block, id };
    }
    for (const [stored, list] of sent) this.#waiting.set(stored, list);
    return changed === undefined ? message : { ...message, content: changed };
  }

  /** Results of calls with one id pair in order; a further result goes to the last of them. */
  #resultId(stored: unknown): unknown {
    const sent = this.#waiting.get(stored);
    if (sent === undefined) return stored;
    return sent.length > 1 ? sent.shift() : sent[0];
  }

  #claim({ id: stored, name }: IdBlock, isOwn: boolean): string {
    const number = this.#count++;
    const { forms, accepts, pairs, numbered } = this.#rule;
    if (typeof stored !== "string" || numbered?.is.test(stored) === false) return this.#make(name, number);
    const isRefused = isOwn && accepts?.test(stored) === false;
    const rewritten = isOwn && !isRefused ? [pairs?.(stored) ?? stored] : forms(stored, this.#model);
    const all = new Set([stored, ...rewritten]);
    for (const form of all) if (form === "" || this.#taken.has(form)) return this.#make(name, number);
    for (const form of all) this.#taken.add(form);
    if (!isRefused) return stored;
    const [form] = rewritten;
    return form !== undefined && accepts?.test(form) ? form : this.#make(name, number);
  }

  /** An id that no other call has. @param number the call's place in the request */
  #make(name: unknown, number: number): string {
    const { numbered } = this.#rule;
    if (numbered === undefined) return this.#synthesizer.make(++this.#made);
    const tool = typeof name === "string" ? name : "";
    // Numbers go up, so that none is tried twice.
    for (this.#next = Math.max(number, this.#next); ; this.#next++) {
      const id = numbered.make(tool, this.#next);
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}
