// The listener of the text protocol: reads the envelopes that a model without tools prints. The speaker is
// `render-primer.ts`. Unlike leaked calls, these were asked for: a broken or cut one is answered, not ignored. Arguments are
// not checked here, that is the next step of every call.

import { CodeMask } from "./code-mask.ts";
import { type EnvelopeForm, printEnvelope } from "./envelope-forms.ts";
import { closeTagEnd } from "./grammars/close-tag.ts";
import { Enclosures } from "./grammars/enclosures.ts";
import { piCallOpening, readPiCall } from "./grammars/families/pi-call.ts";
import { readToolCallTag } from "./grammars/families/tool-call-tag.ts";
import type { Range } from "./grammars/grammar.ts";
import { startsLine, withoutInvisibleStart } from "./grammars/invisible.ts";
import { callOf, readJsonAt } from "./grammars/json-calls.ts";
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
  readonly reason: "unknown-tool" | "malformed" | "truncated";
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
const THINK = /^\s*<think>/;

/** The calls that `text` spells as envelopes for `tools`. Never throws; linear in the text. */
export function parseTextToolCalls(
  text: string,
  tools: readonly RepairTool[],
  options: TextProtocolOptions = {},
): TextToolCalls {
  const isCandidate = text.includes(PI_OPEN) || text.includes(TAG_OPEN) || text.includes("```tool");
  if (!isCandidate || text.length > (options.maxLength ?? MAX_LENGTH)) return { calls: [], text, refused: [] };
  return new Listener(text, tools, options.form).read();
}

type Envelope =
  | { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]; readonly end: number }
  | { readonly reason: "malformed" | "truncated"; readonly name: string; readonly end: number };

class Listener {
  private readonly source: Source;
  private readonly active: ReadonlyMap<string, RepairTool>;
  private readonly calls: TextToolCall[] = [];
  private readonly refused: RefusedEnvelope[] = [];
  private readonly removed: Range[] = [];
  private readonly form: EnvelopeForm | undefined;

  constructor(text: string, tools: readonly RepairTool[], form: EnvelopeForm | undefined) {
    this.form = form;
    this.source = new Source(text, new ToolTable(tools));
    this.active = new Map(tools.map((tool) => [tool.name, tool]));
  }

  read(): TextToolCalls {
    const { source } = this;
    const { text } = source;
    const mask = new CodeMask(text);
    const signs = new Enclosures(text);
    const thinking = THINK.test(withoutInvisibleStart(text)) ? source.find("</think>", 0) : -1;
    let position = thinking === -1 ? 0 : thinking;
    if (thinking !== -1) mask.skip(thinking);
    for (let at = this.nextOpener(position); at !== -1; at = this.nextOpener(position)) {
      const code = mask.codeEnd(at);
      if (code > at) {
        position = code;
        continue;
      }
      const envelope = source.exhausted ? undefined : this.envelopeAt(at);
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

  private nextOpener(from: number): number {
    let first = -1;
    for (const opener of [PI_OPEN, TAG_OPEN, "```tool"]) {
      const at = this.source.find(opener, from);
      if (at !== -1 && (first === -1 || at < first)) first = at;
    }
    return first;
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
      return isCut ? { reason: "truncated", name: "", end: source.text.length } : undefined;
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
  return `${shown(name)} holds no readable JSON object and was not run. Send one JSON object: ${example(name, form)}`;
}
