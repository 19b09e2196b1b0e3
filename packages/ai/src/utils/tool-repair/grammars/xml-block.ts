// A run of XML calls: one after the other with blanks between them, up to a wrapper's end. A call that cannot be read but
// has its own end is skipped, so that one bad call does not lose its siblings.

import type { Block, RawCall } from "./grammar.ts";
import type { Source } from "./source.ts";
import { readXmlCall, type XmlValues } from "./xml-call.ts";
import { tagIndexAt } from "./xml-tags.ts";

/** The calls from the first tag at or after `at`, which must be a call's; undefined where none can be read. */
export function readXmlBlock(source: Source, at: number, prefix: string, values: XmlValues): Block | undefined {
  const tags = source.tagsWith(prefix);
  const calls: RawCall[] = [];
  let end = at;
  let index = tagIndexAt(tags, at);
  if (tags[index]?.kind === "wrapper" && source.isBlank(at, (tags[index] as { start: number }).start)) {
    end = (tags[index] as { end: number }).end;
    index += 1;
  }
  let isRead = false;
  for (;;) {
    const tag = tags[index];
    if (tag === undefined || !source.isBlank(end, tag.start)) break;
    if (tag.kind === "wrapperEnd" && isRead) {
      end = tag.end;
      break;
    }
    if (tag.kind !== "call") break;
    const read = readXmlCall(source, tags, index, values);
    if (read !== undefined) {
      calls.push(read.call);
      end = read.call.end;
      index = read.next;
      isRead = true;
      continue;
    }
    const skipped = callEndAfter(source, index, prefix);
    if (skipped === -1 || (calls.length === 0 && tags[skipped + 1]?.kind !== "call")) break;
    end = (tags[skipped] as { end: number }).end;
    index = skipped + 1;
  }
  return isRead ? { calls, end } : undefined;
}

/** The index of the end tag of the call at `index`, where no other call begins before it; or -1. */
function callEndAfter(source: Source, index: number, prefix: string): number {
  const tags = source.tagsWith(prefix);
  for (let next = index + 1; next < tags.length; next++) {
    if (!source.spend(8)) return -1;
    const { kind } = tags[next] as { kind: string };
    if (kind === "callEnd") return next;
    if (kind === "call" || kind === "wrapperEnd") return -1;
  }
  return -1;
}
