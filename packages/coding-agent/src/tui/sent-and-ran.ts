// What a repair changed, as two short texts: what was sent and what ran. Pure; asked only when a person opens it.
import type { MendedCall } from "./mended-calls.ts";
import { showable } from "./plain-lines.ts";

export interface Change {
  readonly sent: string;
  readonly ran: string;
}

/** Longer texts are cut: a file's content is not what a person looks for here. */
const MOST_CHARACTERS = 1_200;

/**
 * The tool's name where it changed, then the arguments. Of two objects only the keys that differ are named; arguments that
 * were text are shown whole. Both texts are cut and safe to draw.
 */
export function sentAndRan(call: MendedCall): readonly Change[] {
  const named = call.sentTool === undefined ? [] : [{ sent: shown(call.sentTool), ran: shown(call.tool) }];
  const args = argumentsChange(call.sent, call.ran);
  return args === undefined ? named : [...named, args];
}

function argumentsChange(sent: unknown, ran: unknown): Change | undefined {
  if (!isObject(sent) || !isObject(ran)) {
    return { sent: shown(typeof sent === "string" ? sent : json(sent)), ran: shown(json(ran)) };
  }
  const keys = Object.keys({ ...sent, ...ran }).filter(
    (key) => Object.hasOwn(sent, key) !== Object.hasOwn(ran, key) || json(sent[key]) !== json(ran[key]),
  );
  if (keys.length === 0) return undefined;
  return { sent: shown(json(only(sent, keys))), ran: shown(json(only(ran, keys))) };
}

function only(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]));
}

function shown(text: string): string {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)` : text;
  return showable(cut);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
