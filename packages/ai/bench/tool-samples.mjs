// Tools of the shapes that pi's own read, bash and edit have, with valid calls of them.

const text = { type: "string" };
const number = { type: "number" };
const object = (properties, required) => ({ type: "object", properties, required });

export const TOOLS = {
  read: { name: "read", parameters: object({ path: text, offset: number, limit: number }, ["path"]) },
  bash: { name: "bash", parameters: object({ command: text, timeout: number }, ["command"]) },
  edit: {
    name: "edit",
    parameters: object(
      { path: text, edits: { type: "array", items: object({ oldText: text, newText: text }, ["oldText", "newText"]) } },
      ["path", "edits"],
    ),
  },
  write: { name: "write", parameters: object({ path: text, content: text }, ["path", "content"]) },
};

export const CALLS = {
  read: (i) => ({ path: `src/file-${i}.ts`, offset: i, limit: 100 }),
  bash: (i) => ({ command: `grep -n needle-${i} src`, timeout: 30 }),
  edit: (i) => ({ path: `src/file-${i}.ts`, edits: [{ oldText: `a${i}`, newText: `b${i}` }] }),
  write: (i) => ({ path: `src/file-${i}.ts`, content: `line ${i}\n` }),
};

/**
 * A frozen batch of `count` distinct calls, parsed from JSON as a provider's are (a template string is stored in
 * another way, which costs a read). A single call is below the timer's resolution.
 */
export function batch(make, count = 1000) {
  return Object.freeze(Array.from({ length: count }, (_, i) => Object.freeze(JSON.parse(JSON.stringify(make(i))))));
}
