// Calls that a model printed as text instead of making them: which of them the message itself allows, and the text without
// their markup. Runs on a whole message. Whether a call is also a quotation of the conversation is asked apart
// (`quotation.ts`); nothing here runs anything.

import { formatBounce } from "../bounce.ts";
import { repairToolArguments } from "../repairer.ts";
import type { RepairTool } from "../types.ts";
import { withoutCutMarkers, withoutDanglingTail } from "./dangling-markers.ts";
import type { Range } from "./grammar.ts";
import { isBlankText } from "./invisible.ts";
import type { LeakedCall, LeakedCallOptions, LeakedCalls, LeakedMessage, RefusedCall } from "./leaked-calls.ts";
import { markerDebris } from "./marker-debris.ts";
import { type Mentions, mentionedItems } from "./mentions.ts";
import { withoutRanges } from "./residual-text.ts";
import { type FoundCall, type Item, type Scan, scanMarkup } from "./scanner.ts";
import { Source } from "./source.ts";
import { isTemplateCall } from "./template-call.ts";
import { ToolTable } from "./tool-table.ts";

/** Of how many refused calls the model could be told. */
const MOST_MESSAGES = 64;
/** How chat formats open the result of a call. */
const RESULT_OPENERS = ["<tool_response>", "<tool_responses>", "<tool_result>", "<tool_results>", "<function_results>"];
const NO_MENTIONS: Mentions = { items: new Set(), areDoubtful: false };

/** The calls in `message` to `tools`, what was refused, and the text that remains. Never throws; linear in the text. */
export function readLeakedCalls(
  message: LeakedMessage,
  tools: readonly RepairTool[],
  options: LeakedCallOptions = {},
): LeakedCalls {
  const content = typeof message === "string" ? message : (message.content ?? "");
  const given = typeof message === "string" ? "" : (message.thinking ?? "");
  const table = new ToolTable(tools);
  const read = readPart(content, "content", table, options);
  const inText = read.reasoning.map(({ start, end }) => content.slice(start, end).trim()).filter((part) => part !== "");
  if (read.calls.length > 0 || read.refused.some(({ reason }) => reason !== "quoted") || !isBlankText(read.text)) {
    return { calls: read.calls, refused: read.refused, text: read.text, thinking: joined(given, inText) };
  }
  return fromThinking(content, given, read, inText, table, options);
}

function joined(given: string, inText: readonly string[]): string {
  return inText.length === 0 ? given : [...(given === "" ? [] : [given]), ...inText].join("\n");
}

/** The message says nothing but its reasoning: a call that ends the reasoning is the message's act. */
function fromThinking(
  content: string,
  given: string,
  read: Part,
  inText: readonly string[],
  table: ToolTable,
  options: LeakedCallOptions,
): LeakedCalls {
  const last = read.reasoning[read.reasoning.length - 1];
  const text = last === undefined ? given : content.slice(last.start, last.end);
  const nothing = { calls: read.calls, refused: read.refused, text: read.text, thinking: joined(given, inText) };
  if (text === "") return nothing;
  const inner = readPart(text, "thinking", table, { ...options, trailingText: "allow" });
  const run = finalRun(inner.calls, text, inner.removed);
  if (run.length === 0) return nothing;
  const from = (run[0] as LeakedCall).range.start;
  const cut = withoutRanges(
    text,
    inner.removed.filter(({ end }) => end > from),
  ).trimEnd();
  if (last === undefined) return { ...nothing, calls: run, thinking: cut };
  const calls = run.map((call) => {
    const range = { start: call.range.start + last.start, end: call.range.end + last.start };
    return { ...call, range, part: "content" as const };
  });
  return {
    ...nothing,
    calls,
    thinking: joined(
      given,
      [...inText.slice(0, -1), cut.trim()].filter((part) => part !== ""),
    ),
  };
}

/** The calls that end the text, with nothing but their own markup between them. */
function finalRun(calls: readonly LeakedCall[], text: string, removed: readonly Range[]): readonly LeakedCall[] {
  const ranges = [...removed].sort((a, b) => b.start - a.start);
  let from = text.length;
  for (const range of ranges) {
    if (text.slice(Math.min(range.end, from), from).trim() !== "") break;
    from = Math.min(from, range.start);
  }
  return calls.filter((call) => call.range.start >= from);
}

interface Part {
  readonly calls: readonly LeakedCall[];
  readonly refused: readonly RefusedCall[];
  readonly text: string;
  readonly reasoning: readonly Range[];
  readonly removed: readonly Range[];
}

