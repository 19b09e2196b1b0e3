// The lenient parser: one JSON value from a position in a text, with the faults that models make between tokens.
// Runs on text that strict JSON refused or whose keys repeat. Iterative and linear; never closes what the text left
// open, never drops a value, and builds every key, `__proto__` too, as an own property.

import { equalJson } from "./equal-json.ts";
import { type Cursor, refuse, refuseHere } from "./forgiven.ts";
import { BLANK, skipBlank } from "./lenient-blank.ts";
import { opensString, readString } from "./lenient-string.ts";
import { isWordStart, readLiteral, readWord } from "./lenient-word.ts";
import { type LastToken, mayLackComma, opensInside } from "./missing-comma.ts";

/** What `readValue` returns when it refused: the reason is the cursor's `fault`. */
export const REFUSED: unique symbol = Symbol("refused");

/** Empty, with space around it, or with punctuation of code. */
const ODD_KEY = /^$|^\s|\s$|[{},"'`\n\r\t]/;

/** One open container. `list` is undefined for an object. */
interface Frame {
  readonly list: unknown[] | undefined;
  readonly members: Record<string, unknown>;
  key: string;
  keyAt: number;
}

/**
 * Reads one value at the cursor and leaves the cursor behind it. Returns `REFUSED` with the cursor's fault set when the
 * text ends inside the value (`truncated`), nests deeper than `maxDepth` (`too-large`) or has no single reading.
 */
export function readValue(cursor: Cursor): unknown {
  const stack: Frame[] = [];
  const last: LastToken = {
    kind: "other",
    opensInside: false,
    simple: false,
    endsBlank: false,
    empty: false,
    single: false,
  };
  for (;;) {
    skipBlank(cursor);
    const code = cursor.text.charCodeAt(cursor.pos);
    let value: unknown;
    if (code === 123 || code === 91) {
      if (stack.length >= cursor.maxDepth) refuse(cursor, "too-large", cursor.pos);
      cursor.pos += 1;
      skipBlank(cursor);
      const list: unknown[] | undefined = code === 91 ? [] : undefined;
      const members = {};
      if (cursor.text.charCodeAt(cursor.pos) !== code + 2) {
        const frame: Frame = { list, members, key: "", keyAt: 0 };
        stack.push(frame);
        if (list === undefined) readKey(cursor, frame, last);
        if (cursor.fault !== undefined) return REFUSED;
        continue;
      }
      cursor.pos += 1;
      value = list ?? members;
      last.kind = "container";
    } else {
      value = readScalar(cursor, code, last);
    }
    // one or more containers may end here
    for (;;) {
      if (cursor.fault !== undefined) return REFUSED;
      const frame = stack.at(-1);
      if (frame === undefined) return value;
      attach(cursor, frame, value);
      if (!endsContainer(cursor, frame, last)) break;
      stack.pop();
      value = frame.list ?? frame.members;
      last.kind = "container";
    }
    if (cursor.fault !== undefined) return REFUSED;
  }
}

function readScalar(cursor: Cursor, code: number, last: LastToken): unknown {
  if (!opensString(code)) {
    last.kind = "other";
    return readLiteral(cursor);
  }
  const open = cursor.pos;
  const value = readString(cursor);
  if (value === undefined) return undefined;
  last.kind = "string";
  last.opensInside = cursor.pos - open > 2 && opensInside(cursor.text.charCodeAt(cursor.pos - 2));
  last.simple = cursor.pos - open <= 66 && /^[\w./@:-]*$/.test(value);
  last.single = cursor.text.charCodeAt(open) === 39;
  last.empty = value === "";
  last.endsBlank = /\s$/.test(value.slice(-1));
  return value;
}

/**
 * Moves behind what follows a value: the container's closer (true), or a comma up to the next value (false). Refuses
 * where the quote that ended a string may have been part of it.
 */
function endsContainer(cursor: Cursor, frame: Frame, last: LastToken): boolean {
  const { text } = cursor;
  const closer = frame.list === undefined ? 125 : 93;
  const from = cursor.pos;
  const gap = skipBlank(cursor);
  if (cursor.fault !== undefined) return false;
  if (last.kind === "string" && gap & (BLANK.COMMENT | BLANK.ESCAPED)) {
    const touches = text.charCodeAt(from) === 47;
    const between = text.slice(from, cursor.pos);
    if (touches || last.opensInside || between.includes('"')) refuse(cursor, "malformed", from);
  }
  let code = text.charCodeAt(cursor.pos);
  if (code === closer) {
    cursor.pos += 1;
    return true;
  }
  if (code === 44) {
    cursor.pos += 1;
    skipBlank(cursor);
    code = text.charCodeAt(cursor.pos);
    if (code === closer) {
      cursor.pos += 1;
      cursor.forgiven.add("trailingComma");
      return true;
    }
  } else if (mayLackComma(cursor, frame.list !== undefined, last, gap)) {
    cursor.forgiven.add("missingComma");
  } else {
    refuseHere(cursor);
  }
  if (cursor.fault === undefined && frame.list === undefined) readKey(cursor, frame, last);
  return false;
}

/** Reads a key and its colon into the frame. */
function readKey(cursor: Cursor, frame: Frame, last: LastToken): undefined {
  const code = cursor.text.charCodeAt(cursor.pos);
  frame.keyAt = cursor.pos;
  if (opensString(code)) {
    frame.key = readString(cursor) ?? "";
    // `"cut -d", " ": "x"`: quotes inside of a string make keys that nobody names so
    if (last.kind === "string" && cursor.doubtfulAt < 0 && ODD_KEY.test(frame.key)) cursor.doubtfulAt = frame.keyAt;
  } else if (isWordStart(code)) {
    // `"echo ", x: …`: the comma may be inside the string as well
    if (last.kind === "string" && last.opensInside) return refuseHere(cursor);
    frame.key = readWord(cursor);
    if (/^(?:true|false|null|None)$/i.test(frame.key)) return refuse(cursor, "malformed", frame.keyAt);
    cursor.forgiven.add("bareKey");
  } else {
    return refuseHere(cursor);
  }
  if (cursor.fault !== undefined) return undefined;
  skipBlank(cursor);
  if (cursor.text.charCodeAt(cursor.pos) !== 58) return refuseHere(cursor);
  cursor.pos += 1;
  last.kind = "other";
  return undefined;
}

function attach(cursor: Cursor, frame: Frame, value: unknown): void {
  const { list, members, key } = frame;
  if (list !== undefined) {
    list.push(value);
  } else if (Object.hasOwn(members, key)) {
    if (equalJson(members[key], value)) cursor.forgiven.add("repeatedKey");
    else refuse(cursor, "malformed", frame.keyAt);
  } else if (key === "__proto__") {
    Object.defineProperty(members, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    members[key] = value;
  }
}
