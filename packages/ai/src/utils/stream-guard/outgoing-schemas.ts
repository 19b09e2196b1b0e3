// What backends and model families cannot take in a tool's schema, as data, and the copies sent to them. Runs before a
// request, once per schema and rule set. Never touches the schema itself: calls are checked against the original.
import type { Api, Model } from "@earendil-works/pi-ai";
import {
  dropEmptyEnumMembers,
  dropPatterns,
  inlineRefSiblings,
  type SchemaEdit,
  typeEveryNode,
} from "./schema-edits.ts";

/** One known limit. A rule applies when every condition it names is met. */
export interface OutgoingSchemaRule {
  readonly name: string;
  readonly apis?: readonly Api[];
  /** Parts of the model id, lower case. */
  readonly models?: readonly string[];
  /** Parts of the provider id or the base URL, lower case. */
  readonly servers?: readonly string[];
  /** Servers, as in `servers`, where the rule must not apply. */
  readonly exceptServers?: readonly string[];
  readonly edits: readonly SchemaEdit[];
}

export const OUTGOING_SCHEMA_RULES: readonly OutgoingSchemaRule[] = [
  {
    // These families write the anchors of a pattern into the value. llama.cpp builds its grammar from the anchored pattern
    // and refuses one without anchors; its grammar also keeps the value right.
    name: "patternBleed",
    models: ["kimi", "minimax", "glm"],
    exceptServers: ["llama.cpp", "llamacpp", "llama-cpp"],
    edits: [dropPatterns],
  },
  {
    // Moonshot's own servers refuse nodes without a type and keys beside $ref.
    name: "moonshotSubset",
    servers: ["moonshot", "api.kimi.com", "kimi-coding"],
    edits: [inlineRefSiblings, typeEveryNode],
  },
  {
    name: "geminiEnum",
    models: ["gemini"],
    edits: [dropEmptyEnumMembers],
  },
  {
    name: "googleEnum",
    apis: ["google-generative-ai", "google-vertex"],
    edits: [dropEmptyEnumMembers],
  },
];

/** The rules for one model on one server; empty for most. */
export function schemaRulesFor(model: Model<Api>): readonly OutgoingSchemaRule[] {
  const id = model.id.toLowerCase();
  const server = `${model.provider} ${model.baseUrl}`.toLowerCase();
  const names = (part: string) => server.includes(part);
  return OUTGOING_SCHEMA_RULES.filter(
    (rule) =>
      (rule.apis === undefined || rule.apis.includes(model.api)) &&
      (rule.models === undefined || rule.models.some((part) => id.includes(part))) &&
      (rule.servers === undefined || rule.servers.some(names)) &&
      rule.exceptServers?.some(names) !== true,
  );
}

const sent = new WeakMap<object, Map<string, object>>();

/**
 * The schema as a backend gets it.
 *
 * @returns the schema itself when no rule changes it; otherwise a copy, the same one each time
 */
export function outgoingSchema<T extends object>(schema: T, rules: readonly OutgoingSchemaRule[]): T {
  if (rules.length === 0) return schema;
  const key = rules.map((rule) => rule.name).join();
  const copies = sent.get(schema) ?? new Map<string, object>();
  if (copies.size === 0) sent.set(schema, copies);
  let copy = copies.get(key) as T | undefined;
  if (copy === undefined) {
    copy = schema;
    for (const rule of rules) for (const edit of rule.edits) copy = edit(copy) as T;
    copies.set(key, copy);
  }
  return copy;
}