function readPart(text: string, part: LeakedCall["part"], table: ToolTable, options: LeakedCallOptions): Part {
  const source = new Source(text, table);
  const scan = scanMarkup(source);
  const shown = [...scan.quoted, ...scan.enclosed];
  if (scan.items.length === 0 && scan.unread.length === 0 && shown.length === 0) {
    const tail = withoutDanglingTail(text);
    return { calls: [], refused: [], text: tail, reasoning: [], removed: [] };
  }
  const reasoning: Range[] = [];
  const items = afterReasoning(source, scan, reasoning);
  const calls: LeakedCall[] = [];
  const strict = options.trailingText === "refuse";
  const { items: mentioned, areDoubtful } = strict ? mentionedItems(source, items, scan.unread) : NO_MENTIONS;
  for (const found of mentioned) shown.push(...found.calls);
  const refused: RefusedCall[] = shown.map((call) => refusal(call, part, "quoted"));
  const removed: Range[] = [...reasoningRanges(scan, items, reasoning)];
  const taken = { calls, refused, removed, reasoning, part, options, textEnd: scan.end };
  for (const found of items) {
    if (!mentioned.has(found)) takeItem(source, found, taken);
  }
  const gone = [
    ...removed,
    ...markerDebris(source, items, removed, [...scan.unread, ...scan.quotedMarkers]),
    ...withoutCutMarkers(source, scan.unread),
  ];
  // Beside a call that is only shown, what else is shown is not sure.
  const isDoubtful =
    scan.enclosed.length > 0 || areDoubtful || hasTrailingText(source, calls, gone) || isInvented(source, calls);
  const allowed = strict && isDoubtful ? [] : calls;
  if (allowed.length < calls.length) {
    for (const call of calls) refused.push({ ...refusalOf(call), reason: "trailing-text" });
  }
  return { calls: allowed, refused, text: withoutDanglingTail(withoutRanges(text, gone)), reasoning, removed: gone };
}

function refusalOf({ name, family, range, part }: LeakedCall): Omit<RefusedCall, "reason"> {
  return { name, family, range, part };
}

/** The items behind the last end of reasoning that has no start; what stands before it is reasoning. */
function afterReasoning(source: Source, scan: Scan, reasoning: Range[]): readonly Item[] {
  const { items } = scan;
  const { text } = source;
  const lastCall = items.findLastIndex((found) => found.calls.length > 0);
  for (let index = items.length - 1; index >= 0; index--) {
    const end = items[index] as Item;
    if (end.kind !== "reasoningEnd") continue;
    const after = text.charCodeAt(end.end);
    const endsLine = Number.isNaN(after) || after === 10 || after === 13;
    if (!endsLine && lastCall < index) continue;
    reasoning.push({ start: 0, end: end.start });
    return items.slice(index + 1);
  }
  return items;
}

function reasoningRanges(scan: Scan, items: readonly Item[], reasoning: readonly Range[]): readonly Range[] {
  if (reasoning.length === 0) return [];
  const ended = scan.items[scan.items.length - items.length - 1] as Item;
  return [{ start: 0, end: ended.end }];
}

interface Taken {
  readonly calls: LeakedCall[];
  readonly refused: RefusedCall[];
  readonly removed: Range[];
  readonly reasoning: Range[];
  readonly part: LeakedCall["part"];
  readonly options: LeakedCallOptions;
  readonly textEnd: number;
}

/** Applies the gates to one item's calls; takes its markup out of the text when it names an active tool or none. */
function takeItem(source: Source, found: Item, taken: Taken): void {
  if (found.kind === "marker" || found.kind === "reasoningEnd") return;
  taken.reasoning.push(...found.reasoning);
  const known = found.calls.filter((call) => source.tools.resolve(call.name) !== undefined);
  for (const call of found.calls) {
    if (!known.includes(call)) taken.refused.push(refusal(call, taken.part, "unknown-tool"));
  }
  if (found.calls.length > 0 && known.length === 0) return;
  if (known.length > 0 && known.every((call) => isTemplateCall(call.arguments))) {
    for (const call of known) taken.refused.push(refusal(call, taken.part, "quoted"));
    return;
  }
  if (found.endsMessage && !source.isBlank(found.end, taken.textEnd)) return;
  taken.removed.push(...outside(found));
  for (const call of known) {
    const tool = source.tools.resolve(call.name) as RepairTool;
    if (call.arguments === undefined) {
      taken.refused.push({ ...refusal(call, taken.part, "unreadable"), name: tool.name });
      continue;
    }
    const result = repairToolArguments(tool, call.arguments, { model: taken.options.model });
    if (result.outcome === "bounced") {
      const refused = { ...refusal(call, taken.part, "arguments"), name: tool.name };
      const isTold = taken.refused.length < MOST_MESSAGES;
      taken.refused.push(isTold ? { ...refused, message: formatBounce(result, tool) } : refused);
      continue;
    }
    const range = { start: call.start, end: call.end };
    const { arguments: printed, family } = call;
    taken.calls.push({ name: tool.name, arguments: result.args, printed, family, range, part: taken.part });
  }
}

/** The item's range without its prose. */
function outside(found: Item): readonly Range[] {
  const ranges: Range[] = [];
  let from = found.start;
  for (const { start, end } of found.prose) {
    ranges.push({ start: from, end: start });
    from = end;
  }
  ranges.push({ start: from, end: found.end });
  return ranges;
}

function hasTrailingText(source: Source, calls: readonly LeakedCall[], removed: readonly Range[]): boolean {
  const last = calls[calls.length - 1];
  if (last === undefined) return false;
  let at = last.range.end;
  for (const range of [...removed].sort((a, b) => a.start - b.start)) {
    if (range.end <= at) continue;
    if (range.start > at && !source.isBlank(at, range.start)) return true;
    at = range.end;
  }
  return !source.isBlank(at, source.text.length);
}

/** Whether the model wrote the result of a call itself: the calls behind it build on that. */
function isInvented(source: Source, calls: readonly LeakedCall[]): boolean {
  return calls.some(({ range }, index) => {
    const next = calls[index + 1];
    return next !== undefined && source.findFirst(RESULT_OPENERS, range.end) < next.range.start;
  });
}

function refusal(call: FoundCall, part: LeakedCall["part"], reason: RefusedCall["reason"]): RefusedCall {
  return { name: call.name, family: call.family, range: { start: call.start, end: call.end }, part, reason };
}
