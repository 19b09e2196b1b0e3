// The words that a skeleton may keep: those of the tool's own schema and hints, and the fixed vocabulary of wrappers and
// placeholders that models send. Everything else that a model wrote is replaced.
import type { RepairTool } from "@pi-mend/ai/tool-repair";

const FIXED =
  "null none nil undefined void nan infinity true false yes no on off " +
  "arguments args input inputs parameters params parameter payload kwargs function functions tool tools name " +
  "type value values item items element elements string number integer boolean object array " +
  "properties required description title default enum cmd command commands script bash sh zsh lc cd json " +
  "argkey argvalue arg key c toolcall toolcalls invoke call";

const MAX_WORDS = 4_000;

/** A word without case and separators. */
export function foldWord(word: string): string {
  return word.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}

/** The folded words that may stand in a skeleton of a call to `tool`. */
export function knownWords(tool: RepairTool): ReadonlySet<string> {
  const words = new Set(FIXED.split(" "));
  const add = (text: unknown) => {
    if (typeof text !== "string" && typeof text !== "number") return;
    words.add(foldWord(String(text)));
    for (const part of String(text).match(/[\p{L}\p{N}]+/gu) ?? []) words.add(foldWord(part));
  };
  add(tool.name);
  for (const word of hintWords(tool.hints)) add(word);
  const pending: unknown[] = [tool.parameters];
  while (pending.length > 0 && words.size < MAX_WORDS) {
    const node = pending.pop();
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) pending.push(item);
      continue;
    }
    for (const [word, value] of Object.entries(node)) {
      if (word === "enum" && Array.isArray(value)) value.forEach(add);
      else if (word === "const" || word === "pattern") add(value);
      else if (word === "required" && Array.isArray(value)) value.forEach(add);
      else if (typeof value === "object") {
        if (word === "properties" && value !== null) Object.keys(value).forEach(add);
        pending.push(value);
      }
    }
  }
  words.delete("");
  return words;
}

function* hintWords(hints: RepairTool["hints"]): Generator<string> {
  if (hints === undefined) return;
  for (const [field, spellings] of Object.entries(hints.aliases ?? {})) yield* [field, ...spellings];
  yield* [...(hints.shellFields ?? []), ...(hints.pathFields ?? []), ...(hints.fold?.fields ?? [])];
  if (hints.rootField !== undefined) yield hints.rootField;
  if (hints.fold !== undefined) yield hints.fold.into;
}
