// The ids of stored calls as a backend gets them: each its own, on the call and on its result. Runs over the messages of a
// request in order, one look a call. Never changes a message, and leaves an id alone that upstream's adapter sends right.
import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import { IdSynthesizer, pairingPart } from "../tool-repair/synthesize-ids.ts";

/** What is known about the ids of one kind of backend. */
interface IdRule {
  /**
   * What upstream's adapter may make of an id that another model's call has: it replaces characters and cuts, so two ids can
   * become one. Texts of the same form are the same id to the backend.
   */
  readonly forms: (id: string, model: Model<Api>) => readonly string[];
  /** The ids the backend takes, where it refuses others even from its own history. */
  readonly accepts?: RegExp;
  /** The part of an id that pairs, where it is not the whole. */
  readonly pairs?: (id: string) => string;
}

const plain = (id: string) => id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
const plainPart = (part: string) => plain(part).replace(/_+$/, "");

const PLAIN: IdRule = { forms: (id) => [plain(id)] };

/** Only the first of two joined ids pairs; servers that upstream does not know as OpenAI's get both as one. */
const RESPONSES: IdRule = { forms: (id) => [plainPart(pairingPart(id)), plainPart(id)], pairs: pairingPart };

const RULES: { readonly [api: string]: IdRule } = {
  "anthropic-messages": PLAIN,
  "google-generative-ai": PLAIN,
  "google-vertex": PLAIN,
  "bedrock-converse-stream": { ...PLAIN, accepts: /^[a-zA-Z0-9_-]{1,64}$/ },
  "openai-responses": RESPONSES,
  "azure-openai-responses": RESPONSES,
  "openai-codex-responses": RESPONSES,
  "openai-completions": {
    // A joined id of more than 40 characters gets a hash of the whole.
    forms: (id, { provider }) => {
      if (!id.includes("|")) return [provider === "openai" ? id.slice(0, 40) : id];
      const joined = plain(pairingPart(id)) + id.slice(pairingPart(id).length).replace(/[^a-zA-Z0-9_-]/g, "_");
      return joined.length <= 40 ? [joined, joined.replace(/_$/, "")] : [];
    },
  },
  "mistral-conversations": {
    // Nine letters and digits stay, everything else becomes a hash.
    forms: (id) => [id.replace(/[^a-zA-Z0-9]/g, "")].filter((form) => form.length === 9),
    accepts: /^[a-zA-Z0-9]{9}$/,
  },
};

const ANY: IdRule = { forms: (id) => [id] };

/** The ids of one request. */
export class OutgoingIds {
  readonly #model: Model<Api>;
  readonly #rule: IdRule;
  /** Every form an id has on the wire so far, and every stored id: upstream maps results by those. */
  readonly #taken = new Set<string>();
  readonly #synthesizer = new IdSynthesizer([], "outgoing", this.#taken);
  /** Stored id → the ids sent for the latest reply's calls that have it, in order. */
  readonly #waiting = new Map<unknown, string[]>();

  constructor(model: Model<Api>) {
    this.#model = model;
    this.#rule = RULES[model.api] ?? ANY;
  }

  /** The id to send for each call of a reply. Replies have to come in the order of the conversation, failed ones left out. */
  calls(message: AssistantMessage): readonly string[] {
    const { provider, api, id: modelId } = this.#model;
    const isOwn = message.provider === provider && message.api === api && message.model === modelId;
    const own = new Map<unknown, string[]>();
    const ids: string[] = [];
    for (const block of message.content) {
      if (block?.type !== "toolCall") continue;
      const id = this.#claim(block.id, isOwn);
      ids.push(id);
      const same = own.get(block.id);
      if (same === undefined) own.set(block.id, [id]);
      else same.push(id);
    }
    for (const [stored, sent] of own) this.#waiting.set(stored, sent);
    return ids;
  }

  /** The id to send on the next result of the call with this stored id. */
  result(stored: string): string {
    const sent = this.#waiting.get(stored);
    if (sent === undefined) return stored;
    return (sent.length > 1 ? sent.shift() : sent[0]) as string;
  }

  #claim(stored: unknown, isOwn: boolean): string {
    if (typeof stored !== "string") return this.#synthesizer.claim(undefined);
    const { forms, accepts, pairs } = this.#rule;
    const isRefused = isOwn && accepts?.test(stored) === false;
    const rewritten = isOwn && !isRefused ? [pairs?.(stored) ?? stored] : forms(stored, this.#model);
    const all = new Set([stored, ...rewritten]);
    for (const form of all) {
      if (form === "" || this.#taken.has(form)) return this.#synthesizer.claim(undefined);
    }
    for (const form of all) this.#taken.add(form);
    if (!isRefused) return stored;
    const [form] = rewritten;
    return form !== undefined && accepts?.test(form) ? form : this.#synthesizer.claim(undefined);
  }
}
