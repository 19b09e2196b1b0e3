// Reads a page as strictly as XML is read: every element closed, every attribute quoted and named once, no stray mark.
// Script and style are raw text.

export interface HtmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Text directly inside. */
  text: string;
}

export interface HtmlPage {
  readonly elements: readonly HtmlElement[];
  readonly errors: readonly string[];
}

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9:-]*="[^"<]*")*)\s*(\/?)>/i;
const RAW = new Set(["script", "style"]);

export function parseHtml(html: string): HtmlPage {
  const elements: HtmlElement[] = [];
  const errors: string[] = [];
  const open: HtmlElement[] = [];
  let at = 0;
  if (!html.startsWith("<!doctype html>")) errors.push("no doctype");
  else at = "<!doctype html>".length;
  while (at < html.length) {
    const holder = open.at(-1);
    if (holder !== undefined && RAW.has(holder.name)) {
      const end = html.indexOf(`</${holder.name}>`, at);
      if (end < 0) return { elements, errors: [...errors, `${holder.name} is not closed`] };
      holder.text = html.slice(at, end);
      at = end;
    }
    if (html[at] !== "<") {
      const next = html.indexOf("<", at);
      const text = html.slice(at, next < 0 ? undefined : next);
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) errors.push(`a bare & in ${text.slice(0, 40)}`);
      if (holder !== undefined) holder.text += text;
      else if (text.trim() !== "") errors.push(`text outside: ${text.slice(0, 40)}`);
      at = next < 0 ? html.length : next;
      continue;
    }
    const match = TAG.exec(html.slice(at, at + 4_000));
    if (match === null) return { elements, errors: [...errors, `no tag: ${html.slice(at, at + 60)}`] };
    const [whole, closes, name = "", list = "", selfCloses] = match;
    at += whole.length;
    if (closes) {
      const last = open.pop();
      if (last?.name !== name) errors.push(`</${name}> closes <${last?.name}>`);
      continue;
    }
    const pairs = [...list.matchAll(/([a-z][a-z0-9:-]*)="([^"]*)"/gi)].map(
      ([, key = "", value = ""]) => [key, value] as const,
    );
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) errors.push(`an attribute twice in <${name}>`);
    const element = { name, attributes: new Map(pairs), text: "" };
    elements.push(element);
    if (!selfCloses) open.push(element);
  }
  for (const element of open) errors.push(`<${element.name}> is not closed`);
  return { elements, errors };
}
