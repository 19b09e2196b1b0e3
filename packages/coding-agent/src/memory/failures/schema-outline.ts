// A tool's schema and hints without prose, cut down to what a call touches. Pure; the originals are not modified.
import type { ToolHints } from "@pi-mend/ai/tool-repair";

type Node = Record<string, unknown>;

/** What decides whether a value passes. Any other keyword, known as prose or made up, may hold a text of anybody's. */
const DECIDING = new Set(
  (
    "$schema $id $anchor $dynamicAnchor $ref $dynamicRef $defs definitions type enum const format pattern " +
    "properties patternProperties additionalProperties unevaluatedProperties propertyNames required minProperties " +
    "maxProperties dependentRequired dependentSchemas dependencies items prefixItems additionalItems unevaluatedItems " +
    "contains minContains maxContains minItems maxItems uniqueItems minLength maxLength minimum maximum " +
    "exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if then else"
  ).split(" "),
);
/** Keywords whose value holds schemas by name. */
const BY_NAME = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const DATA = new Set(["enum", "const", "required", "dependentRequired"]);

/**
 * @param keep keys of the root object that must stay; other optional ones are left out. `undefined` keeps all
 */
export function schemaOutline(schema: unknown, keep: ReadonlySet<string> | undefined): unknown {
  const outline = withoutProse(schema);
  if (keep === undefined || !isNode(outline) || !isNode(outline["properties"])) return outline;
  const required = new Set(Array.isArray(outline["required"]) ? outline["required"] : []);
  const properties = Object.entries(outline["properties"]).filter(([key]) => keep.has(key) || required.has(key));
  return { ...outline, properties: Object.fromEntries(properties) };
}

/** The hints with only those spellings that `keys` holds. */
export function hintsOutline(hints: ToolHints | undefined, keys: ReadonlySet<string>): ToolHints | undefined {
  if (hints?.aliases === undefined) return hints;
  const aliases = Object.entries(hints.aliases).map(
    ([field, spellings]) => [field, spellings.filter((spelling) => keys.has(spelling))] as const,
  );
  return { ...hints, aliases: Object.fromEntries(aliases) };
}

function withoutProse(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutProse);
  if (!isNode(node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([word, value]): [string, unknown][] => {
      if (!DECIDING.has(word)) return [];
      if (DATA.has(word)) return [[word, value]];
      if (BY_NAME.has(word) && isNode(value)) {
        return [[word, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutProse(inner)]))]];
      }
      return [[word, withoutProse(value)]];
    }),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
