// What the readers of all formats ask of a parsed line. Pure.

/** A JSON object, nothing of it known. */
export type Row = Record<string, unknown>;

/** A line without what some systems put around it: a byte order mark before the first one, a carriage return at the end. */
export function bareLine(line: Buffer): Buffer {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  const end = line.length > start && line[line.length - 1] === 0x0d ? line.length - 1 : line.length;
  return line.subarray(start, end);
}

/** The JSON object of a line; `undefined` where it is none. */
export function parsedLine(line: Buffer): Row | undefined {
  try {
    const value = JSON.parse(line.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectsIn(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** More of anything than one turn can take; sums of counts below stay exact. */
const MOST = 1e9;

/** A number of things; 0 for what is none. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= MOST ? value : 0;
}

/** Longest start of a result's text that is kept until its turn is over. */
const MAX_TEXT = 512;

/** The start of the first text in a message's content. */
export function textIn(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content).slice(0, MAX_TEXT);
  const block = content.find((one) => typeof one?.text === "string");
  return textOf(block?.text).slice(0, MAX_TEXT);
}
