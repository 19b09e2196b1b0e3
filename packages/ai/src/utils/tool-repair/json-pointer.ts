// JSON Pointers (RFC 6901) and the dotted paths that models and hints read.

/** One unescaped segment. */
export function decodeSegment(segment: string): string {
  return segment.includes("~") ? segment.replace(/~1/g, "/").replace(/~0/g, "~") : segment;
}

/** `pointer` extended by one key or index. */
export function appendSegment(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/** The pointer of the parent and the last key, or undefined for the root. */
export function splitLast(pointer: string): { parent: string; key: string } | undefined {
  const slash = pointer.lastIndexOf("/");
  return slash < 0 ? undefined : { parent: pointer.slice(0, slash), key: decodeSegment(pointer.slice(slash + 1)) };
}

/** How deep a pointer goes (0 for the root). */
export function pointerDepth(pointer: string): number {
  let depth = 0;
  for (let i = pointer.indexOf("/"); i >= 0; i = pointer.indexOf("/", i + 1)) depth++;
  return depth;
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * The path as a model reads it: `/edits/0/oldText` → `edits[0].oldText`, the root → `arguments`. Control and bidi
 * characters of key names are replaced, and the whole is cut at 120 characters, so a key name cannot drive a terminal.
 */
export function readablePath(pointer: string): string {
  if (pointer === "") return "arguments";
  if (PLAIN_POINTER.test(pointer)) return pointer.slice(1);
  let out = "";
  for (const raw of pointer.slice(1).split("/")) {
    const key = readableKey(decodeSegment(raw));
    out += /^\d+$/.test(key) ? `[${key}]` : out === "" ? key : `.${key}`;
    if (out.length > 120) return `${out.slice(0, 117)}...`;
  }
  return out;
}

const PLAIN_POINTER = /^\/[A-Za-z_]\w{0,60}$/;

/** `text` with control and bidi characters replaced, so that it cannot drive a terminal. */
export function safeLine(text: string): string {
  return text.replace(CONTROL, "?");
}

/** A key name that is safe to show: control and bidi characters replaced, at most 120 characters. */
export function readableKey(key: string): string {
  const shown = key.length > 120 ? `${key.slice(0, 117)}...` : key;
  return shown.replace(CONTROL, "?");
}
