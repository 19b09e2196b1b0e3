// The class of a value, in one or two words: what kind of thing a model sent where something else was due. Pure; the
// words are all there is.
export function valueClass(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "empty list" : value.length === 1 ? "list of one" : "list";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      if (value === 0 || value === 1) return "0 or 1";
      return Number.isSafeInteger(value) ? "integer" : Number.isInteger(value) ? "unsafe integer" : "number";
    case "string":
      return textClass(value);
    default:
      return Object.keys(value).length === 0 ? "empty object" : "object";
  }
}

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^$/, "empty text"],
  [/^\s+$/, "blank text"],
  [/^\s*(?:null|none|undefined|nil)\s*$/i, "word for nothing"],
  [/^\s*(?:true|false|yes|no|on|off)\s*$/i, "boolean in text"],
  [/^\s*[+-]?\d+\s*$/, "integer in text"],
  [/^\s*[+-]?[\d.,_]+(?:e[+-]?\d+)?\s*$/i, "number in text"],
  [/^\s*\{/, "object in text"],
  [/^\s*\[/, "list in text"],
  [/^\s*"/, "text in quotes"],
  [/^\s*</, "markup"],
];

function textClass(text: string): string {
  // Long texts are classed by their start.
  const start = text.length > 256 ? text.slice(0, 256) : text;
  const known = CLASSES.find(([pattern]) => pattern.test(start));
  if (known !== undefined) return known[1];
  if (text.includes("\n")) return "text of several lines";
  return /\s/.test(start) ? "text of several words" : "one word";
}
