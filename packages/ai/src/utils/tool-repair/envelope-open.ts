// Finds where the one value of a text begins: behind fences, template tokens, a call id, or sentences. Runs before the
// lenient parser. Never steps over anything that could be part of the value, such as members of an object whose opening
// brace is missing.

import { type Cursor, refuse } from "./forgiven.ts";
import { skipBlank } from "./lenient-blank.ts";
import { opensString } from "./lenient-string.ts";

/** What stood before the value; it decides what may stand behind it. */
export interface Opening {
  fenced: boolean;
  inlineCode: boolean;
  prose: boolean;
  /** Whether sentences around the value are overlooked at all. */
  readonly allowProse: boolean;
}

const MAX_MARKERS = 8;
const FENCE = /(?:`{3,16}|~{3,16})(?: [\w+-]{1,20}(?=\s)|[\w+-]{0,20})/y;
const TOKEN = /<(?:\||\uff5c)[^<>"'{}[\]\n]{1,64}(?:\||\uff5c)>/y;
const OPEN_TAG = /<[A-Za-z_][\w:.-]{0,63}>/y;
const CALL_ID = /\.?(functions\.)?([A-Za-z_][\w.-]{0,63})(?::\d{1,6})?(?=\s{0,8}(?:\{|<(?:\||\uff5c)))/y;
const CALL_INDEX = /:\d/;
const VALUE_OR_FENCE = /[{[]|```|~~~/g;
/** A label that means "here come the arguments"; any other `word:` may be a key whose opening brace is missing. */
const LABEL = /^(?:tool[ _-]?)?(?:arguments?|args|parameters?|params|input|json|output|call)\s*[:=\uff1a]?$/i;
/** `"key":` anywhere, or a last clause that is one word and a colon: members of an object that lost its brace. */
const QUOTED_KEY = /["']\s{0,8}:/;
const LONE_KEY = /(?:^|[,;])[\t ]{0,8}(?:[-*] )?["'`]?[\w.-]{1,64}["'`]?[\t ]{0,8}[:=]$/;
const SENTENCE_END = /[:.!?\u2026\uff1a\u3002\uff01\uff1f>]$/;
/** A sentence rather than a shell word: begins with a capital and has three plain words. */
const SENTENCE = /^[A-Z][A-Za-z']{0,30}(?:,? [A-Za-z']{1,30}){2,40}$/;

/**
 * Moves the cursor to the value and returns what stood before it; undefined with the cursor's fault set where that is no
 * envelope. With `allowProse` off only blanks, fences and template tokens are stepped over.
 */
export function openEnvelope(cursor: Cursor, toolName: string | undefined, allowProse: boolean): Opening | undefined {
  const opening: Opening = { fenced: false, inlineCode: false, prose: false, allowProse };
  for (let markers = 0; markers < MAX_MARKERS; markers++) {
    skipBlank(cursor);
    const code = cursor.text.charCodeAt(cursor.pos);
    if (cursor.fault !== undefined) return undefined;
    if (code === 123 || code === 91 || opensString(code)) return opening;
    if (stepOverMarker(cursor, opening) || stepOverCallId(cursor, toolName)) continue;
    if (cursor.fault !== undefined) return undefined;
    const value = opening.prose || !allowProse ? -1 : findValue(cursor);
    if (value < 0) return opening;
    if (!isProse(cursor.text.slice(cursor.pos, value), cursor.text.charAt(value))) {
      return refuse(cursor, "malformed", cursor.pos);
    }
    opening.prose = true;
    cursor.forgiven.add("surroundingProse");
    cursor.pos = value;
  }
  return refuse(cursor, "malformed", cursor.pos);
}

function stepOverMarker(cursor: Cursor, opening: Opening): boolean {
  if (!opening.fenced && step(cursor, FENCE)) {
    opening.fenced = true;
    cursor.forgiven.add("codeFence");
    return true;
  }
  const { text, pos } = cursor;
  if (!opening.inlineCode && text[pos] === "`" && (text[pos + 1] === "{" || text[pos + 1] === "[")) {
    opening.inlineCode = true;
    cursor.forgiven.add("codeFence");
    cursor.pos += 1;
    return true;
  }
  if (step(cursor, TOKEN)) {
    cursor.forgiven.add("templateToken");
    return true;
  }
  if (!step(cursor, OPEN_TAG)) return false;
  cursor.forgiven.add("openTag");
  return true;
}

/** `functions.read:3{`, and with a known tool name also `read:3{` and `read{`. Another tool's name is refused. */
function stepOverCallId(cursor: Cursor, toolName: string | undefined): boolean {
  CALL_ID.lastIndex = cursor.pos;
  const match = CALL_ID.exec(cursor.text);
  if (match === null) return false;
  const qualified = match[1] !== undefined;
  const sameName = toolName !== undefined && match[2] === toolName;
  if (!sameName && !(qualified && CALL_INDEX.test(match[0]))) return false;
  if (!sameName && toolName !== undefined) {
    refuse(cursor, "malformed", cursor.pos);
    return false;
  }
  cursor.forgiven.add("callIdPrefix");
  cursor.pos += match[0].length;
  return true;
}

function step(cursor: Cursor, marker: RegExp): boolean {
  marker.lastIndex = cursor.pos;
  const match = marker.exec(cursor.text);
  if (match === null) return false;
  cursor.pos += match[0].length;
  return true;
}

function findValue(cursor: Cursor): number {
  VALUE_OR_FENCE.lastIndex = cursor.pos;
  return VALUE_OR_FENCE.exec(cursor.text)?.index ?? -1;
}

/** Whether the text before a value, or before its fence, is sentences about it, not a part of it or a command. */
function isProse(before: string, opener: string): boolean {
  const trimmed = before.trimEnd();
  if (/[\]}]/.test(trimmed) || QUOTED_KEY.test(trimmed)) return false;
  if (opener !== "{" && opener !== "[") return trimmed !== "";
  if (LABEL.test(trimmed)) return opener === "{";
  const lastLine = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  if (LONE_KEY.test(lastLine) || /[:=]./.test(lastLine)) return false;
  return before.includes("\n", trimmed.length) || SENTENCE_END.test(lastLine) || SENTENCE.test(lastLine);
}
