// Puts `""` back where the sent copy of a schema had lost it: the copy made such a field optional, so a model that was sent it
// says `""` by leaving the field out. Runs on finished replies to such requests only. Never fills a field that the model was
// told to send, and never one with a second reading.
import type { AssistantMessage, Message, Tool } from "@earendil-works/pi-ai";
import type { GuardedToolCall } from "./call-block.ts";
import type { JsonObject } from "./map-schema.ts";
import { type OutgoingSchemaRule, outgoingSchema } from "./outgoing-schemas.ts";
import { dropEmptyEnumMembers, targetOf } from "./schema-edits.ts";
import { isObject } from "./settle-arguments.ts";

/** The record's name for fields that got their empty member back. */
const EMPTY_MEMBER_RESTORED = "emptyMemberRestored";

/** Deeper values are left alone. */
const MAX_DEPTH = 64;

/**
 * What to do to a finished reply, where a request's tools lost empty members on the way out.
 *
 * @returns `undefined` when no tool of the request did; otherwise a function that gives back the same message when no call
 *   left such a field out
 */
export function emptyMemberRestorer(
  messages: readonly Message[],
  rules: readonly OutgoingSchemaRule[],
): ((message: AssistantMessage) => AssistantMessage) | undefined {
  const dropping = rules.filter((rule) => rule.edits.includes(dropEmptyEnumMembers));
  if (dropping.length === 0) return undefined;
  const schemas = new Map<string, JsonObject>();
  for (const { name, parameters } of toolsOf(messages)) {
    if (outgoingSchema(parameters, dropping) !== parameters) schemas.set(name, parameters as JsonObject);
    else schemas.delete(name);
  }
  return schemas.size === 0 ? undefined : (message) => restored(message, schemas);
}

/** The tools of a conversation as they were declared; of two under one name the later comes later. */
function toolsOf(messages: readonly Message[]): readonly Tool[] {
  return messages.flatMap((message) => (message.role === "system" ? (message.toolsAdded ?? []) : []));
}

function restored(message: AssistantMessage, schemas: ReadonlyMap<string, JsonObject>): AssistantMessage {
  let changed = false;
  const content = message.content.map((block): AssistantMessage["content"][number] => {
    const schema = block.type === "toolCall" ? schemas.get(block.name) : undefined;
    if (block.type !== "toolCall" || schema === undefined || block.argumentsError !== undefined) return block;
    const args = filled(block.arguments, schema, schema, 0) as GuardedToolCall["arguments"];
    if (args === block.arguments) return block;
    changed = true;
    const earlier = (block as GuardedToolCall).repair;
    const names = [...(earlier?.names ?? []), EMPTY_MEMBER_RESTORED];
    return {
      ...block,
      arguments: args,
      repair: { names, original: earlier?.original ?? block.arguments },
    } as typeof block;
  });
  return changed ? { ...message, content } : message;
}

/** The value with its empty members; the same reference when none was left out. */
function filled(value: unknown, schema: unknown, root: JsonObject, depth: number): unknown {
  const node = resolved(schema, root);
  if (node === undefined || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => filled(item, node["items"], root, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const { properties } = node;
  if (!isObject(value) || !isObject(properties)) return value;
  const fields = Object.entries(value);
  const whole = fields.map(([key, field]) =>
    Object.hasOwn(properties, key) ? filled(field, properties[key], root, depth + 1) : field,
  );
  // A key that is not declared may be the missing field under another name.
  const isKnown = fields.every(([key]) => Object.hasOwn(properties, key));
  const missing = isKnown ? missingMembers(value, node, properties, root) : [];
  if (missing.length === 0 && whole.every((field, index) => field === fields[index]?.[1])) return value;
  const entries = fields.map(([key], index) => [key, whole[index]] as const);
  return Object.fromEntries([...entries, ...missing.map((key) => [key, ""] as const)]);
}

function missingMembers(value: object, node: JsonObject, properties: JsonObject, root: JsonObject): readonly string[] {
  const required: readonly unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
  return required.filter(
    (key): key is string =>
      typeof key === "string" &&
      !Object.hasOwn(value, key) &&
      Object.hasOwn(properties, key) &&
      isEmptyWhenAbsent(resolved(properties[key], root)),
  );
}

/** Whether `""` is the one thing that an absent field can mean: neither null nor a default is another. */
function isEmptyWhenAbsent(field: JsonObject | undefined): boolean {
  const members = field?.["enum"];
  if (field === undefined || !Array.isArray(members) || !members.includes("") || members.includes(null)) return false;
  const { type, default: preset } = field;
  return (type === undefined || type === "string") && (preset === undefined || preset === "");
}

/** The schema itself, or what it refers to. */
function resolved(schema: unknown, root: JsonObject): JsonObject | undefined {
  let node = schema;
  for (let step = 0; step < 8 && isObject(node); step++) {
    if (typeof node["$ref"] !== "string") return node;
    node = targetOf(node["$ref"], root);
  }
  return undefined;
}
