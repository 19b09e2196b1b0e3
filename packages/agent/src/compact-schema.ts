// A tool's whole schema as one line for the model: every constraint, no prose. Made only for a call that failed twice in
// the same way. Never longer than its bound: what does not fit is left out as a whole, not cut.

const MAX_LENGTH = 4_000;
/** Words that constrain nothing. */
const PROSE = new Set(["$schema", "$id", "$comment", "title", "description", "examples", "default", "deprecated"]);
/** Words that hold schemas by name: the names are data. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Compact JSON of the schema, or `undefined` where it is none or exceeds 4,000 characters. */
export function compactSchema(parameters: unknown): string | undefined {
  try {
    const text = JSON.stringify(bare(parameters, 0));
    return text?.startsWith("{") && text.length <= MAX_LENGTH ? text : undefined;
  } catch {
    return undefined; // A schema with circular references has no JSON.
  }
}

function bare(node: unknown, depth: number): unknown {
  if (depth > 64) return {};
  if (Array.isArray(node)) return node.map((item) => bare(item, depth + 1));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([word]) => !PROSE.has(word));
  return Object.fromEntries(
    kept.map(([word, value]) => [word, NAMED.has(word) ? named(value, depth + 1) : bare(value, depth + 1)]),
  );
}

function named(map: unknown, depth: number): unknown {
  if (typeof map !== "object" || map === null) return map;
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, bare(schema, depth)]));
}
