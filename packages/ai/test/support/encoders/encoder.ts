// What an encoder is: one list of calls in, one provider's wire bytes out. Types, and the two pieces all of them share.
import type { AssistantMessageEventStream, Model, TranscriptContext } from "@earendil-works/pi-ai";

/** A call as the model makes it. `rawArguments` is the text it writes, valid or not. */
export interface WireCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly rawArguments: string;
}

/** How the reply ends: what the model meant, another spelling of it, or nothing at all. */
export interface WireEnding {
  readonly finish: "toolUse" | "stop" | "length" | "none";
  /** Sent literally instead of the provider's own word. */
  readonly word?: string | undefined;
  /** The last call's block is never closed, where the provider closes blocks. */
  readonly unclosed?: boolean | undefined;
}

export interface ProviderEncoder {
  readonly api: string;
  readonly contentType: string;
  /** Arguments travel inside the JSON of a chunk: text that is no JSON breaks the chunk, and the reply fails as a whole. */
  readonly argumentsAreJson: boolean;
  /** The provider's own id of a call as pi stores it. */
  readonly storedId: (id: string, position: number) => string;
  /** Whether a finish word that is not the provider's own can be sent. */
  readonly freeFinish: boolean;
  /** Whether blocks are closed one by one. */
  readonly closesBlocks: boolean;
  encode(calls: readonly WireCall[], ending: WireEnding): Uint8Array;
  /** A whole reply that is text. */
  say(text: string): Uint8Array;
  stream(baseUrl: string, context: TranscriptContext, overrides?: Partial<Model<string>>): AssistantMessageEventStream;
}

/** Cuts a text into deltas of seven characters: boundaries fall inside keys, escapes and words. */
export function deltasOf(text: string): string[] {
  const deltas: string[] = [];
  for (let at = 0; at < text.length; at += 7) deltas.push(text.slice(at, at + 7));
  return deltas;
}

/** Server-sent events: one `data` line per payload, with the event's name where the provider sends names. */
export function sse(payloads: readonly (object | string)[], named = false): Uint8Array {
  const lines = payloads.map((payload) => {
    if (typeof payload === "string") return `data: ${payload}\n\n`;
    const name = named ? `event: ${(payload as { type: string }).type}\n` : "";
    return `${name}data: ${JSON.stringify(payload)}\n\n`;
  });
  return Buffer.from(lines.join(""), "utf8");
}
