// What the two ends of a session's line tell without parsing it: most lines are tool results and user messages, which matter
// to replay only by a few fields. pi writes a line with its fields in one order; whatever is written otherwise is parsed.

/** How much of a line's start is looked at. Holds the ids of every provider. */
const HEAD = 1_024;
const TAIL = 256;
const ROLE = /^\{"type":"message",[^{]*"message":\{"role":"(\w+)"/;
const TYPE = /^\{"type":"(\w+)"/;
const RESULT = /"message":\{"role":"toolResult","toolCallId":"([^"\\\x80-\xff]{0,512})","toolName":"/;
const ENTRY = /^\{"type":"\w+","id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)")/;
const TIME = /"timestamp":"([^"\\]{10,40})"/;
const DONE = /"isError":false(?:,"durationMs":[\d.]+)?(?:,"timestamp":\d+)?\}\}\s*$/;
const NESTED = Buffer.from('"nestedCalls":');
const GLUED = Buffer.from('}{"');

/** How a line has to be read. */
export type LineKind = "parse" | "result" | "said" | "nothing";

/** Entries that say nothing about tools, calls or what the model was told. */
const NOTHING = new Set(["thinking_level_change", "model_change", "label", "session_info", "usage", "custom"]);
/** Roles whose text a model may quote. */
const SAID = new Set(["user", "bashExecution", "custom"]);

export class LineHead {
  readonly kind: LineKind;
  readonly #head: string;

  /** @param line the whole line, or its two ends */
  constructor(line: Buffer, tail = line) {
    this.#head = line.toString("latin1", 0, Math.min(line.length, HEAD));
    this.kind = this.#kindOf(line, tail);
  }

  /** The entry's id and its parent's; `""` where it has none. */
  get entry(): readonly [id: string, parentId: string] {
    const [, id = "", parentId = ""] = ENTRY.exec(this.#head) ?? [];
    return [id, parentId];
  }

  /** The id of the call that a result answers. */
  get callId(): string {
    return RESULT.exec(this.#head)?.[1] ?? "";
  }

  /** Milliseconds since 1970; 0 where the line does not say. */
  get time(): number {
    return timeOf(TIME.exec(this.#head)?.[1]);
  }

  #kindOf(line: Buffer, tail: Buffer): LineKind {
    if (!isWhole(line, tail)) return "parse";
    const role = ROLE.exec(this.#head)?.[1];
    if (role === "toolResult") {
      const end = tail.toString("latin1", Math.max(0, tail.length - TAIL));
      return RESULT.test(this.#head) && DONE.test(end) && line.indexOf(NESTED) < 0 ? "result" : "parse";
    }
    if (role !== undefined) return SAID.has(role) ? "said" : "parse";
    const type = TYPE.exec(this.#head)?.[1] ?? "";
    return NOTHING.has(type) ? "nothing" : "parse";
  }
}

/** Whether nothing speaks against the line being one JSON object; the parser decides on the others. */
function isWhole(line: Buffer, tail: Buffer): boolean {
  let end = tail.length - 1;
  while (end > 0 && (tail[end] as number) <= 0x20) end--;
  return tail[end] === 0x7d && line.indexOf(0) < 0 && line.indexOf(GLUED) < 0;
}

/** The last time that a date can be. */
const LATEST = 8.64e15;

/** A point in time as transcripts write it: ISO text, or a number of seconds or milliseconds. 0 for anything else. */
export function timeOf(value: unknown): number {
  const time = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  if (!(time > 0 && time <= LATEST)) return 0;
  // Seconds until the year 2286.
  return time < 1e10 ? Math.round(time * 1000) : Math.round(time);
}
