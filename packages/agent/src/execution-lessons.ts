// What a model can learn from a call that ran and failed, or ran and did nothing: one row a kind. Looked up once per
// failed call, and once per call whose arguments could have been without effect. Rows go by what tools say and what
// arguments hold, never by a tool's name; a lesson that the tool's own text gives is not repeated.
import { type FinishedCall, isBlankResult, looksOf } from "./finished-call.ts";

interface Look extends FinishedCall {
  readonly head: string;
  readonly tail: string;
  /** The same call, with equal arguments, was the tool's last failure. */
  readonly repeated: boolean;
}

/** One teachable kind. */
export interface ExecutionLesson {
  readonly name: string;
  /** Whether the kind is told by failed calls (the rule) or by calls that succeeded. */
  readonly after: "error" | "success";
  readonly matches: (call: Look) => boolean;
  /** What was wrong → what to do. */
  readonly guidance: string;
  /** The tool's own text says it already. */
  readonly said?: RegExp;
}

const NOT_FOUND = /^(?:Error: )?ENOENT\b|\bError code: ENOENT\b/;
const IS_FOLDER = /^(?:Error: )?EISDIR\b|\bError code: EISDIR\b/;
const DENIED = /^(?:Error: )?(?:EACCES|EPERM)\b|\bError code: (?:EACCES|EPERM)\b/;

/** In order of precedence: the first row that matches is the lesson. */
export const EXECUTION_LESSONS = [
  {
    name: "failedCallRepeated",
    after: "error",
    matches: (call) => call.repeated,
    guidance: "this call failed before with the same arguments → change the arguments or take another way",
  },
  {
    name: "fileNotFound",
    after: "error",
    matches: ({ head }) => NOT_FOUND.test(head) || /^(?:Path|File) not found\b/i.test(head),
    guidance: "nothing is at that path → list the directory and use a path that it shows",
    said: /\blist (?:the|its) (?:director|folder)/i,
  },
  {
    name: "editTextNotFound",
    after: "error",
    matches: ({ head }) => /^Could not find (?:the exact text|edits\[\d+\])/.test(head),
    guidance: "the file does not hold that text → read the file again and copy the text to replace from it",
    said: /\bread the file\b/i,
  },
  {
    name: "editTextNotUnique",
    after: "error",
    matches: ({ head }) => /^Found \d+ occurrences of /.test(head) || /^\D{0,80}\bnot unique\b/i.test(head),
    guidance: "the text stands in several places → send more of the lines around it",
    said: /\bmore context\b|\bmore of the lines\b/i,
  },
  {
    name: "commandNotFound",
    after: "error",
    matches: ({ tail }) => /\bexited with code 127$/.test(tail),
    guidance: "the shell knows no such command → check its spelling, or use a command that is installed",
    said: /\bnot installed\b|\binstall it\b|\bapt(?:-get)? install\b/i,
  },
  {
    name: "isDirectory",
    after: "error",
    matches: ({ head }) => IS_FOLDER.test(head),
    guidance: "that path is a directory → name a file in it, or list it",
    said: /\bname a file\b/i,
  },
  {
    name: "permissionDenied",
    after: "error",
    matches: ({ head, tail }) => DENIED.test(head) || /\bexited with code 126$/.test(tail),
    guidance: "access is denied → use another path, or ask the user; the same call will be denied again",
    said: /\bask the user\b/i,
  },
  {
    name: "timedOut",
    after: "error",
    matches: ({ tail }) => /\btimed out after \d[\d.]* ?(?:s|ms|seconds|milliseconds)\b[^\n]*$/i.test(tail),
    guidance: "the time was too short → do less in one call, or allow more time where the tool has a field for it",
    said: /\bincrease the timeout\b|\blonger timeout\b/i,
  },
  {
    name: "editWithoutChange",
    after: "success",
    matches: changesNothing,
    guidance: "the edit changed nothing: old and new text are equal → send the text as it shall become",
    said: /\bno changes?\b|\bidentical\b|\bunchanged\b/i,
  },
  {
    name: "emptyRangeRead",
    after: "success",
    matches: (call) => hasRange(call.args) && isBlankResult(call),
    guidance: "the range holds no text → read without offset and limit, or with a range inside the file",
    said: /\bempty\b|\bno lines\b|\bbeyond end\b/i,
  },
] as const satisfies readonly ExecutionLesson[];

/**
 * The lesson of a call, or `undefined` when there is none or the tool gave it itself.
 *
 * @param repeated whether the tool's last call failed with equal arguments
 */
export function lessonOf(call: FinishedCall, repeated: boolean): ExecutionLesson | undefined {
  // Most calls end here: they succeeded, and neither arguments nor result look as if nothing had happened.
  return call.isError || mayBeEmpty(call) || asksForPairs(call.args) ? firstMatch(call, repeated) : undefined;
}

/** On its own, so that a call without a lesson costs no room for closures. */
function firstMatch(call: FinishedCall, repeated: boolean): ExecutionLesson | undefined {
  const look: Look = { ...call, ...looksOf(call), repeated };
  const after = call.isError ? "error" : "success";
  const rows: readonly ExecutionLesson[] = EXECUTION_LESSONS;
  const lesson = rows.find((row) => row.after === after && row.matches(look));
  return lesson?.said?.test(`${look.head}\n${look.tail}`) ? undefined : lesson;
}

/** Fields that hold a text, and the field of what replaces it. */
const REPLACED_BY: Readonly<Record<string, string>> = {
  oldText: "newText",
  old_string: "new_string",
  old_str: "new_str",
  oldString: "newString",
};

/** Whether a call has a pair of its own, or a list that opens with one. */
function asksForPairs(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  for (const key in args) {
    const value: unknown = (args as Record<string, unknown>)[key];
    if (typeof value === "string" ? REPLACED_BY[key] !== undefined : Array.isArray(value) && pairIn(value[0]))
      return true;
  }
  return false;
}

/** The replacements that a call asks for: its own pair, and those of the items of its lists. */
function pairsOf(args: unknown): (readonly [unknown, unknown])[] {
  const own = pairIn(args);
  const pairs = own === undefined ? [] : [own];
  for (const list of Object.values(args as object)) {
    if (!Array.isArray(list) || pairIn(list[0]) === undefined) continue;
    for (const item of list) pairs.push(pairIn(item) ?? [undefined, item]);
  }
  return pairs;
}

function pairIn(value: unknown): readonly [unknown, unknown] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  for (const before in REPLACED_BY) {
    const after = REPLACED_BY[before] as string;
    if (typeof fields[before] === "string" && typeof fields[after] === "string") return [fields[before], fields[after]];
  }
  return undefined;
}

function changesNothing({ args, details }: FinishedCall): boolean {
  if (!asksForPairs(args)) return false;
  const pairs = pairsOf(args);
  if (pairs.length === 0) return false;
  if (pairs.every(([before, after]) => before === after)) return true;
  return typeof details === "object" && details !== null && (details as { diff?: unknown }).diff === "";
}

/** Whether a call asks for a part that may hold nothing: one that starts further on, or one of no length. */
function hasRange(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  const { offset, limit } = args as { offset?: unknown; limit?: unknown };
  return typeof offset === "number" || (typeof limit === "number" && limit <= 0);
}

/** Whether the result may be without text: decided by its first character, and asked only of calls with a range. */
function mayBeEmpty({ content, args }: FinishedCall): boolean {
  const first = content[0];
  const text = first?.text;
  if (first !== undefined && (typeof text !== "string" || /^[^\s[]/.test(text))) return false;
  return hasRange(args);
}
