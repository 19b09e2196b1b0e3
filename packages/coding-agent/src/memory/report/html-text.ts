// Text made safe to stand in HTML, in content and in attributes.
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function htmlText(text: string | number): string {
  return String(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}

/** JSON that may stand inside a script element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
