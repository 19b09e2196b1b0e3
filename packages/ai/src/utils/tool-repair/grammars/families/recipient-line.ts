// Functionary: a recipient on its own line, the arguments object on the next (`>>>N`, `<|recipient|>N`, a reserved token).
// The recipient `all` is the user.

import type { Block, Grammar, Range } from "../grammar.ts";
import { readJsonObjectAt } from "../json-calls.ts";
import type { Source } from "../source.ts";

const HEAD =
  /(?:>>>|<\|from\|>\s*assistant\s*<\|recipient\|>|<\|recipient\|>|<\|reserved_special_token_249\|>)\s*([A-Za-z_][\w.\-/]{0,127})[ \t]*\r?\n(?:<\|content\|>)?/y;
const ENDS = [">>>", "<|from|>", "<|recipient|>", "<|reserved_special_token_249|>", "<|eot_id|>"];

function read(source: Source, at: number): Block | undefined {
  const { text } = source;
  if (text.charAt(at - 1) === ">" || text.startsWith(">>>>", at)) return undefined;
  HEAD.lastIndex = at;
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const body = HEAD.lastIndex;
  const name = head[1] as string;
  if (name === "all") {
    const prose: Range[] = [{ start: body, end: source.findFirst(ENDS, body) }];
    return { calls: [], end: (prose[0] as Range).end, prose };
  }
  const json = readJsonObjectAt(source, body);
  if (json === undefined) return undefined;
  return { calls: [{ name, arguments: json.value, start: at, end: json.end }], end: json.end };
}

export const RECIPIENT_LINE: Grammar = {
  family: "functionary",
  openers: [">>>", "<|from|>", "<|recipient|>", "<|reserved_special_token_249|>"],
  marked: false,
  read,
};
