// The listener of the text protocol: reads the envelopes that a model without tools prints. The speaker is
// `render-primer.ts`. Unlike leaked calls, these were asked for: a broken or cut one is answered, not ignored. Arguments are
// not checked here, that is the next step of every call.

import { CodeMask } from "./code-mask.ts";
import { type EnvelopeForm, printEnvelope } from "./envelope-forms.ts";
import { closeTagEnd } from "./grammars/close-tag.ts";
import { Enclosures } from "./grammars/enclosures.ts";
import { piCallOpening, readPiCall } from "./grammars/families/pi-call.ts";
import { REASONING_ENDS, REASONING_GRAMMARS } from "./grammars/families/reasoning.ts";
import { readToolCallTag } from "./grammars/families/tool-call-tag.ts";
import type { Range } from "./grammars/grammar.ts";
import { startsLine } from "./grammars/invisible.ts";
import { callOf, readJsonAt } from "./grammars/json-calls.ts";
import { isInTheMiddle } from "./grammars/mentions.ts";
import { isQuotedInline } from "./grammars/quoted-inline.ts";
import { withoutRanges } from "./grammars/residual-text.ts";
import { Source } from "./grammars/source.ts";
import { ToolTable } from "./grammars/tool-table.ts";
import { isJsonObject } from "./json-value.ts";
import { readLenientJson, readRawArguments } from "./read-raw-arguments.ts";
import { resolveToolName } from "./resolve-tool-name.ts";
import type { RepairTool } from "./types.ts";

/** A call that was sent as text. */
export interface TextToolCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly range: Range;
}

/** An envelope that holds no call, and what to tell the model. */
export interface RefusedEnvelope {
  readonly reason: "unknown-tool" | "malformed" | "truncated" | "mentioned";
  /** The name as sent, "" where the envelope names none. */
  readonly name: string;
  readonly message: string;
  readonly range: Range;
}

export interface TextToolCalls {
  /** In document order. */
  readonly calls: readonly TextToolCall[];
  /** The text without the envelopes, prose in place; the same string where there are none. */
  readonly text: string;
  readonly refused: readonly RefusedEnvelope[];
}

/** Limits of one reading. */
export interface TextProtocolOptions {
  /** Longest text that is read, in UTF-16 units (default 16 Mi); a longer one holds no calls. */
  readonly maxLength?: number | undefined;
  /** The form that the model was shown, for what it is told; all forms are read (default: the canonical one). */
  readonly form?: EnvelopeForm | undefined;
  /** What becomes of an envelope whose sentence goes on behind it: it may be shown or made (default `read`). Refused, it
   * stays in the text. */
  readonly mentions?: "read" | "refuse" | undefined;
}

const MAX_LENGTH = 16 * 1024 * 1024;
const PI_OPEN = "<pi:call";
const PI_CLOSE = "</pi:call>";
const TAG_OPEN = "<tool_call>";
const TAG_CLOSE = "</tool_call>";
const FENCE = /```+(?:tool_calls?|tool)[ \t]*\r?\n/y;
const FENCE_CLOSE = /(?<!`)```+[ \t]*(?=\r?\n|$)/g;
/** An opening tag that ends in the middle. */
const CUT_OPENING = /^<pi:call(?:\s+(?:n|na|nam|name(?:\s*=[^<>\n]*)?)?)?$/;
/** The opening of a call whose values stand between tags. */
const CUT_TAGS =
  /<tool_call>\s{0,64}(?:<(?:function|invoke)(?:=|\s{1,4}name=)["']?)?([A-Za-z_][\w.-]{0,127})["']?>?\s{0,64}<(?:parameter|param|arg_key)\b/y;
/** An opening tag that names no tool. */
const UNNAMED = /<pi:call(?:\s[^<>\n]{0,200})?>/y;
const ENVELOPES = [PI_OPEN, TAG_OPEN, "```tool"] as const;
const REASONING = new Map(REASONING_GRAMMARS.flatMap((grammar) => grammar.openers.map((open) => [open, grammar])));
const OPENERS: readonly string[] = [...ENVELOPES, ...REASONING.keys(), ...REASONING_ENDS];
const MENTIONED =
  "A call in the middle of a sentence was not run. To make it, print its envelope on a line of its own; if you only showed it, go on.";

/** The calls that `text` spells as envelopes for `tools`. Never throws; linear in the text. */
export function parseTextToolCalls(
  text: string,
  tools: readonly RepairTool[],
  options: TextProtocolOptions = {},
): TextToolCalls {
  const isCandidate = ENVELOPES.some((opener) => text.includes(opener));
  if (!isCandidate || text.length > (options.maxLength ?? MAX_LENGTH)) return { calls: [], text, refused: [] };
  return new Listener(text, tools, options).read();
}

type Envelope =
  | { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]; readonly end: number }
  | { readonly reason: "malformed" | "truncated"; readonly name: string; readonly end: number };

