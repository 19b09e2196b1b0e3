// The modes that records may name: the table's, the steps' around it, JSON Schema's keywords and the reasons of refusals.
// Data. A name that is missing here is counted as `(other)`, never lost.
import { FORGIVEN, REPAIRS, STEP_REPAIRS } from "@pi-mend/ai/tool-repair";

const KEYWORDS =
  "type enum const required properties additionalProperties unevaluatedProperties propertyNames patternProperties " +
  "minProperties maxProperties dependentRequired dependentSchemas items prefixItems contains minContains maxContains " +
  "additionalItems unevaluatedItems minItems maxItems uniqueItems anyOf oneOf allOf not if then else false " +
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format $ref";
const REASONS =
  "unknownTool unreadable truncated malformed not-an-object ambiguous too-large json maxErrors maxDepth maxCandidates escalation";

const KNOWN = new Set([
  ...REPAIRS.map((entry) => entry.name as string),
  ...Object.keys(STEP_REPAIRS),
  ...KEYWORDS.split(" "),
  ...REASONS.split(" "),
]);
const OVERLOOKED = new Set<string>(FORGIVEN);

export function isKnownMode(name: string): boolean {
  return KNOWN.has(name);
}

export function isForgivenName(name: string): boolean {
  return OVERLOOKED.has(name);
}
