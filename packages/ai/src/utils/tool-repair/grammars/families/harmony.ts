// Harmony: messages with a header that may name a recipient. `to=functions.N` is a call, the analysis channel is reasoning,
// every other channel is text for the user. A message without a recipient is never a call.

import type { Block, Grammar, Range, RawCall } from "../grammar.ts";
import { startsLine } from "../invisible.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";

const HEADER =
  /\s{0,256}(?!\s)(?:<\|start\|>)?([^<>{}\n]{0,200})(?:<\|channel\|>([^<>{}\n]{0,200}))?(?:<\|constrain\|>([^<>{}]{0,40}))?\s{0,64}<\|message\|>/y;
const RECIPIENT = /\bto=(?:functions\.)?([^\s<>=]{1,128})/;
const ROLE = "assistant";
const END = /\s*<\|(?:call|end|return)\|>\s*/y;
const ENDS = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>"];

function readHarmony(source: Source, at: number): Block | undefined {
  const { text } = source;
  const calls: RawCall[] = [];
  const prose: Range[] = [];
  const reasoning: Range[] = [];
  let end = at;
  for (let next = at; ; next = end) {
    if (!source.spend(64)) break;
    if (next > at && !isMessageStart(source, next)) break;
    HEADER.lastIndex = next;
    const header = HEADER.exec(text);
    if (header === null) break;
    const body = HEADER.lastIndex;
    const recipient = RECIPIENT.exec(`${header[1]} ${header[2] ?? ""}`)?.[1];
    if (recipient !== undefined) {
      const call = readCall(source, next, body, recipient);
      if (call === undefined) break;
      calls.push(call);
      end = call.end;
      continue;
    }
    const bodyEnd = source.findFirst(ENDS, body);
    (header[2]?.startsWith("analysis") ? reasoning : prose).push({ start: body, end: bodyEnd });
    END.lastIndex = bodyEnd;
    end = bodyEnd + (END.exec(text)?.[0].length ?? 0);
  }
  return end === at ? undefined : { start: headerStart(text, at), calls, end, prose, reasoning };
}

/** Where the header begins whose channel stands at `at`: its role may have lost the token before it. */
function headerStart(text: string, at: number): number {
  const start = at - ROLE.length;
  return text.startsWith(ROLE, start) && startsLine(text, start) ? start : at;
}

function isMessageStart(source: Source, at: number): boolean {
  const start = source.skipBlank(at);
  return source.startsWith("<|start|>", start) || source.startsWith("<|channel|>", start);
}

function readCall(source: Source, start: number, at: number, name: string): RawCall | undefined {
  const body = source.skipBlank(at);
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  END.lastIndex = json.end;
  const end = json.end + (END.exec(source.text)?.[0].length ?? 0);
  return { name, arguments: json.value, start, end };
}

export const HARMONY: Grammar = {
  family: "harmony",
  openers: ["<|channel|>", "<|start|>", "to=functions."],
  marked: true,
  read: readHarmony,
};