class Listener {
  private readonly source: Source;
  private readonly active: ReadonlyMap<string, RepairTool>;
  private calls: TextToolCall[] = [];
  private refused: RefusedEnvelope[] = [];
  private removed: Range[] = [];
  private readonly form: EnvelopeForm | undefined;
  private readonly refusesMentions: boolean;

  constructor(text: string, tools: readonly RepairTool[], { form, mentions }: TextProtocolOptions) {
    this.form = form;
    this.refusesMentions = mentions === "refuse";
    this.source = new Source(text, new ToolTable(tools));
    this.active = new Map(tools.map((tool) => [tool.name, tool]));
  }

  read(): TextToolCalls {
    const { source } = this;
    const { text } = source;
    const mask = new CodeMask(text);
    const signs = new Enclosures(text);
    let position = 0;
    for (let found = this.nextOpener(0); found !== undefined; found = this.nextOpener(position)) {
      const { at, opener } = found;
      const code = mask.codeEnd(at);
      if (code > at) {
        position = code;
        continue;
      }
      const reasoning = this.reasoningEnd(found);
      if (reasoning !== undefined) {
        position = reasoning;
        mask.skip(position);
        continue;
      }
      const isEnvelope = !source.exhausted && ENVELOPES.some((one) => one === opener);
      const envelope = isEnvelope ? this.envelopeAt(at) : undefined;
      if (envelope === undefined) {
        position = at + 1;
        continue;
      }
      position = Math.max(envelope.end, at + 1);
      mask.skip(position);
      const isShown = signs.surround(at, envelope.end) || isQuotedInline(text, at, envelope.end);
      if (!isShown) this.take(envelope, at);
    }
    return { calls: this.calls, text: withoutRanges(text, this.removed), refused: this.refused };
  }

  private nextOpener(from: number): { readonly at: number; readonly opener: string } | undefined {
    let first: { readonly at: number; readonly opener: string } | undefined;
    for (const opener of OPENERS) {
      const at = this.source.find(opener, from);
      if (at !== -1 && (first === undefined || at < first.at)) first = { at, opener };
    }
    return first;
  }

  /**
   * Where the reasoning ends whose start or end stands at `at`; undefined where there is none. What stands before an end
   * without a start is reasoning, too: the prompt held the start. Nothing in reasoning is a call.
   */
  private reasoningEnd({ at, opener }: { readonly at: number; readonly opener: string }): number | undefined {
    const { source } = this;
    const pair = REASONING.get(opener);
    if (pair !== undefined) return pair.read(source, at, opener)?.end;
    const end = at + opener.length;
    if (!REASONING_ENDS.includes(opener) || isQuotedInline(source.text, at, end)) return undefined;
    this.calls = [];
    this.refused = [];
    this.removed = [];
    return end;
  }

  private envelopeAt(at: number): Envelope | undefined {
    const { source } = this;
    if (source.startsWith(PI_OPEN, at)) return readPiCall(source, at) ?? this.brokenPiCall(at);
    if (source.startsWith(TAG_OPEN, at)) return readToolCallTag(source, at) ?? this.brokenTag(at);
    return this.fence(at);
  }

  /** An envelope whose JSON does not scan: the text up to its close tag goes to the lenient reader. */
  private brokenPiCall(at: number): Envelope | undefined {
    const { source } = this;
    const opening = piCallOpening(source, at);
    if (opening === undefined) {
      // A cut opening tag is an envelope, any other text that begins like one is prose.
      const isCut = source.find(">", at) === -1 && CUT_OPENING.test(source.text.slice(at, at + 200).trimEnd());
      return isCut ? { reason: "truncated", name: "", end: source.text.length } : this.unnamedPiCall(at);
    }
    const { name } = opening;
    const close = source.find(PI_CLOSE, opening.end);
    const next = source.find(PI_OPEN, opening.end);
    const end = next !== -1 && (close === -1 || next < close) ? next : close;
    if (end === -1) return { reason: "truncated", name, end: source.text.length };
    if (end === next) return { reason: "truncated", name, end };
    const read = readRawArguments(source.text.slice(opening.end, end), { toolName: name });
    if (read.ok) return { calls: [{ name, arguments: read.value }], end: end + PI_CLOSE.length };
    const reason = read.reason === "truncated" ? "truncated" : "malformed";
    return { reason, name, end: end + PI_CLOSE.length };
  }

  /** An envelope whose opening tag names no tool: its object may. */
  private unnamedPiCall(at: number): Envelope | undefined {
    const { source } = this;
    UNNAMED.lastIndex = at;
    if (!UNNAMED.test(source.text)) return undefined;
    const body = source.skipBlank(UNNAMED.lastIndex);
    const close = source.find(PI_CLOSE, body);
    const next = source.find(PI_OPEN, body);
    if (close === -1 || (next !== -1 && next < close)) return undefined;
    return this.lenientObject(body, close, "", close + PI_CLOSE.length);
  }

