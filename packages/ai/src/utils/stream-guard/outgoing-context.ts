// The request as the backend gets it: legal tool names, schemas it can read, and history calls with ids of their own and
// objects for arguments. Runs before a request. Copies what it changes; what needs no change is passed on as it is.

import type { Api, Message, Model, Tool, TranscriptContext } from "@earendil-works/pi-ai";
import { withOutgoingIds } from "./outgoing-ids.ts";
import { isLegalToolName, OutgoingNames } from "./outgoing-names.ts";
import { type OutgoingSchemaRule, outgoingSchema, schemaRulesFor } from "./outgoing-schemas.ts";
import { isObject } from "./settle-arguments.ts";

/** A request ready to send. */
export interface Outgoing {
  readonly context: TranscriptContext;
  readonly names: OutgoingNames | undefined;
}

/** @returns the same context when nothing in it has to change */
export function outgoingContext(model: Model<Api>, context: TranscriptContext): Outgoing {
  const rules = schemaRulesFor(model);
  const used = toolNames(context.messages);
  const names = used.size === 0 || [...used].every(isLegalToolName) ? undefined : new OutgoingNames(used);
  const identified = withOutgoingIds(context.messages, model);
  let changed = identified !== context.messages;
  const messages = identified.map((message) => {
    const sent = outgoingMessage(message, names, rules);
    changed ||= sent !== message;
    return sent;
  });
  return { context: changed ? ({ ...context, messages } as TranscriptContext) : context, names };
}

/** A tool choice that names a tool, with the name as it is sent. */
export function outgoingToolChoice(choice: unknown, names: OutgoingNames): unknown {
  if (typeof choice !== "object" || choice === null) return choice;
  const { name, function: fn } = choice as { name?: unknown; function?: { name?: unknown } };
  if (typeof name === "string") return { ...choice, name: names.sent(name) };
  if (typeof fn?.name === "string") return { ...choice, function: { ...fn, name: names.sent(fn.name) } };
  return choice;
}

function toolNames(messages: readonly Message[]): Set<string> {
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role === "system") for (const tool of message.toolsAdded ?? []) names.add(tool.name);
    if (message.role === "toolResult" && message.toolName) names.add(message.toolName);
    if (message.role !== "assistant" || !Array.isArray(message.content)) continue;
    for (const block of message.content) if (block.type === "toolCall") names.add(block.name);
  }
  return names;
}

function outgoingMessage(
  message: Message,
  names: OutgoingNames | undefined,
  rules: readonly OutgoingSchemaRule[],
): Message {
  switch (message.role) {
    case "system":
      return outgoingSystem(message, names, rules);
    case "assistant":
      return outgoingAssistant(message, names);
    case "toolResult":
      return renamed(message, "toolName", names);
    default:
      return message;
  }
}

type MessageOf<R extends Message["role"]> = Extract<Message, { role: R }>;

function outgoingSystem(
  message: MessageOf<"system">,
  names: OutgoingNames | undefined,
  rules: readonly OutgoingSchemaRule[],
): Message {
  const { toolsAdded, toolsRemoved } = message;
  const added = toolsAdded && mapSame(toolsAdded, (tool) => outgoingTool(renamed(tool, "name", names), rules));
  const removed = toolsRemoved && mapSame(toolsRemoved, (tool) => renamed(tool, "name", names));
  if (added === toolsAdded && removed === toolsRemoved) return message;
  return { ...message, ...(added && { toolsAdded: added }), ...(removed && { toolsRemoved: removed }) };
}

function outgoingTool(tool: Tool, rules: readonly OutgoingSchemaRule[]): Tool {
  const parameters = outgoingSchema(tool.parameters, rules);
  return parameters === tool.parameters ? tool : { ...tool, parameters };
}

function outgoingAssistant(message: MessageOf<"assistant">, names: OutgoingNames | undefined): Message {
  if (!Array.isArray(message.content)) return message;
  const content = mapSame(message.content, (block) => {
    if (block.type !== "toolCall") return block;
    const call = renamed(block, "name", names);
    // Arguments that bounced as a bare text or list, or were stored as null: backends refuse the whole conversation.
    return isObject(call.arguments) ? call : { ...call, arguments: objectIn(call.arguments) };
  });
  return content === message.content ? message : { ...message, content };
}

/** The object that a text holds, where a client encoded it once too often; otherwise no arguments. */
function objectIn(value: unknown): Tool["parameters"] & { [key: string]: never } {
  const none = {} as { [key: string]: never };
  if (typeof value !== "string") return none;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? (parsed as typeof none) : none;
  } catch {
    return none;
  }
}

function renamed<K extends string, T extends { [key in K]: string }>(
  holder: T,
  key: K,
  names: OutgoingNames | undefined,
): T {
  const sent = names?.sent(holder[key]) ?? holder[key];
  return sent === holder[key] ? holder : { ...holder, [key]: sent };
}

/** Maps a list and gives back the list itself when no item changed. */
function mapSame<T>(list: T[], change: (item: T) => T): T[] {
  const mapped = list.map((item) => change(item));
  return mapped.every((item, index) => item === list[index]) ? list : mapped;
}