  private brokenTag(at: number): Envelope | undefined {
    const { source } = this;
    const body = source.skipBlank(at + TAG_OPEN.length);
    if (body >= source.text.length) return { reason: "truncated", name: "", end: body };
    if (source.text.charAt(body) !== "{") return this.cutTag(at);
    const name = /"name"\s*:\s*"([^"\\\n]{1,128})"/.exec(source.text.slice(body, body + 400))?.[1] ?? "";
    const close = source.find(TAG_CLOSE, body);
    if (close === -1) return { reason: "truncated", name, end: source.text.length };
    return this.lenientObject(body, close, name, close + TAG_CLOSE.length);
  }

  /** Tags of a call that is cut in a value: what the value shows is not read. */
  private cutTag(at: number): Envelope | undefined {
    const { source } = this;
    CUT_TAGS.lastIndex = at;
    const name = CUT_TAGS.exec(source.text)?.[1];
    if (name === undefined || resolveToolName(name, this.active).outcome === "bounced") return undefined;
    const close = source.find(TAG_CLOSE, CUT_TAGS.lastIndex);
    const next = source.find(TAG_OPEN, CUT_TAGS.lastIndex);
    if (close !== -1 && (next === -1 || close < next))
      return { reason: "malformed", name, end: close + TAG_CLOSE.length };
    return { reason: "truncated", name, end: source.text.length };
  }

  private lenientObject(from: number, to: number, name: string, end: number): Envelope {
    const read = readLenientJson(this.source.text.slice(from, to));
    if (!read.ok) return { reason: read.reason === "truncated" ? "truncated" : "malformed", name, end };
    const call = isJsonObject(read.value) ? callOf(read.value) : undefined;
    return call === undefined ? { reason: "malformed", name, end } : { calls: [call], end };
  }

  /** A fence tagged as a call, at the start of a line. */
  private fence(at: number): Envelope | undefined {
    const { source } = this;
    const { text } = source;
    if (!startsLine(text, at)) return undefined;
    FENCE.lastIndex = at;
    const head = FENCE.exec(text);
    if (head === null) return undefined;
    const body = source.skipBlank(FENCE.lastIndex);
    const json = text.charAt(body) === "{" ? readJsonAt(source, body) : undefined;
    if (json !== undefined) {
      const end = closeTagEnd(source, json.end, "```");
      const call = isJsonObject(json.value) ? callOf(json.value) : undefined;
      if (end !== -1 && call !== undefined) return { calls: [call], end };
    }
    FENCE_CLOSE.lastIndex = json?.end ?? body;
    const close = FENCE_CLOSE.exec(text);
    if (close === null) return { reason: "truncated", name: "", end: text.length };
    return this.lenientObject(body, close.index, "", close.index + close[0].length);
  }

  private take(envelope: Envelope, start: number): void {
    const range = { start, end: envelope.end };
    if (this.refusesMentions && !("reason" in envelope) && isInTheMiddle(this.source.text, start, envelope.end)) {
      this.refused.push({ reason: "mentioned", name: envelope.calls[0]?.name ?? "", range, message: MENTIONED });
      return;
    }
    this.removed.push(range);
    if ("reason" in envelope) {
      const { reason, name } = envelope;
      this.refused.push({
        reason,
        name,
        range,
        message: reason === "truncated" ? cutMessage(name, this.form) : brokenMessage(name, this.form),
      });
      return;
    }
    for (const call of envelope.calls) {
      const resolved = resolveToolName(call.name, this.active);
      if (resolved.outcome === "bounced") {
        this.refused.push({ reason: "unknown-tool", name: call.name, range, message: resolved.message });
      } else if (call.arguments === undefined) {
        this.refused.push({
          reason: "malformed",
          name: call.name,
          range,
          message: brokenMessage(call.name, this.form),
        });
      } else this.calls.push({ name: resolved.name, arguments: call.arguments, range });
    }
  }
}

function shown(name: string): string {
  const tool = name.replace(/[^\w.\-/]/g, "").slice(0, 48);
  return tool === "" ? "A call" : `The call of ${tool}`;
}

function example(name: string, form: EnvelopeForm | undefined): string {
  const tool = name.replace(/[^\w.\-/]/g, "").slice(0, 48);
  return printEnvelope(tool === "" ? "TOOL" : tool, "{…}", form);
}

function cutMessage(name: string, form: EnvelopeForm | undefined): string {
  return `${shown(name)} was cut off before its end and was not run. Send it again, whole: ${example(name, form)}`;
}

function brokenMessage(name: string, form: EnvelopeForm | undefined): string {
  const fault = name === "" ? "names no tool or " : "";
  return `${shown(name)} ${fault}holds no readable JSON object and was not run. Send one JSON object: ${example(name, form)}`;
}
